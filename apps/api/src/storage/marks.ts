import { BASE_URL_MARK } from '@archiefkast/types';

/**
 * Marks in rendered records. They are control characters, which JSON text never contains unescaped: in a string such
 * a character is written as `\u0001`, and the bundle reader rejects it there.
 */

/** Marks where to insert the base URL. */
export { BASE_URL_MARK };

/** Encloses the text kind of the texts to insert: `[␂person␂]`. */
export const SLOT_MARK = '\u0002';

/** Encloses the index of the text to insert: see `setTextsApart`. */
const TEXT_MARK = '\u0003';

/** A slot in a record object: `JSON.stringify` turns it into the string that `toRenderedText` replaces. */
export function slot(textKind: string): string {
  return SLOT_MARK + textKind + SLOT_MARK;
}

/** URLs start their string and no bundle contains U+0001, so only a mark can follow the quote. */
const ESCAPED_BASE_URL = /"\\u0001/g;
const ESCAPED_SLOT = /"\\u0002(\w+)\\u0002"/g;
const ESCAPED_TEXT = /"\\u0003(\d+)\\u0003"/g;

/** Minimum length of a text to set apart: encoding a shorter one is faster than looking it up. */
const LONG_TEXT = 64;

/** A record with its long texts encoded as JSON, and replaced by marks with their index. */
export interface SetApart<Fields> {
  fields: Fields;
  texts: readonly string[];
}

/** Encodes the long texts of a record once, as its renderings repeat them up to a dozen times. */
export function setTextsApart<Fields extends object>(record: Fields): SetApart<Fields> {
  const texts: string[] = [];
  const marks: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== 'string' || value.length < LONG_TEXT) continue;
    marks[name] = `${TEXT_MARK}${texts.length}${TEXT_MARK}`;
    texts.push(JSON.stringify(value));
  }
  return { fields: { ...record, ...marks }, texts };
}

/**
 * Renders a record to JSON text, with marks.
 *
 * @param texts the texts that were set apart
 */
export function toRenderedText(record: object, texts: readonly string[] = []): string {
  return JSON.stringify(record)
    .replace(ESCAPED_BASE_URL, `"${BASE_URL_MARK}`)
    .replace(ESCAPED_SLOT, slot('$1'))
    .replace(ESCAPED_TEXT, (_, number) => texts[Number(number)] ?? '');
}

const SLOT_IN_ARRAY = new RegExp(`\\[${SLOT_MARK}\\w+${SLOT_MARK}\\]`, 'g');
const SLOT_ALONE = new RegExp(`${SLOT_MARK}\\w+${SLOT_MARK}`, 'g');

/** A rendered text as plain JSON: marks replaced by `baseUrl`, slots empty. */
export function withoutMarks(text: string, baseUrl = ''): string {
  return withoutSlots(text.replaceAll(BASE_URL_MARK, baseUrl));
}

/** A rendered text with empty slots. */
export function withoutSlots(text: string): string {
  return text.includes(SLOT_MARK) ? text.replace(SLOT_IN_ARRAY, '[]').replace(SLOT_ALONE, 'null') : text;
}
