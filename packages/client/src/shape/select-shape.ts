import { OptionError } from '../errors/option-error.ts';
import type { JsonSchema } from './json-schema.ts';
import { resolveShape } from './shapes.ts';

/**
 * The shape of records of which only some fields are asked for: it has these, and no others.
 *
 * @param fields names such as `name` and `location.name`
 * @throws OptionError when the records do not have one of them
 */
export function selectShape(shape: JsonSchema, fields: readonly string[]): JsonSchema {
  const whole = resolveShape(shape);
  if (whole.anyOf)
    return { anyOf: whole.anyOf.map((each) => (isNull(each) ? each : selectShape(each, fields))) };
  if (whole.items) return { ...whole, items: selectShape(whole.items, fields) };
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) {
    const name = field.split('.')[0] ?? '';
    const inner = whole.properties?.[name];
    if (!inner) throw new OptionError(`fields: there is no field "${field}"`);
    const below = fields
      .filter((each) => each.startsWith(`${name}.`))
      .map((each) => each.slice(name.length + 1));
    properties[name] = fields.includes(name) ? inner : selectShape(inner, below);
  }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function isNull({ type }: JsonSchema): boolean {
  return type === 'null';
}
