import { z } from 'zod';
import { KINDS, type Kind } from './kinds.ts';
import { recordSchemas } from './records.ts';

/** The fields of a record, in the contract's order; of a field that holds records or files, their fields. */
export interface FieldShape {
  readonly [field: string]: FieldShape | null;
}

/** The fields of the records of each kind. */
export const FIELD_SHAPES: Readonly<Record<Kind, FieldShape>> = {
  person: fieldsOf(recordSchemas.person),
  subject: fieldsOf(recordSchemas.subject),
  location: fieldsOf(recordSchemas.location),
  event: fieldsOf(recordSchemas.event),
};

/** The short sets that `fields=brief` stands for: what a list or a map shows. */
export const BRIEF_FIELDS = {
  person: ['id', 'url', 'uuid', 'title', 'birth_date', 'death_date', 'summary'],
  subject: ['id', 'url', 'uuid', 'name', 'summary', 'parent'],
  location: ['id', 'latitude', 'longitude', 'url', 'name', 'uuid', 'summary', 'street', 'city'],
  event: [
    'id',
    'location.latitude',
    'location.longitude',
    'location.url',
    'location.name',
    'location.uuid',
    'url',
    'uuid',
    'name',
    'date',
    'date_start',
    'date_end',
    'summary',
  ],
} as const satisfies Record<Kind, readonly string[]>;

/** The fields of the records of several kinds together: those of the first, and what others have beside them. */
export function mergedShape(kinds: readonly Kind[] = KINDS): FieldShape {
  return kinds.map((kind) => FIELD_SHAPES[kind]).reduce(merge, {});
}

function merge(one: FieldShape, other: FieldShape): FieldShape {
  const merged: Record<string, FieldShape | null> = { ...one };
  for (const [field, shape] of Object.entries(other)) {
    const known = merged[field];
    merged[field] = known && shape ? merge(known, shape) : (known ?? shape);
  }
  return merged;
}

function fieldsOf(schema: z.ZodObject): FieldShape {
  return Object.fromEntries(Object.entries(schema.shape).map(([field, value]) => [field, shapeOf(value)]));
}

function shapeOf(schema: unknown): FieldShape | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return shapeOf(schema.element);
  return schema instanceof z.ZodObject ? fieldsOf(schema) : null;
}
