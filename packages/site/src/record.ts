import {
  eventSchema,
  fileObjectSchema,
  type Kind,
  type KnownDates,
  locationSchema,
  personSchema,
  subjectSchema,
} from '@archiefkast/types';
import { z } from 'zod';

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
  /** Where a subject is in the hierarchy. */
  branch?: Branch;
}

/** The place of a subject in the hierarchy. */
export interface Branch {
  /** The subject above it; undefined at the top, or where the list is of the subjects below one. */
  broader?: Pick<PageRecord, 'name_nl' | 'name_en'> | undefined;
  /** Number of subjects right below it. */
  narrower: number;
}

/**
 * Parses a record of the API, or some of its fields, without its embedded records.
 *
 * @param dates what is known of its dates, where that is less than a day
 */
export function toPageRecord(kind: Kind, record: unknown, dates: KnownDates = {}): PageRecord {
  return { kind, ...fieldsSchema.parse(record), ...dates };
}
