/** The characters that XML does not allow in a text, whatever the escape: controls, unpaired surrogates, U+FFFE and U+FFFF. */
export const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** These, and the other controls and noncharacters, which XML discourages and which stop some of its readers. */
export const LEFT_OUT_OF_XML = /(?![\t\n\r])[\p{Control}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** Escapes a text for HTML or XML, between tags. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes a text for HTML or XML, between tags or in double quotes. */
export function escapeMarkup(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

/** Escapes a text for XML, without the characters that its readers refuse. */
export function escapeXml(text: string): string {
  return escapeMarkup(text).replace(LEFT_OUT_OF_XML, '');
}
