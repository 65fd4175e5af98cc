import { fileObjectSchema, isWebAddress, type Kind, type KnownDates } from '@archiefkast/types';
import { z } from 'zod';

const text = z.string().nullish();

/**
 * An image or file; null if a page cannot show it. Editions of older releases, which did not check addresses, contain
 * such files: their records are shown without them.
 */
const file = fileObjectSchema
  .refine(({ url, path }) => (path ?? url) === '' || isWebAddress(path ?? url))
  .nullish()
  .catch(null);

/** The fields of all kinds of records in lists; each kind has some of them. */
const listedSchema = z.object({
  uuid: z.string(),
  title_nl: text,
  title_en: text,
  name_nl: text,
  name_en: text,
  summary_nl: text,
  summary_en: text,
  first_name: text,
  last_name: text,
  gender: text,
  birth_date: text,
  death_date: text,
  date: text,
  date_start: text,
  date_end: text,
  latitude: text,
  longitude: text,
  city: text,
  land: text,
});

/** The fields of lists, and the other fields on the page of a record. */
const fieldsSchema = listedSchema.extend({
  id: z.number(),
  content_nl: text,
  content_en: text,
  description_nl: text,
  description_en: text,
  infix: text,
  birth_place: text,
  birth_country: text,
  death_place: text,
  death_country: text,
  street: text,
  zipcode: text,
  state: text,
  parent: z.number().nullish(),
  same_as: z.array(z.string()).nullish(),
  image: file,
  main_image: file,
  files: z
    .array(file)
    .transform((files) => files.filter((found) => found !== null && found !== undefined))
    .optional(),
  related_locations: z.array(z.string()).optional(),
});

/** A record in a list: its name, and distinguishing facts. Its dates are in EDTF: a day, or less where less is known. */
export interface ListedRecord extends z.infer<typeof listedSchema> {
  kind: Kind;
  /** Where a subject is in the hierarchy. */
  branch?: Branch;
}

/** The place of a subject in the hierarchy. */
export interface Branch {
  /** The subject above it; undefined at the top, or where the list is of the subjects below one. */
  broader?: { name_nl?: string | null | undefined; name_en?: string | null | undefined } | undefined;
  /** Number of subjects right below it. */
  narrower: number;
}

/** A record on its page: its own fields, without embedded records. */
export interface PageRecord extends z.infer<typeof fieldsSchema> {
  kind: Kind;
  branch?: Branch;
}

/**
 * Parses a record of the API, without its embedded records.
 *
 * @param dates what is known of its dates, where that is less than a day
 */
export function toPageRecord(kind: Kind, record: unknown, dates: KnownDates = {}): PageRecord {
  return { kind, ...fieldsSchema.parse(record), ...dates };
}

/** Parses the fields of a record in a list. */
export function toListedRecord(kind: Kind, record: unknown): ListedRecord {
  return { kind, ...listedSchema.parse(record) };
}
