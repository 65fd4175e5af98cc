import { htmlText } from '@archiefkast/formats/html-words';

/** The words of HTML on one line, without footnotes and what stands raised. */
export function plainText(html: string): string {
  return htmlText(html).replace(/\s+/g, ' ').trim();
}
