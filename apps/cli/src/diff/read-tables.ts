import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, FolderError } from '@archiefkast/client/node';
import {
  ARCHIVE_COLUMNS,
  type Cell,
  columnNames,
  deriveUuid,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  idOfUuid,
  isMadeForReading,
  openWorkbook,
  RECORD_COLUMNS,
  type RowTexts,
  readCsv,
  readFields,
  readHeader,
  readTexts,
  referenceNames,
  TABLE_COLUMNS,
  type TableColumn,
} from '@archiefkast/formats';
import {
  COLLECTIONS,
  forKinds,
  isWebAddress,
  KIND_FACTS,
  KINDS,
  type Kind,
  uuidOfReference,
} from '@archiefkast/types';

/** A row of a table: its texts by column, and where it is. */
interface Row extends RowTexts {
  place: string;
}

/** A record of a table, with the row that it is made from. */
interface TableRecord {
  fields: Record<string, unknown>;
  uuid: string;
  row: Row;
}

/**
 * Reads the records of tables, a folder of CSV files or a workbook, as JSON lines have them: with uuids, references as uuids,
 * and images and files.
 *
 * @param uuid that of the archive, if a file beside the tables has it
 * @returns undefined if the path has no table of a bundle
 * @throws FolderError at the first row that cannot be read; CsvError or WorkbookError if a table cannot be read
 */
export async function readTables(
  path: string,
  uuid: unknown,
): Promise<ReadonlyMap<Kind, readonly Fields[]> | undefined> {
  const tables = await openTables(path);
  if (!KINDS.some((kind) => tables.has(COLLECTIONS[kind]))) return undefined;
  const [description] = tables.get('archive') ?? [];
  const archive = description ? fieldsOf(description, ARCHIVE_COLUMNS)['uuid'] : uuid;
  const all = forKinds((kind): TableRecord[] =>
    (tables.get(COLLECTIONS[kind]) ?? []).map((row) => {
      const fields = fieldsOf(row, RECORD_COLUMNS[kind]);
      const uuid = String(fields['uuid'] ?? derived(row, archive, `${kind}/${fields['id']}`)).toLowerCase();
      return { fields: { ...fields, uuid }, uuid, row };
    }),
  );
  const known = forKinds((kind) => indexOf(kind, all[kind]));
  for (const kind of KINDS) {
    for (const { fields, row, uuid } of all[kind]) {
      for (const { name, target = kind, type } of RECORD_COLUMNS[kind]) {
        if (!type.startsWith('reference') || fields[name] === undefined) continue;
        const found = [fields[name]].flat().map((text) => {
          const record = find(known[target], String(text));
          if (!record) throw new FolderError(`${row.place}: ${name}: "${text}" is no ${target}, or several`);
          return name === 'parent' ? record.fields['id'] : record.uuid;
        });
        fields[name] = type === 'references' ? found : found[0];
      }
      const image = imageOf(row, uuid);
      if (image) fields[KIND_FACTS[kind].image] = image;
    }
  }
  const files = tables.get('files') ?? [];
  const orderOf = ({ texts }: Row) => Number(texts.get('order') ?? Number.POSITIVE_INFINITY);
  for (const row of files.toSorted((a, b) => orderOf(a) - orderOf(b))) addFile(row, archive, known);
  const present = KINDS.filter((kind) => tables.has(COLLECTIONS[kind]));
  return new Map(present.map((kind) => [kind, all[kind].map(({ fields }) => fields)]));
}

async function openTables(path: string): Promise<Map<string, Row[]>> {
  const tables = new Map<string, Row[]>();
  const workbook = /\.xlsx$/i.test(path) ? await openWorkbook(path) : undefined;
  try {
    for (const [name] of TABLE_COLUMNS) {
      const file = join(path, `${name}.csv`);
      const sheet = workbook?.sheets.find((each) => each.name === name);
      if (sheet) tables.set(name, await rowsOf(name, `${path}: ${name}!`, sheet.rows()));
      else if (!workbook && existsSync(file)) {
        tables.set(name, await rowsOf(name, `${file}:`, readCsv(createReadStream(file))));
      }
    }
    return tables;
  } finally {
    workbook?.close();
  }
}

async function rowsOf(
  name: string,
  place: string,
  all: AsyncIterable<{ cells: readonly Cell[] } & ({ line: number } | { number: number })>,
): Promise<Row[]> {
  let header: ReturnType<typeof readHeader> | undefined;
  const rows: Row[] = [];
  for await (const { cells, ...at } of all) {
    const where = `${place}${'line' in at ? at.line : at.number}`;
    if (header) {
      rows.push({ ...readTexts(cells, header.columns), place: where });
      continue;
    }
    const names = cells.map(String);
    if (name !== 'files' && isMadeForReading(names))
      throw new FolderError(`${where}: is for reading; compare the harvest itself`);
    header = readHeader(names, columnNames(name));
    const [fault] = header.faults;
    if (fault)
      throw new FolderError(`${where}: ${fault.header}: is not a column of ${name}, or a second one`);
  }
  return rows;
}

function fieldsOf(row: Row, columns: readonly TableColumn[]): Record<string, unknown> {
  const { fields, faults } = readFields(row, columns);
  if (faults[0]) throw new FolderError(`${row.place}: ${faults[0].field}: ${faults[0].reason}`);
  return fields;
}

function derived({ place }: Row, archive: unknown, name: string): string {
  if (typeof archive === 'string') return deriveUuid(archive, name);
  throw new FolderError(`${place}: has no uuid, nor has the archive, from which it would be derived`);
}

/** Records by uuid, id and name; those of which several have a name are null. */
function indexOf(kind: Kind, records: readonly TableRecord[]): Map<string, TableRecord | null> {
  const index = new Map<string, TableRecord | null>();
  for (const record of records) {
    for (const name of referenceNames(kind, (field) => String(record.fields[field] ?? '')))
      index.set(name, index.has(name) ? null : record);
  }
  for (const record of records) index.set(record.uuid, record).set(String(record.fields['id']), record);
  return index;
}

function find(index: ReturnType<typeof indexOf>, text: string): TableRecord | null | undefined {
  return index.get(uuidOfReference(text) ?? text);
}

/** The image of the columns of a record. */
function imageOf({ texts }: Row, owner: string): object | undefined {
  const { url, ...others } = Object.fromEntries(
    Object.entries(IMAGE_COLUMNS).flatMap(([column, field]) => {
      const text = texts.get(column)?.trim();
      return text ? [[field, text]] : [];
    }),
  );
  if (url === undefined) return undefined;
  const uuid = deriveUuid(owner, 'image');
  return {
    id: idOfUuid(uuid),
    uuid,
    filetype: 'image',
    ...(isWebAddress(url) ? { url } : { path: url }),
    ...others,
  };
}

function addFile(
  row: Row,
  archive: unknown,
  known: Readonly<Record<Kind, ReturnType<typeof indexOf>>>,
): void {
  const { owner_kind, owner, role, order: _, ...file } = fieldsOf(row, FILE_COLUMNS);
  const kind = KINDS.find((each) => each === owner_kind) ?? 'person';
  const record = find(known[kind], String(owner));
  if (!record) throw new FolderError(`${row.place}: owner: "${owner}" is no ${kind}, or several`);
  file['uuid'] ??= derived(row, archive, `file/${file['id']}`);
  const { fields } = record;
  if (role === 'image') fields[KIND_FACTS[kind].image] = file;
  else fields['files'] = [fields['files'] ?? [], file].flat();
}
