import { type FieldShape, hasField, type Selection, selectFields } from '@archiefkast/types/selection';
import { OptionError } from '../errors/archive-errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { resolveShape } from './shapes.ts';

/**
 * Checks the names of selected fields.
 *
 * @param shapes of the records
 * @param names such as `name` and `location.name`
 * @throws OptionError if no shape has one of them
 */
export function assertFields(shapes: readonly JsonSchema[], names: readonly string[]): void {
  const known = shapes.map(fieldsOf);
  const unknown = names.find((name) => !known.some((fields) => hasField(fields, name)));
  if (unknown !== undefined) throw new OptionError(`fields: unknown field "${unknown}"`);
}

/** The shape of records with selected fields, as far as the shape has them. */
export function selectShape(shape: JsonSchema, names: readonly string[]): JsonSchema {
  return partOf(shape, selectFields(fieldsOf(shape) ?? {}, names));
}

/** The fields of a record, a list of records, or a nullable record; null for other values. */
function fieldsOf(shape: JsonSchema): FieldShape | null {
  const { anyOf, items, properties } = resolveShape(shape);
  if (anyOf) return anyOf.map(fieldsOf).find((fields) => fields !== null) ?? null;
  if (items) return fieldsOf(items);
  if (!properties) return null;
  return Object.fromEntries(Object.entries(properties).map(([field, inner]) => [field, fieldsOf(inner)]));
}

function partOf(shape: JsonSchema, selection: Selection): JsonSchema {
  const whole = resolveShape(shape);
  if (whole.anyOf) {
    return { anyOf: whole.anyOf.map((each) => (each.type === 'null' ? each : partOf(each, selection))) };
  }
  if (whole.items) return { ...whole, items: partOf(whole.items, selection) };
  const properties: Record<string, JsonSchema> = {};
  for (const [field, inner] of Object.entries(selection)) {
    const own = whole.properties?.[field] ?? {};
    properties[field] = inner === 'all' ? own : partOf(own, inner);
  }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
