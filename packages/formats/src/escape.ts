/** The characters that XML does not allow in a text, whatever the escape: controls, unpaired surrogates, U+FFFE and U+FFFF. */
export const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for HTML or XML, between tags. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes a text for HTML or XML, between tags or in double quotes. */
export function escapeMarkup(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

/** Escapes a text for XML, without the characters that XML does not allow. */
export function escapeXml(text: string): string {
  return escapeMarkup(text).replace(NOT_IN_XML, '');
}
