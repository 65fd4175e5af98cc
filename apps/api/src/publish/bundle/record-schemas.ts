import type { Kind } from '@archiefkast/types';
import { z } from 'zod';
import {
  absoluteUrl,
  anything,
  date,
  degrees,
  derived,
  hostedFile,
  id,
  list,
  nullableText,
  optional,
  reference,
  text,
  uuid,
} from './field-schemas.ts';

/** The order in which files are read: referenced kinds first. */
export const READING_ORDER = ['subject', 'person', 'location', 'event'] as const satisfies readonly Kind[];

/** A file or image in a bundle. */
export const fileObject = z.strictObject({
  id,
  uuid,
  name: text,
  title: text,
  alt: text,
  url: z
    .union([absoluteUrl, z.literal('')])
    .nullish()
    .transform((value) => value ?? ''),
  path: optional(hostedFile),
  filetype: text,
  description: text,
  author: text,
  copyright: text,
});

const published = z
  .boolean()
  .nullish()
  .transform((value) => value ?? true);

/** `same_as` of kinds without vocabulary URLs. */
const noSameAs = z.null({ error: 'expected null: only subjects have vocabulary URLs' }).optional();

/** Fields of every record. */
const common = { id, uuid, published, url: derived };

/** A line of `persons.jsonl`. */
export const personSchema = z.strictObject({
  ...common,
  image: optional(fileObject),
  pictures: list(anything),
  subjects: list(reference('subject')),
  first_name: text,
  last_name: text,
  infix: text,
  title: derived,
  title_nl: text,
  title_en: nullableText,
  content: derived,
  content_nl: text,
  content_en: text,
  birth_date: date,
  death_date: date,
  gender: text,
  birth_place: text,
  birth_country: text,
  death_place: text,
  death_country: text,
  summary: derived,
  summary_nl: text,
  summary_en: text,
  same_as: noSameAs,
  files: list(fileObject),
});

/** A line of `subjects.jsonl`. */
export const subjectSchema = z.strictObject({
  ...common,
  image: optional(fileObject),
  name: derived,
  name_nl: text,
  name_en: text,
  description: derived,
  description_nl: text,
  description_en: text,
  summary: derived,
  summary_nl: text,
  summary_en: text,
  same_as: list(absoluteUrl).transform((urls) => (urls.length > 0 ? urls : null)),
  parent: optional(id),
  files: list(fileObject),
});

/** An abbreviated event; only its subjects are used, as harvested events do not include them. */
const abbreviatedEvent = z.object({ uuid, subjects: list(reference('subject')) });

/** A line of `locations.jsonl`. */
export const locationSchema = z.strictObject({
  ...common,
  files: list(fileObject),
  main_image: optional(fileObject),
  latitude: degrees(90),
  longitude: degrees(180),
  events: list(abbreviatedEvent),
  subjects: list(reference('subject')),
  related_locations: list(reference('location')),
  name: derived,
  name_nl: text,
  name_en: text,
  content: derived,
  content_nl: text,
  content_en: text,
  position: derived,
  summary: derived,
  summary_nl: text,
  summary_en: text,
  same_as: noSameAs,
  street: text,
  zipcode: text,
  city: text,
  state: text,
  land: text,
  location_events: derived,
});

/** A line of `events.jsonl`. */
export const eventSchema = z.strictObject({
  ...common,
  main_image: optional(fileObject),
  files: list(fileObject),
  persons: list(reference('person')),
  /** Absent in a harvested event; then they come from its location's abbreviated event. */
  subjects: z.array(reference('subject')).nullish(),
  location: optional(reference('location')),
  name: derived,
  name_nl: text,
  name_en: text,
  content: derived,
  content_nl: text,
  content_en: text,
  date,
  date_start: date,
  date_end: date,
  summary: derived,
  summary_nl: text,
  summary_en: text,
  same_as: noSameAs,
});

/** The line schema of each kind. */
export const bundleSchemas = {
  person: personSchema,
  subject: subjectSchema,
  location: locationSchema,
  event: eventSchema,
} as const;

export type BundlePerson = z.infer<typeof personSchema>;
export type BundleSubject = z.infer<typeof subjectSchema>;
export type BundleLocation = z.infer<typeof locationSchema>;
export type BundleEvent = z.infer<typeof eventSchema>;
export type BundleFile = z.infer<typeof fileObject>;

/** The parsed record of each kind. */
export interface BundleRecord {
  person: BundlePerson;
  subject: BundleSubject;
  location: BundleLocation;
  event: BundleEvent;
}
