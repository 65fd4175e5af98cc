import { type Event, eventSchema } from './event.ts';
import type { Kind } from './kinds.ts';
import { type Location, locationSchema } from './location.ts';
import { type Person, personSchema } from './person.ts';
import { type Subject, subjectSchema } from './subject.ts';

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
