import { htmlWords } from '@archiefkast/formats/html-words';
import {
  eventSchema,
  fileObjectSchema,
  type Kind,
  type KnownDates,
  type Language,
  locationSchema,
  personSchema,
  recordPage,
  subjectSchema,
} from '@archiefkast/types';
import { firstDayOf, hasPersonalFacts, partsOfDate } from '@archiefkast/types/internal';
import { z } from 'zod';
import type { Texts } from './texts.ts';

/** An image or file; null if a page cannot show it. */
const file = fileObjectSchema.nullable().catch(null);

/** A date in EDTF: a day, or less where less is known. */
const date = z.string().nullable();

/** The fields of records of all kinds, without embedded records; each kind has some of them. */
const fieldsSchema = z
  .object({
    ...personSchema.shape,
    ...eventSchema.shape,
    ...locationSchema.shape,
    ...subjectSchema.shape,
    birth_date: date,
    death_date: date,
    date,
    date_start: date,
    date_end: date,
    same_as: z.array(z.string()).nullable(),
    image: file,
    main_image: file,
    files: z.array(file).transform((files) => files.filter((found) => found !== null)),
  })
  .omit({
    url: true,
    pictures: true,
    persons: true,
    subjects: true,
    events: true,
    location: true,
    location_events: true,
  })
  .partial()
  .required({ uuid: true });

/** A record in a list: its name, and distinguishing facts. */
export interface PageRecord extends z.infer<typeof fieldsSchema> {
  kind: Kind;
  /** Of a subject: the one above it, unless it is at the top or in a list of those below one, and the number right below it. */
  branch?: { broader?: Pick<PageRecord, 'name_nl' | 'name_en'> | undefined; narrower: number };
}

/**
 * Parses a record of the API, or some of its fields, without its embedded records.
 *
 * @param dates what is known of its dates, where that is less than a day
 */
export function toPageRecord(kind: Kind, record: unknown, dates: KnownDates = {}): PageRecord {
  return { kind, ...fieldsSchema.parse(record), ...dates };
}

/** A text and its language: Dutch if the archive has no English. */
export interface Wording {
  text: string;
  language: Language;
}

type Field = 'title' | 'name' | 'summary' | 'content' | 'description';

/** A field of a record in the language of the page, or in Dutch if that is empty. */
export function wordingOf(
  record: Readonly<Partial<Record<`${Field}_${Language}`, string | null | undefined>>>,
  field: Field,
  language: Language,
): Wording {
  const english = record[`${field}_en` as const] ?? '';
  return language === 'en' && english !== ''
    ? { text: english, language: 'en' }
    : { text: record[`${field}_nl` as const] || english, language: 'nl' };
}

/** The name of a record. */
export function nameOf(record: PageRecord, language: Language): Wording {
  const { text, language: written } = wordingOf(
    record,
    record.kind === 'person' ? 'title' : 'name',
    language,
  );
  // A person's name is the same in every language.
  return {
    text: text || `${record.uuid.slice(0, 8)}…`,
    language: record.kind === 'person' ? language : written,
  };
}

/** What a record is: its kind, for people. */
export function kindName(record: PageRecord, t: Texts): string {
  return record.kind === 'person' && !hasPersonalFacts(record)
    ? t.personOrInstitution
    : t.kinds[record.kind].one;
}

/** The long text of a record. */
export function contentOf(record: PageRecord, language: Language): Wording {
  return wordingOf(record, record.kind === 'subject' ? 'description' : 'content', language);
}

/** The words of HTML on one line, without footnotes. */
export function plainText(html: string): string {
  return htmlWords(html).text.replace(/\s+/g, ' ').trim();
}

/** Length of an opening in characters, as search engines show it, and the part of the HTML that is read for it. */
const OPENING = 160;
const READ_FOR_OPENING = 4_000;

/** The first words of a long text, for a description. */
export function openingOf(html: string): string {
  const text = plainText(html.slice(0, READ_FOR_OPENING));
  return text.length <= OPENING ? text : `${text.slice(0, text.lastIndexOf(' ', OPENING))} …`;
}

/** The path of a record's page below the base URL. */
export function recordPath(language: Language, { kind, uuid }: { kind: Kind; uuid: string }): string {
  return recordPage('', language, kind, uuid).slice(1);
}

/** The attribute `lang` of a text on a page. */
export function langOf({ language }: Wording, page: { language: Language }): { lang?: Language } {
  return language === page.language ? {} : { lang: language };
}

/**
 * An EDTF date in words: `1588-12-10` as `10 December 1588`, `1588` as itself, `1588~` as `c. 1588`. It does not use
 * `Date`: historical dates are in the calendar of their time.
 */
export function formatDate(date: string, t: Texts): string {
  const parts = partsOfDate(date);
  if (!parts) return date;
  const first = Number(parts.year.replaceAll('X', '0'));
  const year = parts.year.endsWith('XX')
    ? t.century(first)
    : parts.year.endsWith('X')
      ? t.decade(first)
      : String(first);
  const month = parts.month && t.months[Number(parts.month) - 1];
  const words = [parts.isApproximate && t.circa, parts.day && String(Number(parts.day)), month, year];
  return words.filter(Boolean).join(' ') + (parts.isUncertain ? '?' : '');
}

/** The year of an EDTF date in words: `1588-12-10` as `1588`. */
export function formatYear(date: string, t: Texts): string {
  return formatDate(date.replace(/(?:-\d{2}){1,2}/, ''), t);
}

/** A date for the attribute `datetime`, which has no signs for uncertainty; undefined if its year is incomplete. */
export function datetimeOf(date: string): string | undefined {
  return date.includes('X') ? undefined : date.replace(/[~?%]$/, '');
}

type Dated = Partial<Pick<PageRecord, 'date' | 'date_start' | 'date_end'>>;

/** The time of an event: a day or a period; undefined if unknown. */
export function formatPeriod(
  { date, date_start: start, date_end: end }: Dated,
  t: Texts,
): string | undefined {
  if (date) return formatDate(date, t);
  if (start && end) return `${formatDate(start, t)} – ${formatDate(end, t)}`;
  if (start) return `${formatDate(start, t)} –`;
  return end ? `– ${formatDate(end, t)}` : undefined;
}

/** The day for sorting an event; events without a date come last. */
export function sortDate(event: Dated): string {
  return firstDayOf(event.date || event.date_start || event.date_end || '') ?? '9999';
}
