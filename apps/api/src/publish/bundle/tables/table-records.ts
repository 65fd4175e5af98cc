import {
  ARCHIVE_COLUMNS,
  deriveUuid,
  IMAGE_COLUMNS,
  idOfUuid,
  RECORD_COLUMNS,
  type RowTexts,
  readFields,
} from '@archiefkast/formats';
import {
  COLLECTIONS,
  type FileObject,
  isUuid,
  isWebAddress,
  KIND_FACTS,
  type Kind,
} from '@archiefkast/types';
import type { ArchiveDescription } from '../../../storage/edition.ts';
import { parseArchiveDescription, readArchiveDescription } from '../archive-description.ts';
import { describeOrigin, type FaultList, type Origin, type Rank } from '../faults.ts';
import { fileObject, READING_ORDER } from '../record-schemas.ts';
import type { RecordSource, SourceRecord } from '../record-source.ts';
import { type FilesOfRecord, readFiles } from './files-table.ts';
import { identifyRecords, type KnownRecords } from './known-records.ts';
import { missingArchiveUuid } from './missing-archive-uuid.ts';
import { isRead, type ReadTable, readTable } from './read-table.ts';
import type { SourceTable, TableSource } from './table-source.ts';

/**
 * Opens the records of tables: references are resolved to uuids, missing uuids derived, and images and files added to
 * their records.
 *
 * @param faults faults of the tables as a whole are added to it
 * @param onRow called for every row that is read to know the records; an error that it throws ends the reading
 */
export async function openTableRecords(
  source: TableSource,
  faults: FaultList,
  onRow: () => void,
): Promise<RecordSource> {
  const archive = await readArchive(source, faults);
  const tables = new Map<Kind, ReadTable>();
  for (const kind of READING_ORDER) {
    const name = COLLECTIONS[kind];
    const table = source.tables.get(name);
    const read = table && (await readTable(table, faults));
    if (read) tables.set(kind, read);
    else if (!table && !source.misnamed.has(name)) {
      const reason = 'is missing; a kind without records needs a table with only a header row';
      faults.add({ ...source.missing(name), reason }, 'table');
    }
  }
  const fileTable = source.tables.get('files');
  const files = fileTable && (await readTable(fileTable, faults));
  const known = await identifyRecords(tables, files, archive?.uuid, faults, onRow);
  const owners: ReadonlyMap<string, FilesOfRecord> = files
    ? await readFiles(files, known, archive?.uuid, faults)
    : new Map();
  if (known.withoutUuid > 0) faults.add(missingArchiveUuid(source, archive, known.withoutUuid), 'table');
  const context = { known, owners, files, filesAt: new Map<string, FilesOfRecord>() };
  return {
    archive,
    unread: READING_ORDER.filter((kind) => !tables.has(kind)),
    fileOf: (kind) => tables.get(kind)?.title ?? source.missing(COLLECTIONS[kind]).file,
    at(kind, at, field) {
      const table = tables.get(kind);
      return table ? originIn(kind, table, at, field, context) : source.missing(COLLECTIONS[kind]);
    },
    records(kind, faults) {
      const table = tables.get(kind);
      return table ? readRows(kind, table, { ...context, faults }) : noRows();
    },
    close: source.close,
  };
}

async function* noRows(): AsyncGenerator<never> {}

/** The description of the archive: a table, or a file beside the tables. */
async function readArchive(source: TableSource, faults: FaultList): Promise<ArchiveDescription | undefined> {
  const table = source.tables.get('archive');
  if (table) return readArchiveTable(table, faults);
  return source.folder === undefined ? undefined : readArchiveDescription(source.folder, faults);
}

/** What is known of all tables before their rows become records. */
interface TableContext {
  known: KnownRecords;
  /** Images and files by the uuid of their record. */
  owners: ReadonlyMap<string, FilesOfRecord>;
  files: ReadTable | undefined;
  /** The same by kind and row of the record, of those that were read. */
  filesAt: Map<string, FilesOfRecord>;
}

