import { fileObjectSchema, isWebAddress, type Kind } from '@archiefkast/types';
import { z } from 'zod';

const text = z.string().nullish();

/**
 * An image or file; null where a page cannot show it. Editions of releases that let any text through as an address hold
 * such files: their records are shown without them.
 */
const file = fileObjectSchema
  .refine(({ url, path }) => (path ?? url) === '' || isWebAddress(path ?? url))
  .nullish()
  .catch(null);

/** The fields of records of all kinds that lists show; a kind has some of them. */
const listedSchema = z.object({
  uuid: z.string(),
  title_nl: text,
  title_en: text,
  name_nl: text,
  name_en: text,
  summary_nl: text,
  summary_en: text,
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

/** These, and the other fields that the page of a record shows. */
const fieldsSchema = listedSchema.extend({
  id: z.number(),
  content_nl: text,
  content_en: text,
  description_nl: text,
  description_en: text,
  first_name: text,
  last_name: text,
  infix: text,
  gender: text,
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

/** A record as lists show it: what it is called, and what tells it from others of its name. */
export interface ListedRecord extends z.infer<typeof listedSchema> {
  kind: Kind;
}

/** A record as pages show it: its own fields, without those that it embeds. */
export interface PageRecord extends z.infer<typeof fieldsSchema> {
  kind: Kind;
}

/** Reads a record that the API serves: what it embeds is left. */
export function toPageRecord(kind: Kind, record: unknown): PageRecord {
  return { kind, ...fieldsSchema.parse(record) };
}

/** Reads what a list shows of a record. */
export function toListedRecord(kind: Kind, record: unknown): ListedRecord {
  return { kind, ...listedSchema.parse(record) };
}
