import { z } from 'zod';
import {
  absoluteUrl,
  date,
  id,
  multilingual,
  noSameAs,
  pageUrl,
  published,
  reference,
  text,
  uuid,
} from './fields.ts';
import type { Kind } from './kinds.ts';

/** A file or image: `image`, `main_image` and the elements of `files`. */
export const fileObjectSchema = z
  .strictObject({
    id: z.int().min(0).meta({ description: 'Number of the file.' }),
    uuid: uuid.meta({ description: 'UUID of the file.' }),
    name: text('Name; may be empty.'),
    title: text('Caption.'),
    alt: text('Credit line.'),
    url: z
      .union([absoluteUrl, z.literal('')])
      .meta({ description: 'Absolute URL of an externally hosted file, or "".' }),
    path: absoluteUrl
      .nullable()
      .meta({ description: 'Absolute URL of a file hosted by the service, or null.' }),
    filetype: text('Type of the file: "image" occurs.'),
    description: text('Description; may be empty.'),
    author: text('Usage statement.'),
    copyright: text('Rights statement; may be empty.'),
  })
  .meta({ id: 'FileObject', description: 'A file or image.' });

/** A file or image. */
export type FileObject = z.infer<typeof fileObjectSchema>;

/** A subject, as the list, the detail, search and locations serve it. */
export const subjectSchema = z
  .strictObject({
    id,
    image: fileObjectSchema.nullable().meta({ description: 'Image, or null.' }),
    url: pageUrl('subject'),
    published,
    uuid,
    ...multilingual('name', 'Name.'),
    ...multilingual('description', 'Description (HTML fragment).'),
    ...multilingual('summary', 'Summary; may be empty.'),
    same_as: z
      .array(absoluteUrl)
      .nullable()
      .meta({ description: 'Absolute URLs of the same subject in external vocabularies, or null.' }),
    parent: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'id of the parent subject; null for a top-level subject.' }),
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
  })
  .meta({ id: 'Subject', description: 'A topic in the hierarchy of subjects.' });

/** A subject. */
export type Subject = z.infer<typeof subjectSchema>;

/** A person, as the list, the detail, search and the event list serve it. */
export const personSchema = z
  .strictObject({
    id,
    image: fileObjectSchema.nullable().meta({ description: 'Portrait, or null.' }),
    pictures: z.array(z.unknown()).meta({ description: 'Pictures; empty on all records seen.' }),
    url: pageUrl('person'),
    subjects: z.array(reference('subject')).meta({ description: 'Subjects of the person.' }),
    published,
    uuid,
    first_name: text('Given name or names, or the whole name of an entry that is not human.'),
    last_name: text(
      'Last name, without infix; may be a double name with spaces around its hyphen; may be empty.',
    ),
    infix: text('Name particle such as "van der"; may be empty.'),
    ...multilingual('title', 'Full display name.'),
    title_en: z.string().nullable().meta({ description: 'Full display name. In English; may be null.' }),
    ...multilingual('content', 'Biography (HTML fragment).'),
    birth_date: date('Date of birth.'),
    death_date: date('Date of death.'),
    gender: text('Gender: "male" is the only value the contract has seen.'),
    birth_place: text('Place of birth; may be empty.'),
    birth_country: text('Country of birth, possibly in Dutch; may be empty.'),
    death_place: text('Place of death; may be empty.'),
    death_country: text('Country of death, possibly in Dutch; may be empty.'),
    ...multilingual('summary', 'Summary; may be empty.'),
    same_as: noSameAs,
    files: z.array(fileObjectSchema).meta({ description: 'Files; empty on records seen.' }),
  })
  .meta({ id: 'Person', description: 'A person, or an entry that is not human, such as a company.' });

/** A person. */
export type Person = z.infer<typeof personSchema>;

