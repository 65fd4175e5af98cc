import type { Kind } from '@archiefkast/types';
import type { Schema } from '../request/assert-matches.ts';
import { compileShape } from './compile-shape.ts';
import type { JsonSchema } from './json-schema.ts';
import shapes from './shapes.json' with { type: 'json' };

/** The shapes of the contract by name, made from the schemas of `@archiefkast/types`: see `npm run shapes`. */
const SHAPES: Readonly<Record<string, JsonSchema>> = shapes;

/** A reference to the shape called `name`. */
export function shapeOf(name: string): JsonSchema {
  return { $ref: `#/${name}` };
}

/** What the shape of each kind's records is called. */
const SHAPES_OF_KINDS: Readonly<Record<Kind, string>> = {
  person: 'Person',
  subject: 'Subject',
  location: 'Location',
  event: 'Event',
};

/** A reference to the shape of the records of a kind. */
export function shapeOfKind(kind: Kind): JsonSchema {
  return shapeOf(SHAPES_OF_KINDS[kind]);
}

/** The fields of the records of a kind, in the contract's order. */
export function recordFields(kind: Kind): string[] {
  return Object.keys(resolveShape(shapeOfKind(kind)).properties ?? {});
}

/** The shape that a reference leads to; others are given back as they are. */
export function resolveShape(shape: JsonSchema): JsonSchema {
  return shape.$ref === undefined ? shape : findShape(shape.$ref.replace('#/', ''));
}

/** The shape of a page whose results have a shape. */
export function pageOf(result: JsonSchema): JsonSchema {
  const envelope = findShape('Envelope');
  return {
    ...envelope,
    properties: { ...envelope.properties, results: { type: 'array', items: result } },
  };
}

/** Makes the schema of values of a shape. */
export function schemaOf<T>(shape: JsonSchema): Schema<T> {
  let check: ReturnType<typeof compileShape> | undefined;
  return {
    safeParse(value) {
      check ??= compileShape(shape, findShape);
      const issues = check(value);
      return issues.length === 0 ? { success: true } : { success: false, error: { issues } };
    },
  };
}

function findShape(name: string): JsonSchema {
  const found = SHAPES[name];
  if (!found) throw new RangeError(`there is no shape ${name}`);
  return found;
}
