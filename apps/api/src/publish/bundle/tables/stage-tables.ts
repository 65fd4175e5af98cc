import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

import { COLLECTIONS, type Kind } from '@archiefkast/types';
import type { ArchiveDescription } from '../../../storage/edition.ts';
import { READING_ORDER } from '../bundle.ts';
import type { FaultList } from '../faults.ts';
import { fileOf, type Origins } from '../origins.ts';
import { identifyRecords } from './known-records.ts';
import { type ReadTable, readTable } from './read-table.ts';
import { readFiles } from './stage-files.ts';
import { createRowStager } from './stage-row.ts';
import type { TableSource } from './table-source.ts';

/** What tables became. */
export interface StagedTables {
  origins: Origins;
  /** Kinds whose table cannot be read. */
  unread: readonly Kind[];
}

/** Lines are collected up to this many characters before they are written. */
const BLOCK = 256 * 1024;

/**
 * Makes JSON lines of tables: references become uuids, uuids that are not given are derived, images and files come to
 * their records. What only tables can have wrong is added to `faults`; all else is left to the check of the lines,
 * whose faults the origins put where the archivist sees them.
 */
export async function stageTables(
  source: TableSource,
  folder: string,
  archive: ArchiveDescription | undefined,
  faults: FaultList,
  onRow: () => void,
): Promise<StagedTables> {
  const tables = new Map<Kind, ReadTable>();
  for (const kind of READING_ORDER) {
    const table = source.tables.get(COLLECTIONS[kind]);
    if (!table) {
      const reason = 'is missing; a kind without records has a table with the names of columns only';
      faults.add({ ...source.missing(COLLECTIONS[kind]), reason });
      continue;
    }
    const read = await readTable(table, faults);
    if (read) tables.set(kind, read);
  }
  const fileTable = source.tables.get('files');
  const files = fileTable && (await readTable(fileTable, faults));
  const records = await identifyRecords(tables, files, archive?.uuid, faults);
  const owners = files ? await readFiles(files, records, archive?.uuid, faults) : new Map();

  const lines = new Map<Kind, number[]>();
  for (const kind of READING_ORDER) {
    const rows: number[] = [];
    lines.set(kind, rows);
    await using file = await open(join(folder, fileOf(kind)), 'w');
    const table = tables.get(kind);
    if (!table) continue;
    const stage = createRowStager(kind, table, { records, owners, files, faults });
    await writeLines(file, async function* () {
      for await (const { at, row } of table.rows()) {
        onRow();
        rows.push(at);
        yield JSON.stringify(stage(at, row));
      }
    });
  }
  const unread = READING_ORDER.filter((kind) => !tables.has(kind));
  return { origins: tableOrigins(source, tables, lines), unread };
}

async function writeLines(file: FileHandle, lines: () => AsyncGenerator<string>): Promise<void> {
  let block = '';
  for await (const line of lines()) {
    block += `${line}\n`;
    if (block.length < BLOCK) continue;
    await file.appendFile(block);
    block = '';
  }
  await file.appendFile(block);
}

/** Names the origins of the lines that tables became. */
function tableOrigins(
  source: TableSource,
  tables: ReadonlyMap<Kind, ReadTable>,
  lines: ReadonlyMap<Kind, readonly number[]>,
): Origins {
  return {
    fileOf: (kind) => tables.get(kind)?.title ?? source.missing(COLLECTIONS[kind]).file,
    at(kind, line, field) {
      const table = tables.get(kind);
      const at = lines.get(kind)?.[line - 1];
      if (!table || at === undefined) return source.missing(COLLECTIONS[kind]);
      if (field === undefined) return table.place(at);
      const name = columnName(table, field);
      return { ...table.place(at, table.columnOf(name)), field: name };
    },
  };
}

/** What the column of a field is called: its HTML may have been given as plain text or Markdown. */
function columnName({ columnOf }: ReadTable, field: string): string {
  const [base = field] = field.split(/[[.]/, 1);
  const forms = [base, `${base}_text`, `${base}_markdown`];
  return forms.find((name) => columnOf(name) !== undefined) ?? field;
}
