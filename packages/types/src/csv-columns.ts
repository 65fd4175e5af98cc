import { eventSchema } from './event.ts';
import type { Kind } from './kinds.ts';
import { locationSchema } from './location.ts';
import { personSchema } from './person.ts';
import { subjectSchema } from './subject.ts';

/** The columns of each kind's CSV: the fields of its records, in the contract's order. */
export const CSV_COLUMNS: Readonly<Record<Kind, readonly string[]>> = {
  person: Object.keys(personSchema.shape),
  subject: Object.keys(subjectSchema.shape),
  location: Object.keys(locationSchema.shape),
  event: Object.keys(eventSchema.shape),
};

/** The fields that hold references or embedded records; a cell names their uuids. */
export const REFERENCE_FIELDS = new Set(['subjects', 'persons', 'location', 'related_locations', 'events']);
