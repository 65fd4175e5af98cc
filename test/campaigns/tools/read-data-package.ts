import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The JavaScript library of the standard's makers; it knows version 1 of it. Not a dependency: nothing else needs it. */
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
        /** Reads all rows as what the schema says. @throws where one is not */
        read(options: { keyed: true }): Promise<object[]>;
        checkRelations(): Promise<boolean>;
      }[];
    }>;
  };
}

/**
 * Reads the tables of a data package that have a schema, every row, with a library that is none of ours.
 *
 * @param programs a folder to install it in
 * @returns rows by table
 * @throws Error when a descriptor, a value, a key or a reference is not as described
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

/** Version 2 has a type of its own for lists, and need not name a table that refers to itself. */
function asVersion1(schema: Descriptor['resources'][number]['schema']): void {
  for (const field of schema?.fields ?? []) if (field.type === 'list') field.type = 'string';
  for (const { reference } of schema?.foreignKeys ?? []) reference.resource ??= '';
}
