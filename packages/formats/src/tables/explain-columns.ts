import { type ColumnType, KINDS } from '@archiefkast/types';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_TEXT_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
  type TableName,
} from './table-columns.ts';

/** The explanation of a column for users. */
export interface ExplainedColumn {
  table: TableName;
  name: string;
  isRequired: boolean;
  english: string;
  dutch: string;
  /** The content of its cells, in English and Dutch. */
  cells: { english: string; dutch: string };
}

/** Explains every column of every table, in English and Dutch. */
export function explainColumns(): ExplainedColumn[] {
  return [
    ...KINDS.flatMap((kind) =>
      [...RECORD_COLUMNS[kind], ...IMAGE_TEXT_COLUMNS].map((column) => explain(`${kind}s`, column)),
    ),
    ...FILE_COLUMNS.map((column) => explain('files', column)),
    ...ARCHIVE_COLUMNS.map((column) => explain('archive', column)),
  ];
}

function explain(table: TableName, { name, type, english, dutch }: TableColumn): ExplainedColumn {
  return {
    table,
    name,
    isRequired: isRequired(table, name),
    english,
    dutch,
    cells: { english: TYPE_IN_ENGLISH[type], dutch: TYPE_IN_DUTCH[type] },
  };
}

function isRequired(table: TableName, name: string): boolean {
  if (table === 'archive') return name === 'title_nl' || name === 'title_en';
  return name === 'id' || (table === 'files' && ['owner_kind', 'owner', 'role'].includes(name));
}

/** The content of cells of each type, in English. */
const TYPE_IN_ENGLISH: Readonly<Record<ColumnType, string>> = {
  id: 'whole number',
  uuid: 'UUID',
  boolean: 'true or false',
  text: 'text',
  nullable: 'text',
  html: 'HTML; or plain text in a column …_text; or Markdown in a column …_markdown',
  date: 'date, YYYY-MM-DD',
  degrees: 'decimal degrees with a point',
  reference: 'id, uuid or exact name of a record',
  references: 'ids, uuids or exact names of records, joined by |',
  urls: 'addresses, joined by |',
  json: 'a list as JSON',
};

/** The content of cells of each type, in Dutch. */
const TYPE_IN_DUTCH: Readonly<Record<ColumnType, string>> = {
  id: 'heel getal',
  uuid: 'UUID',
  boolean: 'true of false',
  text: 'tekst',
  nullable: 'tekst',
  html: 'HTML; of platte tekst in een kolom …_text; of Markdown in een kolom …_markdown',
  date: 'datum, JJJJ-MM-DD',
  degrees: 'decimale graden met een punt',
  reference: 'id, uuid of precieze naam van een record',
  references: 'id’s, uuid’s of precieze namen van records, gescheiden door |',
  urls: 'adressen, gescheiden door |',
  json: 'een lijst als JSON',
};