/** The form of an event in a location's `events`: references are URLs in place of records. */
export const abbreviatedEventSchema = z
  .strictObject({
    id,
    main_image: fileObjectSchema.nullable().meta({ description: 'Main image, or null.' }),
    url: pageUrl('event'),
    subjects: z.array(reference('subject')).meta({ description: 'Subjects of the event.' }),
    persons: z.array(reference('person')).meta({ description: 'Persons of the event.' }),
    location: reference('location').nullable().meta({ description: 'Location of the event.' }),
    published,
    uuid,
    ...multilingual('name', 'Name.'),
    ...multilingual('content', 'Description (HTML fragment).'),
    ...multilingual('summary', 'Summary.'),
    date: date('Date of the event.'),
    date_start: date('First day of an event of several days.'),
    date_end: date('Last day of an event of several days.'),
    same_as: noSameAs,
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
  })
  .meta({ id: 'AbbreviatedEvent', description: 'An event as a location lists it.' });

/** An event as a location lists it. */
export type AbbreviatedEvent = z.infer<typeof abbreviatedEventSchema>;

/** Decimal degrees as text; `""` when unknown. */
const degrees = /^(-?\d+(\.\d+)?)?$/;

/** A location, as the list, the detail, search and the event list serve it. */
export const locationSchema = z
  .strictObject({
    id,
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
    main_image: fileObjectSchema.nullable().meta({ description: 'Main image, or null.' }),
    latitude: z
      .string()
      .regex(degrees)
      .meta({ description: 'Latitude in decimal degrees (WGS 84), as text.' }),
    longitude: z
      .string()
      .regex(degrees)
      .meta({ description: 'Longitude in decimal degrees (WGS 84), as text.' }),
    events: z
      .array(abbreviatedEventSchema)
      .meta({ description: 'The events at this location, abbreviated, by id.' }),
    subjects: z.array(subjectSchema).meta({ description: 'Subjects of the location, in full.' }),
    related_locations: z.array(reference('location')).meta({ description: 'Related locations.' }),
    url: pageUrl('location'),
    published,
    ...multilingual('name', 'Name.'),
    uuid,
    ...multilingual('content', 'Description (HTML fragment); may be empty.'),
    position: text('"SRID=4326;POINT (<longitude> <latitude>)"; empty when the coordinates are.'),
    ...multilingual('summary', 'Summary.'),
    same_as: noSameAs,
    street: text('Street and number; may be empty.'),
    zipcode: text('Postal code; may be empty.'),
    city: text('City; may be empty.'),
    state: text('Province or state; may be empty.'),
    land: text('Name of the country; may be empty.'),
    location_events: z.array(id).meta({ description: 'id of each event at this location.' }),
  })
  .meta({ id: 'Location', description: 'A location, with the events at it.' });

/** A location. */
export type Location = z.infer<typeof locationSchema>;

/** An event, as the list, the detail and search serve it. */
export const eventSchema = z
  .strictObject({
    id,
    main_image: fileObjectSchema.nullable().meta({ description: 'Main image, or null.' }),
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
    persons: z.array(personSchema).meta({ description: 'Persons of the event, in full.' }),
    location: locationSchema
      .nullable()
      .meta({ description: 'Location of the event, in full; null when unknown.' }),
    url: pageUrl('event'),
    published,
    uuid,
    ...multilingual('name', 'Name.'),
    ...multilingual('content', 'Description (HTML fragment).'),
    date: date('Date of the event.'),
    date_start: date('First day of an event of several days.'),
    date_end: date('Last day of an event of several days.'),
    ...multilingual('summary', 'Summary.'),
    same_as: noSameAs,
  })
  .meta({ id: 'Event', description: 'An event, with its persons and its location.' });

/** An event. */
export type Event = z.infer<typeof eventSchema>;

/** The record type of each kind. */
export interface RecordOfKind {
  person: Person;
  subject: Subject;
  location: Location;
  event: Event;
}

/** A record of any kind. */
export type ArchiveRecord = RecordOfKind[Kind];

/** The schema of each kind's records, as served. */
export const recordSchemas = {
  person: personSchema,
  subject: subjectSchema,
  location: locationSchema,
  event: eventSchema,
} as const satisfies Record<Kind, unknown>;

/** The fields of each kind's records, in the contract's order. */
export const RECORD_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  person: Object.keys(personSchema.shape),
  subject: Object.keys(subjectSchema.shape),
  location: Object.keys(locationSchema.shape),
  event: Object.keys(eventSchema.shape),
};
