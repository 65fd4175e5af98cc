import {
  changedRecordSchema,
  changesHeaderSchema,
  envelopeSchema,
  type Kind,
  supplementSchema,
} from '@archiefkast/types';
import { z } from 'zod';
import type { JsonSchema } from '../src/shape/json-schema.ts';

/** The schemas of responses; schemas that they refer to are added. */
const NAMES = [
  ...(['Person', 'Subject', 'Location', 'Event'] as const satisfies readonly Capitalize<Kind>[]),
  'SearchEntry',
  'Suggestions',
  'Facets',
  'Editions',
  'Changes',
  'Manifest',
  'ArchiveIndex',
];

/** The pattern of a date, which must also be a valid calendar date. */
const DATE = '^\\d{4}-\\d{2}-\\d{2}$';

/** Generates the shapes of the contract from its schemas. */
export function makeShapes(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (name) => `#/${name}` });
  const all: Record<string, z.core.JSONSchema.BaseSchema> = {
    ...schemas,
    Envelope: z.toJSONSchema(envelopeSchema(z.unknown())),
    ChangesHeader: z.toJSONSchema(changesHeaderSchema),
    ChangedRecord: z.toJSONSchema(changedRecordSchema),
    Supplement: z.toJSONSchema(supplementSchema),
  };
  const shapes: Record<string, JsonSchema> = {};
  const add = (name: string) => {
    if (shapes[name]) return;
    const shape = simplified(all[name]);
    shapes[name] = shape;
    for (const [, referred = ''] of JSON.stringify(shape).matchAll(/"\$ref":"#\/(\w+)"/g)) add(referred);
  };
  for (const name of [...NAMES, 'Envelope', 'ChangesHeader', 'ChangedRecord', 'Supplement']) add(name);
  return Object.fromEntries(Object.entries(shapes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reduces a schema to the keywords that the client checks. */
function simplified(schema: z.core.JSONSchema._JSONSchema | undefined): JsonSchema {
  if (typeof schema !== 'object') return {};
  const { $ref, type, enum: values, pattern, minimum, properties, required, additionalProperties } = schema;
  const { items, anyOf = schema.oneOf } = schema;
  return {
    ...($ref !== undefined && { $ref: $ref.replace('#/$defs/', '#/') }),
    ...(typeof type === 'string' && { type }),
    ...(Array.isArray(type) && { anyOf: type.map((each) => ({ type: each })) }),
    ...(schema.const !== undefined && { const: schema.const }),
    ...(values && { enum: values }),
    ...(pattern !== undefined && { pattern }),
    ...(pattern === DATE && { format: 'date' }),
    ...(minimum !== undefined && minimum >= 0 && { minimum }),
    ...(items !== undefined && !Array.isArray(items) && { items: simplified(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, simplified(inner)]),
      ),
    }),
    ...(required && { required }),
    ...(additionalProperties === false && { additionalProperties }),
    ...(anyOf && { anyOf: anyOf.map(simplified) }),
  };
}
