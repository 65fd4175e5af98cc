import { z } from 'zod';

const text = z.string().min(1);

/** The field descriptors of Table Schema 2.0 that our data packages use. */
const fieldSchema = z
  .strictObject({
    name: text,
    type: z.enum(['string', 'integer', 'number', 'date', 'list']),
    description: text,
    itemType: z.literal('string').optional(),
    delimiter: text.optional(),
    constraints: z.strictObject({ required: z.boolean(), unique: z.boolean() }).optional(),
  })
  .refine(({ type, itemType, delimiter }) => type === 'list' || !(itemType || delimiter), {
    error: 'only a list describes its elements',
  });

const tableSchema = z.strictObject({
  $schema: z.literal('https://datapackage.org/profiles/2.0/tableschema.json'),
  fields: z.array(fieldSchema).min(1),
  missingValues: z.array(z.string()),
  primaryKey: z.array(text).min(1).optional(),
  foreignKeys: z
    .array(
      z.strictObject({
        fields: z.array(text).min(1),
        reference: z.strictObject({ resource: text.optional(), fields: z.array(text).min(1) }),
      }),
    )
    .min(1)
    .optional(),
});

const resourceSchema = z
  .strictObject({
    name: text,
    // Not absolute, and inside the folder.
    path: z.string().regex(/^(?!\/)(?!.*\.\.\/)[^~]+$/),
    type: z.literal('table').optional(),
    format: text,
    mediatype: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
    encoding: z.literal('utf-8').optional(),
    bytes: z.int().min(0),
    hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    schema: tableSchema.optional(),
  })
  .refine(({ type, schema }) => !type === !schema, { error: 'expected a schema of each table' });

/**
 * The part of the specification that our data packages use (Data Package 2.0, https://datapackage.org/standard/);
 * any other property is invalid. No package on npm contains its profiles.
 */
const packageSchema = z.strictObject({
  $schema: z.literal('https://datapackage.org/profiles/2.0/datapackage.json'),
  name: text,
  title: text,
  description: text.optional(),
  homepage: z.url(),
  version: text.optional(),
  licenses: z.tuple([z.strictObject({ title: text, path: text })]).optional(),
  sources: z.tuple([z.strictObject({ title: text, path: text })]),
  resources: z.array(resourceSchema).min(1),
});

/** The errors in the descriptor of a data package; empty if it is valid. */
export function packageFaults(descriptor: unknown): string[] {
  const { data, error } = packageSchema.safeParse(descriptor);
  return error ? error.issues.map(({ path, message }) => `${path.join('/')}: ${message}`) : keyFaults(data);
}

/** Duplicate names, and keys that name an unknown field or resource. */
function keyFaults({ resources }: z.infer<typeof packageSchema>): string[] {
  const fieldsOf = new Map(
    resources.map(({ name, schema }) => [name, schema?.fields.map((one) => one.name)]),
  );
  const twice = fieldsOf.size < resources.length ? ['two resources have one name'] : [];
  const missing = resources.flatMap(({ name: own, schema }) => {
    const keys = [
      ...(schema?.primaryKey ?? []).map((key) => [own, key] as const),
      ...(schema?.foreignKeys ?? []).flatMap(({ fields, reference }) => [
        ...fields.map((key) => [own, key] as const),
        ...reference.fields.map((key) => [reference.resource ?? own, key] as const),
      ]),
    ];
    return keys
      .filter(([of, key]) => !fieldsOf.get(of)?.includes(key))
      .map(([of, key]) => `${of} has no field ${key}`);
  });
  return [...twice, ...missing];
}
