import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ARCHIVE_COLUMNS,
  deriveUuid,
  IMAGE_COLUMNS,
  IMAGE_FIELD,
  idOfUuid,
  RECORD_COLUMNS,
  type RowTexts,
  readFields,
} from '@archiefkast/formats';
import { COLLECTIONS, isUuid, isWebAddress, type Kind } from '@archiefkast/types';
import type { ArchiveDescription } from '../../../storage/edition.ts';
import { parseArchiveDescription } from '../archive-description.ts';
import { describeOrigin, type FaultList, fileOf, type Origins, type Rank } from '../faults.ts';
import { type BundleFile, fileObject, READING_ORDER } from '../record-schemas.ts';
import { identifyRecords, type KnownRecords } from './known-records.ts';
import { missingArchiveUuid } from './missing-archive-uuid.ts';
import { isRead, type ReadTable, readTable } from './read-table.ts';
import { type FilesOfRecord, readFiles } from './stage-files.ts';
import type { SourceTable, TableSource } from './table-source.ts';

/** The result of staging tables. */
export interface StagedTables {
  origins: Origins;
  /** Kinds whose table cannot be read. */
  unread: readonly Kind[];
}

/** Size of the write buffer, in characters. */
const BLOCK = 256 * 1024;

/**
 * Converts tables to JSON lines: resolves references to uuids, derives missing uuids, and adds images and files to
 * their records. Faults that only tables can have are added to `faults`; all others are found by the check of the
 * lines, and mapped back to cells by the origins.
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
      if (source.misnamed.has(COLLECTIONS[kind])) continue;
      const reason = 'is missing; a kind without records needs a table with only a header row';
      faults.add({ ...source.missing(COLLECTIONS[kind]), reason }, 'table');
      continue;
    }
    const read = await readTable(table, faults);
    if (read) tables.set(kind, read);
  }
  const fileTable = source.tables.get('files');
  const files = fileTable && (await readTable(fileTable, faults));
  const records = await identifyRecords(tables, files, archive?.uuid, faults);
  const owners: ReadonlyMap<string, FilesOfRecord> = files
    ? await readFiles(files, records, archive?.uuid, faults)
    : new Map();
  if (records.withoutUuid > 0) faults.add(missingArchiveUuid(source, archive, records.withoutUuid), 'table');

  const lines = new Map<Kind, StagedRow[]>();
  for (const kind of READING_ORDER) {
    const rows: StagedRow[] = [];
    lines.set(kind, rows);
    await using file = await open(join(folder, fileOf(kind)), 'w');
    const table = tables.get(kind);
    if (!table) continue;
    const stage = createRowStager(kind, table, { records, owners, files, faults });
    await writeLines(file, async function* () {
      for await (const { at, row } of table.rows()) {
        onRow();
        const record = stage(at, row);
        const own = owners.get(ownUuid(record));
        const inFiles = own && { image: own.image?.at, files: own.files.map((each) => each.at) };
        rows.push(inFiles ? { at, inFiles } : { at });
        yield JSON.stringify(record);
      }
    });
  }
  const unread = READING_ORDER.filter((kind) => !tables.has(kind));
  return { origins: tableOrigins(source, tables, files, lines), unread };
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

/** A row of a table, and the rows in the table `files` of its image and its files. */
interface StagedRow {
  at: number;
  inFiles?: { image: number | undefined; files: readonly number[] };
}

/** Maps staged lines to the rows and cells of their tables. */
function tableOrigins(
  source: TableSource,
  tables: ReadonlyMap<Kind, ReadTable>,
  files: ReadTable | undefined,
  lines: ReadonlyMap<Kind, readonly StagedRow[]>,
): Origins {
  return {
    fileOf: (kind) => tables.get(kind)?.title ?? source.missing(COLLECTIONS[kind]).file,
    at(kind, line, field) {
      const table = tables.get(kind);
      const row = lines.get(kind)?.[line - 1];
      if (!table || row === undefined) return source.missing(COLLECTIONS[kind]);
      if (field === undefined) return table.place(row.at);
      const { number, of = '' } = FIELD_OF_FILE.exec(field)?.groups ?? {};
      if (of !== '') {
        const at = number === undefined ? row.inFiles?.image : row.inFiles?.files[Number(number)];
        if (files && at !== undefined) return { ...files.place(at, files.columnOf(of)), field: of };
        const name = columnOfField(of === 'path' ? 'url' : of);
        return { ...table.place(row.at, table.columnOf(name)), field: name };
      }
      const name = columnName(table, field);
      return { ...table.place(row.at, table.columnOf(name)), field: name };
    },
  };
}

/** A field of an image or file: `image.url`, `files[0].alt`. */
const FIELD_OF_FILE = /^(?:(?:main_)?image|files\[(?<number>\d+)\])\.(?<of>\w+)$/;

