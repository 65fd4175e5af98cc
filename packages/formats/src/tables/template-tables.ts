import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { explainColumns } from './explain-columns.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
} from './table-columns.ts';
import { sheetColumn, type TableContent } from './table-contents.ts';
import { TEMPLATE_ARCHIVE, TEMPLATE_FILES, TEMPLATE_RECORDS, type TemplateRow } from './template-records.ts';

/** Columns that a beginner does without; what they are for stands in the explanation. */
const LEFT_OUT = new Set(['uuid', 'published', 'pictures']);

/**
 * The tables of an archive to start from: two records of each kind, with image, footnote and references, and an
 * explanation of every column.
 *
 * @param uuid of the archive
 */
export function templateTables(uuid: string): TableContent[] {
  const kinds: readonly Kind[] = ['person', 'subject', 'location', 'event'];
  return [
    ...kinds.map((kind) => table(COLLECTIONS[kind], templateColumns(kind), TEMPLATE_RECORDS[kind])),
    table(
      'files',
      FILE_COLUMNS.filter(({ name }) => !LEFT_OUT.has(name)),
      TEMPLATE_FILES,
    ),
    table('archive', ARCHIVE_COLUMNS, [{ ...TEMPLATE_ARCHIVE, uuid }]),
    explanation(),
  ];
}

/** HTML is written as Markdown, and an image in the row of its record. */
function templateColumns(kind: Kind): TableColumn[] {
  const columns = RECORD_COLUMNS[kind]
    .filter(({ name }) => !LEFT_OUT.has(name))
    .map((column) => (column.type === 'html' ? { ...column, name: `${column.name}_markdown` } : column));
  return [...columns, ...Object.keys(IMAGE_COLUMNS).map((name): TableColumn => ({ name, type: 'text' }))];
}

function table(
  name: TableContent['name'],
  columns: readonly TableColumn[],
  rows: readonly TemplateRow[],
): TableContent {
  return {
    name,
    columns: columns.map((column) => sheetColumn(column.name, column)),
    async *rows() {
      for (const row of rows) yield columns.map((column) => row[column.name] ?? '');
    },
  };
}

/** The sheet that explains every column; its name begins with `_`, so that it is left alone. */
function explanation(): TableContent {
  const column = (header: string, width: number) => ({ header, type: 'text' as const, width, wrap: true });
  return {
    name: '_uitleg_help',
    columns: [
      column('blad / sheet', 12),
      column('kolom / column', 20),
      column('verplicht / required', 20),
      column('wat het is', 100),
      column('what it is', 100),
      column('in de cel', 64),
      column('in the cell', 64),
    ],
    async *rows() {
      for (const { table, name, isRequired, english, dutch, cells } of explainColumns()) {
        yield [table, name, isRequired ? 'ja / yes' : '', dutch, english, cells.dutch, cells.english];
      }
    },
  };
}
