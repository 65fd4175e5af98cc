import { createReadStream } from 'node:fs';
import { readCsv } from './csv.ts';
import { COLUMN_TYPES } from './tables/column-types.ts';
import { TABLE_COLUMNS, type TableName } from './tables/table-columns.ts';
import { sheetColumn } from './tables/write-tables.ts';
import type { SheetContent } from './workbook/write-workbook.ts';

/** The tables of the template: two records of each kind, with image, footnote and references. */
const FOLDER = new URL('../template/', import.meta.url);

/** Reads the tables of the template, for the uuid of an archive, and explains every column. */
export async function templateTables(uuid: string): Promise<SheetContent[]> {
  const tables = TABLE_COLUMNS.map(async ([name, known]): Promise<SheetContent> => {
    const rows = readCsv(createReadStream(new URL(`${name}.csv`, FOLDER)));
    const [header = [], ...records] = await Array.fromAsync(rows, ({ cells }) => cells);
    const columns = header.flatMap((title) => {
      const column = known.find((one) => one.name === title.replace(/_markdown$/, ''));
      return column ? [sheetColumn(title, column)] : [];
    });
    const withUuid = (row: string[]) => (name === 'archive' ? row.with(header.indexOf('uuid'), uuid) : row);
    return { name, columns, rows: records.map(withUuid) };
  });
  return [...(await Promise.all(tables)), EXPLANATION];
}

const column = (header: string, width: number) => ({ header, type: 'text' as const, width, wrap: true });

/** The sheet that explains every column; it is ignored, because its name starts with `_`. */
const EXPLANATION: SheetContent = {
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
  rows: TABLE_COLUMNS.flatMap(([table, columns]) =>
    columns.map(({ name, type, en, inTables = en, nl }) => {
      const cells = COLUMN_TYPES[type];
      const required = isRequired(table, name) ? 'ja / yes' : '';
      return [table, name, required, nl, inTables, cells.nl, cells.en];
    }),
  ),
};

function isRequired(table: TableName, name: string): boolean {
  if (table === 'archive') return name === 'title_nl' || name === 'title_en';
  return name === 'id' || (table === 'files' && ['owner_kind', 'owner', 'role'].includes(name));
}
