import {
  eventSchema,
  fileObjectSchema,
  type Kind,
  type Language,
  locationSchema,
  type PictureSize,
  personSchema,
  type Supplement,
  subjectSchema,
} from '@archiefkast/types';
import { z } from 'zod';

/** An image or file; null if it is invalid. */
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

/** A record for readers: its fields in both languages, without embedded records. In lists it has some of them. */
export interface RecordView extends z.infer<typeof fieldsSchema> {
  kind: Kind;
  /** The sizes of its pictures of which they are known. */
  sizes?: readonly PictureSize[] | undefined;
  /** Its content notes, where they were read. */
  notes?: readonly Readonly<Record<Language, string>>[] | undefined;
  /**
   * Of a subject: the one above it, unless it is at the top or in a list of those below one; the number right below it, and that of
   * records that have it or one below it.
   */
  branch?: {
    broader?: Pick<RecordView, 'name_nl' | 'name_en'> | undefined;
    narrower: number;
    records: number;
  };
}

/** A hit of a search, and the location of an event. */
export interface FoundRecord {
  record: RecordView;
  location?: RecordView | undefined;
}

/**
 * Parses a record of the API, or some of its fields, without its embedded records.
 *
 * @param supplement what is known of its dates, where that is less than a day, and the sizes of its pictures
 */
export function toRecordView(
  kind: Kind,
  record: unknown,
  { dates, pictures: sizes }: Pick<Supplement, 'dates' | 'pictures'> = {},
): RecordView {
  return { kind, ...fieldsSchema.parse(record), ...dates, ...(sizes && { sizes }) };
}

/** A text and its language: Dutch if the record has no English. */
export interface Wording {
  text: string;
  language: Language;
}

type Field = 'title' | 'name' | 'summary' | 'content' | 'description';

/** A field of a record in a language, or in Dutch if that is empty. */
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
export function nameOf(record: RecordView, language: Language): Wording {
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

/** The date by which an event is sorted: its own, else its first or last day; undefined if it has none. */
export function sortedDateOf({ date, date_start: start, date_end: end }: RecordView): string | undefined {
  return date || start || end || undefined;
}
