import { randomUUID } from 'node:crypto';
import {
  ARCHIVE_COLUMNS,
  deriveUuid,
  IMAGE_COLUMNS,
  idOfUuid,
  RECORD_COLUMNS,
  type RowTexts,
} from '@archiefkast/formats';
import { COLLECTIONS, isUuid, isWebAddress, type Kind } from '@archiefkast/types';
import { KIND_FACTS } from '@archiefkast/types/internal';
import {
  ARCHIVE_FILE,
  type ArchiveDescription,
  parseArchiveDescription,
  readArchiveDescription,
} from '../archive-description.ts';
import { describeOrigin, type Fault, type FaultList } from '../faults.ts';
import { pageFileAt, withPagesOf } from '../own-pages.ts';
import { READING_ORDER } from '../record-schemas.ts';
import type { RecordSource } from '../record-source.ts';
import { type FilesOfRecord, readFiles } from './files-table.ts';
import { identifyRecords } from './known-records.ts';
import { findTables, openTables, readSoundly, type SourceTable, type TableSource } from './open-tables.ts';
import { type ReadTable, type Refuse, readRows, readTable } from './read-table.ts';

/**
 * Opens the records of tables: references are resolved to uuids, missing uuids derived, and images and files added to
 * their records.
 *
 * @param path a folder, or a workbook
 * @param files the names of the CSV files in the folder
 * @param faults faults of the tables as a whole are added to it
 * @param onRow called for every row that is read to know the records; an error that it throws ends the reading
 * @throws BundleError if the file is not a workbook
 */
export async function openTableRecords(
  path: string,
  files: readonly string[] | undefined,
  faults: FaultList,
  onRow: () => void,
): Promise<RecordSource> {
  const source = await openTables(path, files, faults);
  try {
    return await readTables(source, faults, onRow);
  } catch (error) {
    source.close();
    throw error;
  }
}

/**
 * The records of tables: references are resolved to uuids, missing uuids derived, and images and files added to their records.
 *
 * @param faults faults of the tables as a whole are added to it
 * @param onRow called for every row that is read to know the records; an error that it throws ends the reading
 */
export async function readTables(
  source: TableSource,
  faults: FaultList,
  onRow: () => void,
): Promise<RecordSource> {
  const found = await findTables(source, faults);
  const archiveTable = found.get('archive');
  const archive = archiveTable
    ? await readArchiveTable(archiveTable, source.folder, faults)
    : source.folder === undefined
      ? undefined
      : await readArchiveDescription(source.folder, faults);
  const tables = new Map<Kind, ReadTable>();
  for (const kind of READING_ORDER) {
    const name = COLLECTIONS[kind];
    const table = found.get(name);
    const reason = 'is missing; a kind without records needs a table with only a header row';
    if (!table) faults.add({ ...source.missing(name), reason });
    const read = table && (await readTable(table, faults));
    if (read) tables.set(kind, read);
  }
  const filesTable = found.get('files');
  const files = filesTable && (await readTable(filesTable, faults));
  const known = await identifyRecords(tables, archive?.uuid, faults, onRow);
  const owners = files
    ? await readSoundly(files.place, faults, () => readFiles(files, known, faults))
    : new Map<string, FilesOfRecord>();
  if (!owners) throw faults.error();
  if (known.withoutUuid > 0) faults.add(missingArchiveUuid(source, archive, known.withoutUuid));
  /** Images and files by kind and row of the record, of those that were read. */
  const filesAt = new Map<string, FilesOfRecord>();

  /** The uuids of the records that the fields of a row refer to, or the id of a parent. */
  const resolve = (kind: Kind, fields: Record<string, unknown>, refuse: Refuse) => {
    for (const { name, target = kind, type } of RECORD_COLUMNS[kind]) {
      if (!type.startsWith('reference') || fields[name] === undefined) continue;
      const found = [fields[name]].flat().flatMap((reference) => {
        const record = known.resolve(target, String(reference), (reason) => refuse(name, reason));
        return record ? [name === 'parent' ? record.id : record.uuid] : [];
      });
      fields[name] = type === 'references' ? found : found[0];
    }
  };

  return {
    archive,
    archiveAt: source.missing('archive'),
    folder: source.folder,
    unread: READING_ORDER.filter((kind) => !tables.has(kind)),
    fileOf: (kind) => tables.get(kind)?.title ?? source.missing(COLLECTIONS[kind]).file,
    at(kind, at, field) {
      const table = tables.get(kind);
      if (!table) return source.missing(COLLECTIONS[kind]);
      if (field === undefined) return table.place(at);
      const { number, of } = FIELD_OF_FILE.exec(field)?.groups ?? {};
      if (of === undefined) return table.cell(at, field);
      const { image, files } = filesAt.get(`${kind} ${at}`) ?? {};
      const listed = number === undefined ? image : files?.[Number(number)];
      return listed?.cell(of) ?? table.cell(at, columnOfField(of === 'path' ? 'url' : of));
    },
    async *records(kind, faults) {
      const table = tables.get(kind);
      if (!table) return;
      for await (const { at, row, fields, refuse } of readRows(table, RECORD_COLUMNS[kind], faults)) {
        // A row with a uuid comes from an archive, whose record may have no title.
        const isNameless = kind === 'person' && !fields['uuid'] && !fields['title_nl'] && !fields['title_en'];
        const name = isNameless
          ? ['first_name', 'infix', 'last_name'].flatMap((part) => fields[part] || [])
          : [];
        if (name.length > 0) Object.assign(fields, { title_nl: name.join(' '), title_en: name.join(' ') });
        fields['uuid'] ??= known.uuidOf(kind, fields['id'], at);
        resolve(kind, fields, refuse);
        const uuid = String(fields['uuid'] ?? '').toLowerCase();
        const own = owners.get(uuid);
        if (own) filesAt.set(`${kind} ${at}`, own);
        const image = imageOf(row, uuid, refuse);
        if (image && own?.image) {
          const other = describeOrigin(own.image.cell('id'));
          refuse('image_url', `is a second image of this ${kind}; the other is at ${other}`);
        }
        if (image ?? own?.image) fields[KIND_FACTS[kind].image] = image ?? own?.image?.file;
        if (own && own.files.length > 0) fields['files'] = own.files.map(({ file }) => file);
        let length = 0;
        for (const text of row.texts.values()) length += text.length;
        yield { at, value: fields, length, isNamedByParts: name.length > 0 };
      }
    },
    close: source.close,
  };
}