/** The column name of a field: HTML may be given as plain text or Markdown, in a column with a suffix. */
function columnName({ columnOf }: ReadTable, field: string): string {
  const [base = field] = field.split(/[[.]/, 1);
  const names = [base, `${base}_text`, `${base}_markdown`];
  return names.find((name) => columnOf(name) !== undefined) ?? field;
}

/** What is needed to stage a row. */
export interface StageContext {
  records: KnownRecords;
  /** Images and files by the uuid of their record. */
  owners: ReadonlyMap<string, FilesOfRecord>;
  files: ReadTable | undefined;
  faults: FaultList;
}

/** Creates the function that converts a row of a kind's table to the JSON object of its line. */
export function createRowStager(kind: Kind, table: ReadTable, context: StageContext) {
  const { records, owners, faults } = context;
  const columns = RECORD_COLUMNS[kind];
  const references = columns.filter(({ type }) => type === 'reference' || type === 'references');
  const images = Object.keys(IMAGE_COLUMNS).filter((name) => table.columnOf(name) !== undefined);

  return (at: number, row: RowTexts): Record<string, unknown> => {
    const { fields, faults: wrong } = readFields(row, columns);
    const refuse = (field: string, reason: string, rank?: Rank) =>
      faults.add({ ...table.place(at, table.columnOf(field)), field, reason }, rank);
    for (const { column, field, reason } of wrong) faults.add({ ...table.place(at, column), field, reason });

    fields['uuid'] ??= records.uuidOf(kind, fields['id'], at);
    for (const { name, target = kind, type } of references) {
      if (fields[name] === undefined) continue;
      const found = [fields[name]].flat().flatMap((reference) => {
        const resolved = records.resolve(target, String(reference));
        if ('uuid' in resolved) return [name === 'parent' ? resolved.id : resolved.uuid];
        if (!records.isUnread(target)) refuse(name, resolved.fault, 'reference');
        return [];
      });
      fields[name] = type === 'references' ? found : found[0];
    }

    const uuid = ownUuid(fields);
    const own = owners.get(uuid);
    const image = images.length > 0 ? imageOf(row, uuid, refuse) : undefined;
    if (image && own?.image) {
      const other = context.files ? describeOrigin(context.files.place(own.image.at)) : '';
      refuse('image_url', `is a second image of this ${kind}; the other is at ${other}`);
    }
    if (image ?? own?.image) fields[IMAGE_FIELD[kind]] = image ?? own?.image?.file;
    if (own && own.files.length > 0) fields['files'] = own.files.map(({ file }) => file);
    return fields;
  };
}

function ownUuid(fields: Readonly<Record<string, unknown>>): string {
  return String(fields['uuid'] ?? '').toLowerCase();
}

/** The image given in the row of its record; its uuid is derived from the record's. */
function imageOf(
  { texts }: RowTexts,
  owner: string,
  refuse: (field: string, reason: string) => void,
): BundleFile | undefined {
  const given = Object.entries(IMAGE_COLUMNS).flatMap(([column, field]) => {
    const text = texts.get(column)?.text.trim() ?? '';
    return text === '' ? [] : [[field, text] as const];
  });
  if (given.length === 0 || !isUuid(owner)) return undefined;
  const uuid = deriveUuid(owner, 'image');
  const { url, ...others } = Object.fromEntries(given);
  if (url === undefined) {
    refuse(
      'image_url',
      'is missing, but other image columns are filled: expected the URL or path of the image',
    );
    return undefined;
  }
  const place = isWebAddress(url) ? { url } : { path: url };
  const parsed = fileObject.safeParse({ id: idOfUuid(uuid), uuid, filetype: 'image', ...place, ...others });
  for (const { path, message } of parsed.error?.issues ?? []) {
    refuse(path[0] === 'path' ? 'image_url' : columnOfField(String(path[0])), message);
  }
  return parsed.data;
}

function columnOfField(field: string): string {
  return Object.keys(IMAGE_COLUMNS).find((column) => IMAGE_COLUMNS[column] === field) ?? field;
}

/** Reads the table `archive`, which has one row. Adds its faults to `faults`. */
export async function readArchiveTable(
  source: SourceTable,
  faults: FaultList,
): Promise<ArchiveDescription | undefined> {
  const table = await readTable(source, faults);
  if (!table) return undefined;
  let archive: ArchiveDescription | undefined;
  let rows = 0;
  await isRead(table, faults, async () => {
    for await (const { at, row } of table.rows()) {
      rows += 1;
      if (rows > 1) {
        faults.add({
          ...table.place(at),
          reason: 'is a second row; expected one row that describes the archive',
        });
        return;
      }
      const { fields, faults: wrong } = readFields(row, ARCHIVE_COLUMNS);
      for (const { column, field, reason } of wrong)
        faults.add({ ...table.place(at, column), field, reason });
      archive = parseArchiveDescription(nestedArchive(fields), faults, (path) => {
        const field = nameOfPath(path);
        return { ...table.place(at, table.columnOf(field)), field };
      });
    }
  });
  return archive;
}

/** Nests the columns of the table `archive` as in `archive.json`. */
export function nestedArchive(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const archive: Record<string, unknown> = {};
  for (const { name, path } of ARCHIVE_COLUMNS) {
    const value = fields[name];
    const [first, second] = path;
    if (value === undefined) continue;
    archive[first] = second === undefined ? value : { ...Object(archive[first]), [second]: value };
  }
  return archive;
}

/** The column of the table `archive` for a path in `archive.json`. */
export function nameOfPath([first, second]: readonly PropertyKey[]): string {
  const found = ARCHIVE_COLUMNS.find(
    ({ path }) => path[0] === first && (second === undefined || path[1] === second),
  );
  return found?.name ?? String(first);
}