async function* readRows(
  kind: Kind,
  table: ReadTable,
  context: TableContext & { faults: FaultList },
): AsyncGenerator<SourceRecord> {
  const toRecord = createRowReader(kind, table, context);
  for await (const { at, row } of table.rows()) {
    let length = 0;
    for (const { text } of row.texts.values()) length += text.length;
    yield { at, value: toRecord(at, row), length };
  }
}

/** A field of an image or file: `image.url`, `files[0].alt`. */
const FIELD_OF_FILE = /^(?:(?:main_)?image|files\[(?<number>\d+)\])\.(?<of>\w+)$/;

/** The cell of a field of a record, or of its image or file, which may be in the table `files`. */
function originIn(
  kind: Kind,
  table: ReadTable,
  at: number,
  field: string | undefined,
  { files, filesAt }: TableContext,
): Origin {
  if (field === undefined) return table.place(at);
  const { number, of } = FIELD_OF_FILE.exec(field)?.groups ?? {};
  if (of === undefined) {
    const name = columnName(table, field);
    return { field: name, ...table.place(at, table.columnOf(name)) };
  }
  const own = filesAt.get(`${kind} ${at}`);
  const inFiles = number === undefined ? own?.image?.at : own?.files[Number(number)]?.at;
  if (files && inFiles !== undefined) return { ...files.place(inFiles, files.columnOf(of)), field: of };
  const name = columnOfField(of === 'path' ? 'url' : of);
  return { field: name, ...table.place(at, table.columnOf(name)) };
}

/** The column name of a field: HTML may be given as plain text or Markdown, in a column with a suffix. */
function columnName({ columnOf }: ReadTable, field: string): string {
  const [base = field] = field.split(/[[.]/, 1);
  const names = [base, `${base}_text`, `${base}_markdown`];
  return names.find((name) => columnOf(name) !== undefined) ?? field;
}

/** Creates the function that converts a row of a kind's table to a record. */
function createRowReader(
  kind: Kind,
  table: ReadTable,
  { known, owners, files, filesAt, faults }: TableContext & { faults: FaultList },
) {
  const columns = RECORD_COLUMNS[kind];
  const references = columns.filter(({ type }) => type === 'reference' || type === 'references');
  const images = Object.keys(IMAGE_COLUMNS).filter((name) => table.columnOf(name) !== undefined);

  return (at: number, row: RowTexts): Record<string, unknown> => {
    const { fields, faults: wrong } = readFields(row, columns);
    const refuse = (field: string, reason: string, rank?: Rank) =>
      faults.add({ field, ...table.place(at, table.columnOf(field)), reason }, rank);
    for (const { column, field, reason } of wrong) faults.add({ field, ...table.place(at, column), reason });

    fields['uuid'] ??= known.uuidOf(kind, fields['id'], at);
    for (const { name, target = kind, type } of references) {
      if (fields[name] === undefined) continue;
      const found = [fields[name]].flat().flatMap((reference) => {
        const resolved = known.resolve(target, String(reference));
        if ('uuid' in resolved) return [name === 'parent' ? resolved.id : resolved.uuid];
        if (!known.isUnread(target)) refuse(name, resolved.fault, 'reference');
        return [];
      });
      fields[name] = type === 'references' ? found : found[0];
    }

    const uuid = ownUuid(fields);
    const own = owners.get(uuid);
    if (own) filesAt.set(`${kind} ${at}`, own);
    const image = images.length > 0 ? imageOf(row, uuid, refuse) : undefined;
    if (image && own?.image) {
      const other = files ? describeOrigin(files.place(own.image.at)) : '';
      refuse('image_url', `is a second image of this ${kind}; the other is at ${other}`);
    }
    if (image ?? own?.image) fields[KIND_FACTS[kind].image] = image ?? own?.image?.file;
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
): FileObject | undefined {
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
async function readArchiveTable(
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
        faults.add({ field, ...table.place(at, column), reason });
      archive = parseArchiveDescription(nestedArchive(fields), faults, (path) => {
        const field = nameOfPath(path);
        return { field, ...table.place(at, table.columnOf(field)) };
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
