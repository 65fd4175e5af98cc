import { type Kind, LANGUAGES, type Language, type Supplement, supplementSchema } from '@archiefkast/types';
import { BASE_URL_MARK } from '@archiefkast/types/internal';

/**
 * Kind of a stored text: a record of a kind, an event as its location lists it, or the supplement of a record, which
 * not every record has.
 */
export type TextKind = Kind | 'abbreviated_event' | SupplementKind;

/** Kind of a stored supplement. */
export type SupplementKind = (typeof SUPPLEMENTS)[Kind];

/** The text kind of the supplements of each kind, in the order in which their file has them. */
export const SUPPLEMENTS = {
  person: 'person_supplement',
  event: 'event_supplement',
  subject: 'subject_supplement',
  location: 'location_supplement',
} as const satisfies Record<Kind, string>;

/** The kind of the records that have each text kind. Its place is its code in the database; feeds list kinds in this order. */
const OWNERS: Readonly<Record<TextKind, Kind>> = {
  event: 'event',
  location: 'location',
  person: 'person',
  subject: 'subject',
  abbreviated_event: 'event',
  person_supplement: 'person',
  event_supplement: 'event',
  subject_supplement: 'subject',
  location_supplement: 'location',
};

const TEXT_KINDS = Object.keys(OWNERS) as readonly TextKind[];

/** The kind of the records that have texts of a text kind. */
export function ownerOf(textKind: TextKind): Kind {
  return OWNERS[textKind];
}

/** The text kind in which records of a kind embed nothing, or have places for it: of events, their references are by UUID. */
export function plainTextKindOf(kind: Kind): TextKind {
  return kind === 'event' ? 'abbreviated_event' : kind;
}

/** The code of a kind, or of a text kind, in the database. */
export function codeOf(textKind: TextKind): number {
  return TEXT_KINDS.indexOf(textKind);
}

/** The kind with a code. */
export function kindOf(code: number): Kind {
  return TEXT_KINDS[code] as Kind;
}

/** The text kind with a code. */
export function textKindOf(code: number): TextKind {
  return TEXT_KINDS[code] as TextKind;
}

/** Numbers of versions are below this. */
const VERSIONS = 2 ** 40;

/** Languages that ids of texts have room for: with one more of `LANGUAGES`, those of the others stay the same. */
const MOST_LANGUAGES = 16;

/** What the ids of texts rise by from one text kind to the next; there are safe integers for 512 text kinds. */
export const CODE_STEP = MOST_LANGUAGES * VERSIONS;

/** The id of a text less the number of its version: texts are ordered by text kind, language and version. */
export function textsOf(textKind: TextKind, language: Language): number {
  return codeOf(textKind) * CODE_STEP + offsetOf(language);
}

/** What the id of a text has for its language. */
export function offsetOf(language: Language): number {
  return LANGUAGES.indexOf(language) * VERSIONS;
}

/** The id of each text that a version may have, less the number of the version. */
export const ALL_TEXTS = TEXT_KINDS.flatMap((textKind) =>
  LANGUAGES.map((language) => textsOf(textKind, language)),
);

/** Parses a stored supplement. @throws SyntaxError or ZodError if it is invalid */
export function parseSupplement(text: string): Supplement {
  return supplementSchema.parse(JSON.parse(text));
}

/**
 * Marks in rendered records. They are control characters, which JSON text never contains unescaped: in a string such
 * a character is written as `\u0001`, and the bundle reader rejects it there.
 */

/** Marks where to insert the base URL. */
export { BASE_URL_MARK };

/** Encloses the text kind of the texts to insert: `[␂person␂]`. */
export const SLOT_MARK = '\u0002';

/** A slot in a record object: `JSON.stringify` turns it into the string that `toRenderedText` replaces. */
export function slot(textKind: string): string {
  return SLOT_MARK + textKind + SLOT_MARK;
}

/** URLs start their string and no bundle contains U+0001, so only a mark can follow the quote. */
const ESCAPED_BASE_URL = /"\\u0001/g;
const ESCAPED_SLOT = /"\\u0002(\w+)\\u0002"/g;

/** Renders a record to JSON text, with marks. */
export function toRenderedText(record: object): string {
  return JSON.stringify(record)
    .replace(ESCAPED_BASE_URL, `"${BASE_URL_MARK}`)
    .replace(ESCAPED_SLOT, slot('$1'));
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
