import { COLLECTIONS, KINDS } from '@archiefkast/types/kinds';
import { type ReadingColumn, readingTables } from './reading-tables/reading-tables.ts';

export interface PackageSource {
  homepage: string;
  language: string;
  /** The edition, if the archive names one. */
  edition: string | null;
  title?: string | undefined;
  description?: string | undefined;
  licence?: { name: string; url: string } | undefined;
}

export interface PackageFile {
  name: string;
  bytes: number;
  sha256: string;
  header?: readonly string[];
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/jsonl',
  geojson: 'application/geo+json',
  graphml: 'application/graphml+xml',
  sqlite: 'application/vnd.sqlite3',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The media type of a file, by the end of its name; undefined if unknown. */
export function mediaTypeOf(name: string): string | undefined {
  return MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)];
}

/** Creates the descriptor of a data package (Frictionless Data Package 2.0): content and hash of each file. */
export function dataPackage(source: PackageSource, files: readonly PackageFile[]): object {
  const { homepage, language, edition, title, description, licence } = source;
  const tables = new Set(files.filter(({ header }) => header).map(({ name }) => name));
  return {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: 'archive',
    title: title || `Archive at ${homepage}`,
    ...(description ? { description } : {}),
    homepage,
    ...(edition === null ? {} : { version: edition }),
    ...(licence ? { licenses: [{ title: licence.name, path: licence.url }] } : {}),
    sources: [{ title: `${homepage} (${language})`, path: homepage }],
    resources: files.map((file) => resource(file, tables)),
  };
}

function resource({ name, bytes, sha256, header }: PackageFile, tables: ReadonlySet<string>): object {
  const format = name.slice(name.lastIndexOf('.') + 1);
  return {
    name: header ? name.slice(0, name.lastIndexOf('.')) : name.toLowerCase().replaceAll('/', '-'),
    path: name,
    ...(header ? { type: 'table' } : {}),
    format,
    ...(MEDIA_TYPES[format] ? { mediatype: MEDIA_TYPES[format] } : {}),
    ...(format === 'csv' ? { encoding: 'utf-8' } : {}),
    bytes,
    hash: `sha256:${sha256}`,
    ...(header ? { schema: schema(name, header, tables) } : {}),
  };
}

const TABLES = new Map(readingTables(KINDS, { both: true }).map((table) => [`${table.name}.csv`, table]));

/** Whether a file is a table for reading. */
export function isReadingTable(name: string): boolean {
  return TABLES.has(name);
}

function schema(name: string, header: readonly string[], tables: ReadonlySet<string>): object {
  const { kind, columns = [] } = TABLES.get(name) ?? {};
  const known = new Map(columns.map((column) => [column.name, column]));
  const keys = columns.flatMap((column) => foreignKey(name, column, tables));
  return {
    $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
    fields: header.map((column) => field(column, known.get(column), kind !== undefined)),
    missingValues: [''],
    ...(kind ? { primaryKey: ['uuid'] } : {}),
    ...(keys.length > 0 ? { foreignKeys: keys } : {}),
  };
}

/** @param isRecords whether the rows are records, so that uuids and ids are unique */
function field(name: string, column: ReadingColumn | undefined, isRecords: boolean): object {
  if (!column) return { name, type: 'string', description: 'A field that the contract does not know.' };
  const { type, description } = column;
  const isKey = isRecords && (name === 'uuid' || name === 'id');
  return {
    name,
    type,
    ...(type === 'list' ? { itemType: 'string', delimiter: '|' } : {}),
    description,
    ...(isKey ? { constraints: { required: true, unique: true } } : {}),
  };
}

/** A foreign key to a record in another table of the package. */
function foreignKey(
  file: string,
  { name, type, link }: ReadingColumn,
  tables: ReadonlySet<string>,
): object[] {
  if (!link || type === 'list') return [];
  const to = COLLECTIONS[link.kind];
  if (!tables.has(`${to}.csv`)) return [];
  const isOwn = file === `${to}.csv`;
  return [{ fields: [name], reference: { ...(isOwn ? {} : { resource: to }), fields: [link.key] } }];
}
