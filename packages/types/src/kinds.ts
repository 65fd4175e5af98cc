/** The four kinds of record, in the order in which search lists them. */
export const KINDS = ['person', 'subject', 'location', 'event'] as const;

/** What a record is: a person, a subject, a location or an event. */
export type Kind = (typeof KINDS)[number];

/** The languages the archive is kept in; the first segment of every path. */
export const LANGUAGES = ['en', 'nl'] as const;

/** A language of the archive. */
export type Language = (typeof LANGUAGES)[number];

/** The name of a kind's collection: the path segment of its list, and the name of its file in a bundle. */
export const COLLECTIONS = {
  person: 'persons',
  subject: 'subjects',
  location: 'locations',
  event: 'events',
} as const satisfies Record<Kind, string>;

/** The name of a kind's collection. */
export type Collection = (typeof COLLECTIONS)[Kind];

/** The path segment of a kind's public record pages. */
export const PAGE_SEGMENTS = {
  person: 'personen',
  subject: 'onderwerpen',
  location: 'locaties',
  event: 'gebeurtenissen',
} as const satisfies Record<Kind, string>;

/** Records on a page of a list or of search; the last page may hold fewer. */
export const PAGE_SIZE = 10;

/** Whether `value` names a kind. */
export function isKind(value: string): value is Kind {
  return (KINDS as readonly string[]).includes(value);
}

/** Whether `value` is a language of the archive. */
export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}

/** The kind whose collection is called `collection`, or undefined when there is none. */
export function kindOfCollection(collection: string): Kind | undefined {
  return KINDS.find((kind) => COLLECTIONS[kind] === collection);
}
