import {
  CELL_LIMIT,
  type ReadingColumn,
  type ReadingTable,
  readingTables,
  type SheetColumn,
  type SheetContent,
  writeWorkbook,
} from '@archiefkast/formats';
import type { Format, FormatOptions } from './format.ts';
import type { HarvestSource } from './source.ts';

const NAME = 'archive.xlsx';

const CUT = ' […]';

/** Maximum number of rows below the header of a sheet. */
const MOST_ROWS = 1_048_575;

/** A workbook for reading, with a sheet for each kind. Texts longer than a cell are truncated and reported. */
export const xlsxFormat: Format = {
  names: () => [NAME],
  async write(source, open, options) {
    const file = open(NAME);
    if (!file) return;
    const sheets = readingTables(source.kinds, options).map((table) => sheet(table, source, options));
    for await (const bytes of writeWorkbook(sheets)) file.write(bytes);
  },
};

function sheet(table: ReadingTable, source: HarvestSource, { warn }: FormatOptions): SheetContent {
  const { name, columns } = table;
  const key = columns.findIndex((column) => /^(record_)?uuid$/.test(column.name));
  async function* rows() {
    let count = 0;
    for await (const row of rowsOf(table, source, warn)) {
      count += 1;
      if (count <= MOST_ROWS) {
        yield row.map((cell, index) => {
          if (cell.length <= CELL_LIMIT) return cell;
          warn(
            `${NAME}: ${columns[index]?.name} of ${name} ${row[key]} is truncated: a cell can contain ${CELL_LIMIT} characters`,
          );
          return `${cell.slice(0, CELL_LIMIT - CUT.length).toWellFormed()}${CUT}`;
        });
      }
    }
    if (count > MOST_ROWS)
      warn(`${NAME}: ${name} has ${MOST_ROWS} of ${count} rows: a sheet can contain no more`);
  }
  return {
    name,
    columns: columns.map(sheetColumn),
    hasFilter: true,
    rows: { [Symbol.asyncIterator]: () => rows() },
  };
}

async function* rowsOf(table: ReadingTable, source: HarvestSource, warn: FormatOptions['warn']) {
  for (const kind of table.kind ? [table.kind] : source.kinds) {
    const context = await source.context(kind, table.kind ? warn : undefined);
    for await (const some of source.completeRecords(kind)) {
      for (const record of some) yield* table.rows(kind, record, context);
    }
  }
}

/** Widths of columns of text, by the first pattern that their name matches; others have 16. */
const WIDTHS = [
  [/^(content|description|summary|text)(_nl|_en)?$/, 60],
  [/uuid$/, 38],
  [/name|title/, 28],
] as const;

function sheetColumn({ name, type }: ReadingColumn): SheetColumn {
  const [, width = 16] = WIDTHS.find(([pattern]) => pattern.test(name)) ?? [];
  if (type === 'integer') return { header: name, type: 'number', width: 10 };
  return { header: name, type: type === 'number' ? 'decimal' : 'text', width };
}
