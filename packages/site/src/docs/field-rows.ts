import { z } from 'zod';

/** A field of a record, for the documentation. */
export interface FieldRow {
  name: string;
  /** The types of its value; with `form`, the name of a schema that has its own section. */
  types: readonly FieldType[];
  meaning: string;
}

/** A type of a field. */
export interface FieldType {
  name: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'date' | 'uuid' | 'url' | 'array' | 'object';
  /** The types of the elements of an array. */
  of?: readonly FieldType[];
  /** Name of the schema of an object. */
  form?: string;
}

/** The part of JSON Schema that the schemas of records use. */
const nodeSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  pattern: z.string().optional(),
  const: z.unknown().optional(),
  get anyOf() {
    return z.array(nodeSchema).optional();
  },
  get items() {
    return nodeSchema.optional();
  },
  $ref: z.string().optional(),
});
type Node = z.infer<typeof nodeSchema>;

const objectSchema = z.object({ properties: z.record(z.string(), nodeSchema) });
const namedSchema = z.object({ $ref: z.string(), $defs: z.record(z.string(), objectSchema) });
/** Named schemas are in the definitions. */
const documentSchema = z.union([
  namedSchema.transform(({ $ref, $defs }) => $defs[formName($ref)] ?? { properties: {} }),
  objectSchema,
]);

/** The fields of a record from its schema, in order. */
export function fieldRows(schema: z.ZodType): FieldRow[] {
  const { properties } = documentSchema.parse(z.toJSONSchema(schema));
  return Object.entries(properties).map(([name, node]) => ({
    name,
    types: typesOf(node),
    meaning: node.description ?? '',
  }));
}

function typesOf(node: Node): FieldType[] {
  if (node.$ref) return [{ name: 'object', form: formName(node.$ref) }];
  if (node.anyOf) {
    const all = node.anyOf.filter((each) => each.const === undefined).flatMap(typesOf);
    return all.filter((each, index) => all.findIndex(({ name }) => name === each.name) === index);
  }
  if (node.type === 'array') return [{ name: 'array', of: node.items ? typesOf(node.items) : [] }];
  const { type = '', pattern = '' } = node;
  return [type].flat().map((each) => ({ name: plainType(each, pattern) }));
}

/** `#/$defs/Person` is `Person`. */
function formName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function plainType(type: string, pattern: string): FieldType['name'] {
  if (type === 'string') {
    if (pattern.startsWith('^\\d{4}-')) return 'date';
    if (pattern.startsWith('^https?:')) return 'url';
    if (pattern.startsWith('^[0-9a-fA-F]{8}')) return 'uuid';
    return 'string';
  }
  return type === 'integer' || type === 'number' || type === 'boolean' || type === 'null' ? type : 'object';
}
