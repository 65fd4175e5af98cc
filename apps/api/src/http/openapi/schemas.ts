import '@archiefkast/types';
import { z } from 'zod';

/** A reference to a schema by its name. */
export function schemaReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas that have a name, and those that they use, as JSON Schema (2020-12, which OpenAPI 3.1 speaks). */
export function namedSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (name) => schemaReference(name).$ref });
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, { $schema, $id, ...schema }]) => [name, schema] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