/**
 * The fault of an archive without a uuid that has records without one: it gives a new one, and says where to put it.
 *
 * @param count number of records and files without a uuid
 */
function missingArchiveUuid(
  source: TableSource,
  archive: ArchiveDescription | undefined,
  count: number,
): Fault {
  const uuid = randomUUID();
  const many = count === 1 ? 'that of 1 record' : `those of ${count} records`;
  const what = `the archive has no uuid, from which ${many} would be derived`;
  const place = source.missing('archive');
  if (source.tables.some(({ name }) => name === 'archive'))
    return { ...place, reason: `${what}; put ${uuid} into its column uuid` };
  if (archive)
    return { file: ARCHIVE_FILE, field: 'uuid', reason: `is missing: ${what}; add "uuid": "${uuid}"` };
  if (source.folder === undefined) {
    const how = `add a sheet archive, with uuid, title_nl and title_en in row 1, and ${uuid} and the titles in row 2`;
    return { ...place, reason: `${what}; ${how}` };
  }
  const example = `uuid,title_nl,title_en\n${uuid},Mijn archief,My archive`;
  return { ...place, reason: `${what}; save these lines as archive.csv:`, example };
}

/** A field of an image or file: `image.url`, `files[0].alt`. */
const FIELD_OF_FILE = /^(?:(?:main_)?image|files\[(?<number>\d+)\])\.(?<of>\w+)$/;

/** The image given in the row of its record; its uuid is derived from the record's. */
function imageOf({ texts }: RowTexts, owner: string, refuse: Refuse): object | undefined {
  const given = Object.entries(IMAGE_COLUMNS).map(([column, field]) => [field, texts.get(column)?.trim()]);
  const { url, ...others }: Partial<Record<string, string>> = Object.fromEntries(
    given.filter(([, text]) => text),
  );
  if (!isUuid(owner)) return undefined;
  if (url === undefined) {
    const reason = 'is missing, but other image columns are filled: expected the URL or path of the image';
    if (Object.keys(others).length > 0) refuse('image_url', reason);
    return undefined;
  }
  const uuid = deriveUuid(owner, 'image');
  const place = isWebAddress(url) ? { url } : { path: url };
  const size = ['width', 'height'].flatMap((field) => {
    const text = others[field];
    return text !== undefined && /^\d+$/.test(text) ? [[field, Number(text)]] : [];
  });
  return { id: idOfUuid(uuid), uuid, filetype: 'image', ...place, ...others, ...Object.fromEntries(size) };
}

function columnOfField(field: string): string {
  return Object.keys(IMAGE_COLUMNS).find((column) => IMAGE_COLUMNS[column] === field) ?? field;
}

/** Reads the table `archive`, which has one row, and the pages beside it. Adds its faults to `faults`. */
async function readArchiveTable(
  source: SourceTable,
  folder: string | undefined,
  faults: FaultList,
): Promise<ArchiveDescription | undefined> {
  const table = await readTable(source, faults);
  if (!table) return undefined;
  const rows = await readSoundly(table.place, faults, () =>
    Array.fromAsync(readRows(table, ARCHIVE_COLUMNS, faults)),
  );
  const [first, second] = rows ?? [];
  if (second) {
    const reason = 'is a second row; expected one row that describes the archive';
    faults.add({ ...table.place(second.at), reason });
  }
  if (!first) return undefined;
  const archive: Record<string, unknown> = {};
  for (const { name, path } of ARCHIVE_COLUMNS) {
    const [key, part] = path;
    const value = first.fields[name];
    if (value === undefined) continue;
    archive[key] = part === undefined ? value : { ...Object(archive[key]), [part]: value };
  }
  // Of a path, or the start of one.
  const columnAt = (steps: readonly PropertyKey[]) =>
    ARCHIVE_COLUMNS.find(({ path }) => steps.every((step, index) => path[index] === step));
  const described = folder === undefined ? archive : await withPagesOf(folder, archive, faults);
  return parseArchiveDescription(described, faults, (path) => {
    const file = pageFileAt(archive, path);
    return file ? { file } : first.cell(columnAt(path.slice(0, 2))?.name ?? String(path[0]));
  });
}
