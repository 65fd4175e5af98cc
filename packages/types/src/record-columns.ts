import type { z } from 'zod';
import { type FieldFacts, factsOf, shortOf } from './field-schemas.ts';
import { forKinds, type Kind } from './kinds.ts';
import {
  abbreviatedEventSchema,
  eventSchema,
  fileObjectSchema,
  locationSchema,
  personSchema,
  subjectSchema,
} from './records.ts';

/** A field as a column of a bundle's table or of a CSV file. */
export interface FieldColumn extends FieldFacts {
  name: string;
  /** Short description, without a full stop. */
  short: string;
}

/**
 * The fields of each kind's records that have columns, in reading order. Multilingual fields are listed by their name without
 * a language. An event has the column `subjects`, which bundles give and only the abbreviated event serves.
 */
export const RECORD_COLUMN_FIELDS: Readonly<Record<Kind, readonly FieldColumn[]>> = {
  person: columnsOf(
    personSchema.shape,
    'id uuid published title first_name infix last_name gender birth_date birth_place birth_country death_date death_place death_country subjects summary content pictures',
  ),
  subject: columnsOf(subjectSchema.shape, 'id uuid published name parent same_as summary description'),
  location: columnsOf(
    locationSchema.shape,
    'id uuid published name street zipcode city state land latitude longitude subjects events related_locations summary content',
  ),
  event: columnsOf(
    { subjects: abbreviatedEventSchema.shape.subjects, ...eventSchema.shape },
    'id uuid published name date date_start date_end location persons subjects summary content',
  ),
};

/** The fields of each kind's records that refer to other records, by reference or by id, or embed them. */
export const REFERENCE_FIELDS: Readonly<Record<Kind, readonly { name: string; target: Kind }[]>> = forKinds(
  (kind) => RECORD_COLUMN_FIELDS[kind].flatMap(({ name, target }) => (target ? [{ name, target }] : [])),
);

export const FILE_COLUMN_FIELDS: readonly FieldColumn[] = columnsOf(fileObjectSchema.shape);

/** The columns of the fields in an order, with the variants of multilingual ones, and then of those that it does not name. */
function columnsOf(shape: Readonly<Record<string, z.ZodType>>, order = ''): FieldColumn[] {
  const names = order.split(' ').flatMap((name) => [name, `${name}_nl`, `${name}_en`]);
  return [...new Set([...names, ...Object.keys(shape)])].flatMap((name) => {
    const schema = shape[name];
    const known = schema && factsOf(schema);
    return known ? [{ name, short: shortOf(known.en), ...known }] : [];
  });
}
