import { createReadStream } from 'node:fs';
import { readCsv } from './csv.ts';
import { explainColumns } from './tables/explain-columns.ts';
import { TABLE_COLUMNS } from './tables/table-columns.ts';
import { sheetColumn, type TableContent } from './tables/write-tables.ts';

/** The tables of the template: two records of each kind, with image, footnote and references. */
const FOLDER = new URL('../template/', import.meta.url);

/**
 * Reads the tables of the template, and explains every column.
 *
 * @param uuid UUID of the archive
 */
export async function templateTables(uuid: string): Promise<TableContent[]> {
  const tables = TABLE_COLUMNS.map(async ([name, known]): Promise<TableContent> => {
    const rows: string[][] = [];
    for await (const { cells } of readCsv(createReadStream(new URL(`${name}.csv`, FOLDER)))) rows.push(cells);
    const [header = [], ...records] = rows;
    const columns = header.flatMap((title) => {
      const column = known.find((one) => one.name === title.replace(/_markdown$/, ''));
      return column ? [sheetColumn(title, column)] : [];
    });
    const withUuid = (row: string[]) => (name === 'archive' ? row.with(header.indexOf('uuid'), uuid) : row);
    return {
      name,
      columns,
      rows: async function* () {
        yield* records.map(withUuid);
      },
    };
  });
  return [...(await Promise.all(tables)), explanation()];
}

/** The sheet that explains every column; it is ignored, because its name starts with `_`. */
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
