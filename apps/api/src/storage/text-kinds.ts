import { type Kind, LANGUAGES, type Language, type Supplement, supplementSchema } from '@archiefkast/types';

/**
 * Kind of a stored text: a record of a kind, an event as its location lists it, or the supplement of a record, which
 * few records have.
 */
export type TextKind = Kind | 'abbreviated_event' | SupplementKind;

/** Kind of a stored supplement. */
export type SupplementKind = (typeof SUPPLEMENTS)[Supplement['kind']];

/** The text kind of the supplements of a kind, for kinds that have some. */
export const SUPPLEMENTS = { person: 'person_supplement', event: 'event_supplement' } as const;

/** The kind of the records that have each text kind. Its place is its code in the database; feeds list kinds in this order. */
const OWNERS: Readonly<Record<TextKind, Kind>> = {
  event: 'event',
  location: 'location',
  person: 'person',
  subject: 'subject',
  abbreviated_event: 'event',
  person_supplement: 'person',
  event_supplement: 'event',
};

const TEXT_KINDS = Object.keys(OWNERS) as readonly TextKind[];

/** The kind of the records that have texts of a text kind. */
export function ownerOf(textKind: TextKind): Kind {
  return OWNERS[textKind];
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

/** What the ids of texts rise by from one text kind to the next. */
export const CODE_STEP = LANGUAGES.length * VERSIONS;

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

/** Whether records of a kind may have a supplement. */
export function hasSupplements(kind: Kind): kind is Supplement['kind'] {
  return kind in SUPPLEMENTS;
}

/** Parses a stored supplement. @throws SyntaxError or ZodError if it is invalid */
export function parseSupplement(text: string): Supplement {
  return supplementSchema.parse(JSON.parse(text));
}
