import { z } from 'zod';
import { recordSchemas } from './records.ts';

const made = new WeakMap<object, z.ZodType>();

/** The shape of records of which only some fields were asked for; at any depth, fields may be absent. */
export const selectedRecordSchemas = {
  person: selected(recordSchemas.person),
  subject: selected(recordSchemas.subject),
  location: selected(recordSchemas.location),
  event: selected(recordSchemas.event),
} as const;

const score = z.number().min(0).meta({ description: 'Relevance: 0.0 without `q`, positive with it.' });

/** The shape of a hit of which only some fields were asked for. */
export const selectedEntrySchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('person'), instance: selectedRecordSchemas.person, score }),
    z.strictObject({ type: z.literal('subject'), instance: selectedRecordSchemas.subject, score }),
    z.strictObject({ type: z.literal('location'), instance: selectedRecordSchemas.location, score }),
    z.strictObject({ type: z.literal('event'), instance: selectedRecordSchemas.event, score }),
  ])
  .meta({ id: 'SearchEntryFields', description: 'One hit of search, with the fields asked for.' });

/** The schema with optional fields, at any depth. */
function selected(schema: z.ZodObject): z.ZodType {
  const known = made.get(schema);
  if (known) return known;
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([field, value]) => [field, inner(value).optional()]),
  );
  const meta = schema.meta();
  const result = z.strictObject(shape).meta({
    id: `${String(meta?.['id'])}Fields`,
    description: `${meta?.description ?? ''} Only some fields.`.trim(),
  });
  made.set(schema, result);
  return result;
}

function inner(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodNullable) return inner(schema.unwrap()).nullable();
  if (schema instanceof z.ZodArray) return z.array(inner(schema.element));
  if (schema instanceof z.ZodObject) return selected(schema);
  return schema instanceof z.ZodType ? schema : z.unknown();
}
