/** Control characters, line feed and tab apart: a terminal obeys them. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;

/** A text without the control characters that a terminal would obey; each is shown as `�`. */
export function printable(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}
