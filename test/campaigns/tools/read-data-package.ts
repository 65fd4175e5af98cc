import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The JavaScript library by the authors of the standard, for version 1. Used here only, so not a dependency. */
const LIBRARY = 'datapackage@1.1.10';

interface Field {
  type: string;
}

interface Descriptor {
  resources: {
    schema?: { fields: Field[]; foreignKeys?: { reference: { resource?: string } }[] };
  }[];
}

interface Library {
  Package: {
    load(
      descriptor: Descriptor,
      options: { basePath: string },
    ): Promise<{
      valid: boolean;
      errors: Error[];
      resources: {
        name: string;
        descriptor: Descriptor['resources'][number];
        /** Reads all rows with the types of the schema. @throws Error for an invalid row */
        read(options: { keyed: true }): Promise<object[]>;
        checkRelations(): Promise<boolean>;
      }[];
    }>;
  };
}

/**
 * Reads every row of the tables of a data package that have a schema, with a third-party library.
 *
 * @param programs a folder in which to install it
 * @returns rows by table
 * @throws Error if a descriptor, a value, a key or a reference is invalid
 */
export async function readDataPackage(folder: string, programs: string): Promise<Record<string, number>> {
  await promisify(execFile)('npm', ['install', '--no-save', '--prefix', programs, LIBRARY]);
  const { Package }: Library = createRequire(join(programs, 'any.js'))('datapackage');
  const described: Descriptor = JSON.parse(await readFile(join(folder, 'datapackage.json'), 'utf8'));
  for (const { schema } of described.resources) asVersion1(schema);
  const { valid, errors, resources } = await Package.load(described, { basePath: folder });
  if (!valid) throw new AggregateError(errors, 'datapackage.json is not valid');
  const rows: Record<string, number> = {};
  for (const resource of resources.filter(({ descriptor }) => descriptor.schema)) {
    rows[resource.name] = (await resource.read({ keyed: true })).length;
    if (!(await resource.checkRelations())) throw new Error(`${resource.name} names rows that are not there`);
  }
  return rows;
}

/** Version 2 has its own type for lists, and allows leaving out the name of a table that refers to itself. */
function asVersion1(schema: Descriptor['resources'][number]['schema']): void {
  for (const field of schema?.fields ?? []) if (field.type === 'list') field.type = 'string';
  for (const { reference } of schema?.foreignKeys ?? []) reference.resource ??= '';
}
