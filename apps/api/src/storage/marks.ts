/**
 * Marks in rendered records. They are control characters, which JSON text never holds unescaped: inside a
 * string such a character is written `\u0001`, and the bundle reader refuses it there.
 */

/** Stands where the base URL goes. */
export const BASE_URL_MARK = '\u0001';

/** Surrounds the text kind whose texts go there: `[␂person␂]`. */
export const SLOT_MARK = '\u0002';

/** Surrounds the number of a text that goes there: see `setTextsApart`. */
const TEXT_MARK = '\u0003';

/** What a slot is in a record before it becomes text: `JSON.stringify` turns it into the string to replace. */
export function slot(textKind: string): string {
  return SLOT_MARK + textKind + SLOT_MARK;
}

/** A URL begins its string, and no bundle holds U+0001: only a mark can follow the quote. */
const ESCAPED_BASE_URL = /"\\u0001/g;
const ESCAPED_SLOT = /"\\u0002(\w+)\\u0002"/g;
const ESCAPED_TEXT = /"\\u0003(\d+)\\u0003"/g;

/** Characters from which on a text is set apart: shorter ones are encoded sooner than looked up. */
const LONG_TEXT = 64;

/** A record whose long texts are set apart, as JSON: in it, each is the mark with its number. */
export interface SetApart<Fields> {
  fields: Fields;
  texts: readonly string[];
}

/** Encodes the long texts of a record once, which its renderings hold a dozen times. */
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
 * The finished JSON text of a record, with its marks.
 *
 * @param texts those that were set apart
 */
export function toRenderedText(record: object, texts: readonly string[] = []): string {
  return JSON.stringify(record)
    .replace(ESCAPED_BASE_URL, `"${BASE_URL_MARK}`)
    .replace(ESCAPED_SLOT, slot('$1'))
    .replace(ESCAPED_TEXT, (_, number) => texts[Number(number)] ?? '');
}

const SLOT_IN_ARRAY = new RegExp(`\\[${SLOT_MARK}\\w+${SLOT_MARK}\\]`, 'g');
const SLOT_ALONE = new RegExp(`${SLOT_MARK}\\w+${SLOT_MARK}`, 'g');

/** A rendered text as plain JSON: links with `baseUrl` or without any, slots empty. */
export function withoutMarks(text: string, baseUrl = ''): string {
  const linked = text.replaceAll(BASE_URL_MARK, baseUrl);
  return linked.includes(SLOT_MARK)
    ? linked.replace(SLOT_IN_ARRAY, '[]').replace(SLOT_ALONE, 'null')
    : linked;
}
