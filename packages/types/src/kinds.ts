/** The four kinds of record, in the order in which search lists them. */
export const KINDS = ['person', 'subject', 'location', 'event'] as const;

/** A kind of record. */
export type Kind = (typeof KINDS)[number];

/** Languages of the archive; the first segment of every path. */
export const LANGUAGES = ['en', 'nl'] as const;

/** A language of the API. */
export type Language = (typeof LANGUAGES)[number];

/** Name of a kind's collection: path segment of its list, and name of its file in a bundle. */
export const COLLECTIONS = {
  person: 'persons',
  subject: 'subjects',
  location: 'locations',
  event: 'events',
} as const satisfies Record<Kind, string>;

/** Path segment of a kind's public record pages. */
export const PAGE_SEGMENTS = {
  person: 'personen',
  subject: 'onderwerpen',
  location: 'locaties',
  event: 'gebeurtenissen',
} as const satisfies Record<Kind, string>;

/** What a record of a kind is called, and several of them, as headings. */
export const KIND_NAMES: Readonly<Record<Language, Readonly<Record<Kind, { one: string; many: string }>>>> = {
  en: {
    person: { one: 'Person', many: 'Persons' },
    subject: { one: 'Subject', many: 'Subjects' },
    location: { one: 'Location', many: 'Locations' },
    event: { one: 'Event', many: 'Events' },
  },
  nl: {
    person: { one: 'Persoon', many: 'Personen' },
    subject: { one: 'Onderwerp', many: 'Onderwerpen' },
    location: { one: 'Locatie', many: 'Locaties' },
    event: { one: 'Gebeurtenis', many: 'Gebeurtenissen' },
  },
};

/** Records on a page of a list or of search; the last page may have fewer. */
export const PAGE_SIZE = 10;

/** A value for each kind. */
export function forKinds<Value>(make: (kind: Kind) => Value): Record<Kind, Value> {
  return Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<Kind, Value>;
}

/** A value for each kind, by the name of its collection. */
export function forCollections<Value>(
  make: (kind: Kind) => Value,
): Record<(typeof COLLECTIONS)[Kind], Value> {
  return Object.fromEntries(KINDS.map((kind) => [COLLECTIONS[kind], make(kind)])) as Record<
    (typeof COLLECTIONS)[Kind],
    Value
  >;
}

/** Whether `value` names a kind. */
export function isKind(value: string): value is Kind {
  return (KINDS as readonly string[]).includes(value);
}

/** Whether `value` is a language of the archive. */
export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}

/** The kind whose collection is called `collection`; undefined if the name is unknown. */
export function kindOfCollection(collection: string): Kind | undefined {
  return KINDS.find((kind) => COLLECTIONS[kind] === collection);
}
