import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const name = { type: 'string', minLength: 1 };
const text = { type: 'string' };
const names = { type: 'array', minItems: 1, items: name };

/** The field descriptors of Table Schema 2.0 that our data packages may use. */
const field = {
  type: 'object',
  required: ['name', 'type'],
  additionalProperties: false,
  properties: {
    name,
    type: { enum: ['string', 'integer', 'number', 'date', 'list'] },
    description: text,
    itemType: { enum: ['string', 'integer', 'boolean', 'number', 'datetime', 'date', 'time'] },
    delimiter: { type: 'string', minLength: 1 },
    constraints: {
      type: 'object',
      additionalProperties: false,
      properties: { required: { type: 'boolean' }, unique: { type: 'boolean' } },
    },
  },
  // Only a list describes its elements.
  if: { properties: { type: { const: 'list' } } },
  else: { properties: { itemType: false, delimiter: false } },
};

const tableSchema = {
  type: 'object',
  required: ['$schema', 'fields'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'https://datapackage.org/profiles/2.0/tableschema.json' },
    fields: { type: 'array', minItems: 1, items: field },
    missingValues: { type: 'array', items: text },
    primaryKey: names,
    foreignKeys: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['fields', 'reference'],
        additionalProperties: false,
        properties: {
          fields: names,
          reference: {
            type: 'object',
            required: ['fields'],
            additionalProperties: false,
            properties: { resource: name, fields: names },
          },
        },
      },
    },
  },
};

const resource = {
  type: 'object',
  required: ['name', 'path'],
  additionalProperties: false,
  properties: {
    name,
    // Not absolute, and inside the folder.
    path: { type: 'string', pattern: '^(?!/)(?!.*\\.\\./)[^~]+$' },
    type: { const: 'table' },
    format: text,
    mediatype: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$' },
    encoding: { const: 'utf-8' },
    bytes: { type: 'integer', minimum: 0 },
    hash: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    schema: tableSchema,
  },
  dependentRequired: { schema: ['type'], type: ['schema'] },
};

/**
 * The part of the specification that our data packages use (Data Package 2.0, https://datapackage.org/standard/);
 * any other property is invalid. No package on npm contains its profiles.
 */
const dataPackage = {
  type: 'object',
  required: ['$schema', 'resources'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
    name,
    title: text,
    description: text,
    homepage: { type: 'string', format: 'uri' },
    version: text,
    licenses: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        anyOf: [{ required: ['name'] }, { required: ['path'] }],
        additionalProperties: false,
        properties: { name: { type: 'string', pattern: '^[-a-zA-Z0-9._]+$' }, path: text, title: text },
      },
    },
    sources: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: { title: text, path: text, email: text, version: text },
      },
    },
    resources: { type: 'array', minItems: 1, items: resource },
  },
};

/** The errors in the descriptor of a data package; empty if it is valid. */
export function packageFaults(descriptor: unknown): string[] {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(dataPackage);
  validate(descriptor);
  const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  return [...faults, ...keyFaults(descriptor)];
}

interface Descriptor {
  resources: {
    name: string;
    schema?: {
      fields: { name: string }[];
      primaryKey?: string[];
      foreignKeys?: { fields: string[]; reference: { resource?: string; fields: string[] } }[];
    };
  }[];
}

/** Duplicate names, and keys that name an unknown field or resource: a JSON schema cannot check these. */
function keyFaults(descriptor: unknown): string[] {
  const { resources } = descriptor as Descriptor;
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
