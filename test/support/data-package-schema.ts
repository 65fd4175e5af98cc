import { z } from 'zod';

const name = z.string().min(1);
const text = z.string();
const names = z.array(name).min(1);

/** The field descriptors of Table Schema 2.0 that our data packages may use. */
const fieldSchema = z
  .strictObject({
    name,
    type: z.enum(['string', 'integer', 'number', 'date', 'list']),
    description: text.optional(),
    itemType: z.enum(['string', 'integer', 'boolean', 'number', 'datetime', 'date', 'time']).optional(),
    delimiter: name.optional(),
    constraints: z
      .strictObject({ required: z.boolean().optional(), unique: z.boolean().optional() })
      .optional(),
  })
  .refine(({ type, itemType, delimiter }) => type === 'list' || !(itemType || delimiter), {
    error: 'only a list describes its elements',
  });

const foreignKeySchema = z.strictObject({
  fields: names,
  reference: z.strictObject({ resource: name.optional(), fields: names }),
});

const tableSchema = z.strictObject({
  $schema: z.literal('https://datapackage.org/profiles/2.0/tableschema.json'),
  fields: z.array(fieldSchema).min(1),
  missingValues: z.array(text).optional(),
  primaryKey: names.optional(),
  foreignKeys: z.array(foreignKeySchema).min(1).optional(),
});

const resourceSchema = z
  .strictObject({
    name,
    // Not absolute, and inside the folder.
    path: z.string().regex(/^(?!\/)(?!.*\.\.\/)[^~]+$/),
    type: z.literal('table').optional(),
    format: text.optional(),
    mediatype: z
      .string()
      .regex(/^[^/\s]+\/[^/\s]+$/)
      .optional(),
    encoding: z.literal('utf-8').optional(),
    bytes: z.int().min(0).optional(),
    hash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .optional(),
    schema: tableSchema.optional(),
  })
  .refine(({ type, schema }) => !type === !schema, { error: 'expected a schema of each table' });

/**
 * The part of the specification that our data packages use (Data Package 2.0, https://datapackage.org/standard/);
 * any other property is invalid. No package on npm contains its profiles.
 */
const packageSchema = z.strictObject({
  $schema: z.literal('https://datapackage.org/profiles/2.0/datapackage.json'),
  name: name.optional(),
  title: text.optional(),
  description: text.optional(),
  homepage: z.url().optional(),
  version: text.optional(),
  licenses: z
    .array(
      z
        .strictObject({
          name: z
            .string()
            .regex(/^[-a-zA-Z0-9._]+$/)
            .optional(),
          path: text.optional(),
          title: text.optional(),
        })
        .refine((licence) => licence.name ?? licence.path, { error: 'expected a name or a path' }),
    )
    .min(1)
    .optional(),
  sources: z
    .array(
      z
        .strictObject({
          title: text.optional(),
          path: text.optional(),
          email: text.optional(),
          version: text.optional(),
        })
        .refine((source) => Object.keys(source).length > 0),
    )
    .min(1)
    .optional(),
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
