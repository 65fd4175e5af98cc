import { z } from 'zod';
import { isCalendarDate } from './dates.ts';
import type { Kind, Language } from './kinds.ts';
import { apiReferencePattern, recordPagePattern, UUID_PATTERN } from './links.ts';

/** Type of a column, in the tables of a bundle and in CSV files. */
export type ColumnType =
  | 'id'
  | 'uuid'
  | 'boolean'
  | 'text'
  /** Text or null: an empty cell is null, `\empty` is `""`, a leading `\` is doubled. */
  | 'nullable'
  /** HTML; a table may give it as plain text or Markdown instead. */
  | 'html'
  | 'date'
  | 'degrees'
  /** A record, by id, uuid or name. */
  | 'reference'
  /** Records, joined by `|`. */
  | 'references'
  /** Addresses, joined by `|`. */
  | 'urls'
  | 'json';

/** Metadata of a field: its column in tables and CSV files, and its descriptions. */
export interface FieldFacts {
  type: ColumnType;
  /** English description, in the API's documentation. */
  en: string;
  /** Dutch description, in the explanation of tables. */
  nl: string;
  /** English description in the explanation of tables; `en` by default. */
  inTables?: string;
  /** Short description; by default `en` up to its first semicolon or parenthesis: `Place of birth` of `Place of birth; may be empty.` */
  short?: string;
  /** Kind of the records that references point to. */
  target?: Kind;
  choices?: readonly string[];
  /** Language of a variant of a multilingual field; `asked` for the field in the language of the request. */
  language?: Language | 'asked';
  /** Whether it is derived from other fields: a bundle does not give it. */
  isDerived?: boolean;
}

type MoreFacts = Omit<FieldFacts, 'type' | 'en' | 'nl'>;

const facts = new WeakMap<z.ZodType, FieldFacts>();

/** Metadata of a field; undefined if it has no column. */
export function factsOf(schema: z.ZodType): FieldFacts | undefined {
  return facts.get(schema);
}

/** A description up to its first semicolon or parenthesis, without a full stop. */
export function shortOf(description: string): string {
  return description.replace(/;.*| \(.*|\.$/, '');
}

/** Adds metadata to the schema of a field that has a column. */
export function field<Schema extends z.ZodType>(schema: Schema, known: FieldFacts): Schema {
  const described = schema.meta({ description: known.en });
  facts.set(described, known);
  return described;
}

/** A number of records or bytes. */
export const count = z.int().min(0);

/** An identifier: 0 … 2^53−1, unique within its kind. */
export const id = field(z.int().min(0), {
  type: 'id',
  en: 'Number of the record, unique within its kind.',
  inTables: 'Number of the record, unique within its table. You choose it; do not change it later.',
  nl: 'Nummer van het record, uniek binnen zijn tabel. U kiest het zelf; wijzig het later niet.',
});

/** The key used in link URLs. */
export const uuid = field(z.string().regex(new RegExp(`^${UUID_PATTERN}$`)), {
  type: 'uuid',
  en: 'UUID of the record, unique in the archive. It is the key used in link URLs.',
  inTables:
    'UUID of the record, used in its address. Leave it empty: it is derived from the UUID of the archive and the id.',
  short: 'UUID of the record: other records refer to it by this key',
  nl: 'UUID van het record, die in het adres staat. Laat leeg: hij wordt afgeleid van de UUID van het archief en het id.',
});

/** Always `true` on records that are served. */
export const published = field(z.boolean(), {
  type: 'boolean',
  en: 'Always true on records that are served.',
  inTables: 'false hides the record. Empty means true.',
  nl: 'false verbergt het record. Leeg betekent true.',
  choices: ['true', 'false'],
});

/** A date as text, or null; never converted to a time zone. */
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

/** A text without a column; `""` when absent. */
export function text(description: string) {
  return z.string().meta({ description });
}

/** A text field; `""` when absent. */
export function textField(en: string, nl: string, more: MoreFacts = {}) {
  return field(z.string(), { type: 'text', en, nl, ...more });
}

/** A text field whose descriptions end by saying that it may be empty. */
export function optionalText(en: string, nl: string, more: MoreFacts = {}) {
  return textField(`${en}; may be empty.`, `${nl}; mag leeg zijn.`, more);
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

/** `same_as` of kinds without external vocabulary URLs. */
export const noSameAs = z.null().meta({ description: 'Always null: only subjects have vocabulary URLs.' });

const LANGUAGE_NOTE = 'In the language of the request; the Dutch text if the English one is empty.';

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
