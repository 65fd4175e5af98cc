import { z } from 'zod';
import { isCalendarDate } from './calendar-date.ts';
import type { Kind, Language } from './kinds.ts';
import { apiReferencePattern, recordPagePattern, UUID_PATTERN } from './links.ts';

/** What the cells of a column hold, in tables that are published and in files that are read. */
export type ColumnType =
  | 'id'
  | 'uuid'
  | 'boolean'
  | 'text'
  /** A text that may be null: an empty cell is null, `\empty` is `""`, a leading `\` is doubled. */
  | 'nullable'
  /** HTML; beside it may stand the same as plain text or Markdown. */
  | 'html'
  | 'date'
  | 'degrees'
  /** A record: its id, its uuid or its name. */
  | 'reference'
  /** Records, joined by `|`. */
  | 'references'
  /** Addresses, joined by `|`. */
  | 'urls'
  | 'json';

/** What is known of a field beside the schema of its values: its column in tables and in CSV files, and its words. */
export interface FieldFacts {
  type: ColumnType;
  /** What it is, as the API says it. */
  en: string;
  /** What it is, as the explanation of tables says it in Dutch, */
  nl: string;
  /** and in English, where that is not what the API says. */
  inTables?: string;
  /** In a few words, where these are not those before the first semicolon: `Place of birth; may be empty.` */
  short?: string;
  /** The kind that references name. */
  target?: Kind;
  /** The values that a drop-down offers. */
  choices?: readonly string[];
  /** The language of a text that there is in both; `asked` for the one that stands for them. */
  language?: Language | 'asked';
  /** Whether it is made of other fields: a bundle does not give it. */
  isDerived?: boolean;
}

/** Facts beside type and words. */
type MoreFacts = Omit<FieldFacts, 'type' | 'en' | 'nl'>;

const facts = new WeakMap<z.ZodType, FieldFacts>();

/** What is known of a field beside its schema; undefined of one that has no column. */
export function factsOf(schema: z.ZodType): FieldFacts | undefined {
  return facts.get(schema);
}

/** The words of a description before its first semicolon. */
export function shortOf(description: string): string {
  return description.replace(/;.*|\.$/, '');
}

/** A field: its schema, with what the API says of it, and its column in tables and CSV files. */
export function field<Schema extends z.ZodType>(schema: Schema, known: FieldFacts): Schema {
  const described = schema.meta({ description: known.en });
  facts.set(described, known);
  return described;
}

/** An identifier: 0 … 2^53−1, unique within its kind. */
export const id = field(z.int().min(0), {
  type: 'id',
  en: 'Number of the record, unique within its kind.',
  inTables: 'Number of the record, unique within its table. You choose it; it never changes.',
  nl: 'Nummer van het record, uniek binnen zijn tabel. U kiest het zelf; het verandert nooit.',
});

/** The key used in link URLs. */
export const uuid = field(z.string().regex(new RegExp(`^${UUID_PATTERN}$`)), {
  type: 'uuid',
  en: 'UUID of the record, unique in the archive. It is the key used in link URLs.',
  inTables:
    'UUID of the record, the key in its address. Leave it empty: it is derived from that of the archive and the id.',
  short: 'UUID of the record: the key by which others refer to it',
  nl: 'UUID van het record, de sleutel in zijn adres. Laat leeg: hij wordt afgeleid van die van het archief en het id.',
});

/** Always `true` on records that are served. */
export const published = field(z.boolean(), {
  type: 'boolean',
  en: 'Always true on records that are served.',
  inTables: 'false leaves the record out of what is served. Empty is true.',
  nl: 'false houdt het record buiten wat wordt getoond. Leeg is true.',
  choices: ['true', 'false'],
});

/** A date as text, or null. No time zone ever touches it. */
export function date(en: string, nl: string) {
  const schema = z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .refine(isCalendarDate, { error: 'expected a calendar date written YYYY-MM-DD' })
    .nullable();
  return field(schema, {
    type: 'date',
    en: `${en} ISO 8601, YYYY-MM-DD; null when unknown.`,
    nl,
    inTables: en,
    short: en.slice(0, -1),
  });
}

/** A text that is `""` when absent. */
export function text(description: string) {
  return z.string().meta({ description });
}

/** A field that holds a text, `""` when absent. */
export function textField(en: string, nl: string, more: MoreFacts = {}) {
  return field(z.string(), { type: 'text', en, nl, ...more });
}

/** Decimal degrees as text; `""` when unknown. */
export function degrees(short: string, nl: string) {
  return field(z.string().regex(/^(-?\d+(\.\d+)?)?$/), {
    type: 'degrees',
    en: `${short}, as text.`,
    nl,
    short,
  });
}

/** An absolute web address. */
export const absoluteUrl = z
  .string()
  .regex(/^https?:\/\/\S+$/)
  .meta({ description: 'Absolute URL.' });

/** The address of the record's public page. */
export function pageUrl(kind: Kind) {
  return z
    .string()
    .regex(new RegExp(recordPagePattern(kind)))
    .meta({ description: `Absolute URL of the ${kind}'s public page.` });
}

/** A reference to a record of one kind. */
export function reference(kind: Kind) {
  return z
    .string()
    .regex(new RegExp(apiReferencePattern(kind)))
    .meta({ description: `API reference of a ${kind}: the absolute URL of its record.` });
}

/** `same_as` on kinds that carry no external vocabulary URLs. */
export const noSameAs = z.null().meta({ description: 'Always null: only subjects carry vocabulary URLs.' });

const LANGUAGE_NOTE = 'For the language of the request; the Dutch text where the English one is empty.';

/**
 * The three variants of a multilingual field: `X` for the language of the request, `X_nl` and `X_en`.
 *
 * @param name the field's name, without a language
 */
export function multilingual<Name extends string>(
  name: Name,
  en: string,
  nl: string,
  more: MoreFacts & { type?: 'html' } = {},
): Multilingual<Name> {
  const known = { type: 'text', short: shortOf(en), ...more } as const;
  const inLanguage = (language: Language, inEnglish: string, inDutch: string) =>
    field(z.string(), { ...known, language, en: `${en} ${inEnglish}`, nl: `${nl} ${inDutch}` });
  return {
    [name]: field(z.string(), {
      ...known,
      en: `${en} ${LANGUAGE_NOTE}`,
      nl,
      language: 'asked',
      isDerived: true,
    }),
    [`${name}_nl`]: inLanguage('nl', 'In Dutch.', 'In het Nederlands.'),
    [`${name}_en`]: inLanguage('en', 'In English.', 'In het Engels.'),
  } as Multilingual<Name>;
}

type Multilingual<Name extends string> = Record<Name | `${Name}_nl` | `${Name}_en`, z.ZodString>;
