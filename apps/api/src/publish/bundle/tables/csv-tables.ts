import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readCsv, TABLES, type TableName } from '@archiefkast/formats';
import { nearestName } from '../../../nearest-name.ts';
import type { FaultList } from '../faults.ts';
import type { SourceTable, TableSource } from './table-source.ts';

/**
 * The tables of a folder of CSV files; undefined when it has none of them.
 *
 * @param faults files of another name are added to it: what is in them would be lost in silence
 */
export async function openCsvTables(folder: string, faults: FaultList): Promise<TableSource | undefined> {
  const names = (await readdir(folder)).filter((name) => /\.csv$/i.test(name) && !name.startsWith('_'));
  const tables = new Map<TableName, SourceTable>();
  const others: string[] = [];
  for (const file of names.sort()) {
    const name = TABLES.find((table) => `${table}.csv` === file);
    if (name) tables.set(name, openTable(name, join(folder, file)));
    else others.push(file);
  }
  if (tables.size === 0) return undefined;
  for (const file of others) {
    const near = nearestName(file.replace(/\.csv$/i, '').toLowerCase(), TABLES);
    const hint = near ? `did you mean ${near}.csv?` : 'begin its name with _ to have it left alone';
    faults.add({ file, reason: `is not a table of a bundle; ${hint}` });
  }
  return { folder, tables, missing: (name) => ({ file: `${name}.csv` }), close() {} };
}

function openTable(name: TableName, path: string): SourceTable {
  const file = `${name}.csv`;
  return {
    name,
    title: file,
    async *rows() {
      for await (const { line, cells } of readCsv(createReadStream(path, { highWaterMark: 1 << 18 }))) {
        yield { at: line, cells };
      }
    },
    place: (at) => ({ file, ...(at === undefined ? {} : { line: at }) }),
  };
}
