import {
  CELL_LIMIT,
  type PlainColumn,
  type SheetColumn,
  type SheetContent,
  writeWorkbook,
} from '@archiefkast/formats';
import type { Format, FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { readingTables } from './reading-tables.ts';
import { createRowContexts } from './row-contexts.ts';

const NAME = 'archive.xlsx';

/** Suffix of a truncated cell. */
const CUT = ' […]';

/** Maximum number of rows below the header of a sheet. */
const MOST_ROWS = 1_048_575;

/** A workbook for reading, with a sheet for each kind. Texts longer than a cell are truncated and reported. */
export const xlsxFormat: Format = {
  name: 'xlsx',
  files: (source, options) => [
    {
      name: NAME,
      async *parts() {
        for await (const bytes of writeWorkbook(sheets(source, options))) yield [bytes];
      },
    },
  ],
};

function sheets(source: HarvestSource, options: FormatOptions): SheetContent[] {
  const contextFor = createRowContexts(source, options);
  return readingTables(source.kinds, options).map(({ name, kind: own, columns, rows }) =>
    sheet(name, columns, options, async function* () {
      for (const kind of own ? [own] : source.kinds) {
        const context = await contextFor(kind, own !== undefined);
        for await (const some of source.completeRecords(kind)) {
          for (const record of some) yield* rows(kind, record, context);
        }
      }
    }),
  );
}

function sheet(
  name: string,
  columns: readonly PlainColumn[],
  { warn }: FormatOptions,
  read: () => AsyncGenerator<string[]>,
): SheetContent {
  const key = columns.findIndex((column) => /^(record_)?uuid$/.test(column.name));
  async function* rows() {
    let count = 0;
    for await (const row of read()) {
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

function sheetColumn({ name, type }: PlainColumn): SheetColumn {
  const isText = /^(content|description|summary|text)(_nl|_en)?$/.test(name);
  return {
    header: name,
    type: type === 'integer' ? 'number' : type === 'number' ? 'decimal' : 'text',
    width: isText
      ? 60
      : /uuid$/.test(name)
        ? 38
        : type === 'integer'
          ? 10
          : /name|title/.test(name)
            ? 28
            : 16,
  };
}
