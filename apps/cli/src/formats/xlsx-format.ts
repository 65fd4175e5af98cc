import {
  CELL_LIMIT,
  csvColumns,
  FILES_COLUMNS,
  FOOTNOTE_COLUMNS,
  fileReadingRows,
  footnoteRows,
  type PlainColumn,
  readingRow,
  type SheetColumn,
  type SheetContent,
  writeWorkbook,
} from '@archiefkast/formats';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format, FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { readSubjectNames } from './subject-names.ts';

const NAME = 'archive.xlsx';

/** What a cell ends with that was cut. */
const CUT = ' […]';

/** Rows under the header that a sheet holds. */
const MOST_ROWS = 1_048_575;

/** One workbook for reading, a sheet for each kind. Texts are cut where they are longer than a cell, and named. */
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
  const records = source.kinds.map((kind) => {
    const columns = csvColumns(kind, options);
    return sheet(COLLECTIONS[kind], columns, options, async function* () {
      const { language } = await source.walk();
      const context = { language, names: await readSubjectNames(kind, source, options) };
      for await (const some of source.records(kind)) {
        for (const record of some) yield readingRow(columns, record, context);
      }
    });
  });
  const footnotes = sheet('footnotes', FOOTNOTE_COLUMNS, options, async function* () {
    const walk = await source.walk();
    for (const kind of source.kinds) {
      for await (const some of source.records(kind)) {
        for (const record of some) yield* footnoteRows(kind, record, walk, options);
      }
    }
  });
  const files = sheet('files', FILES_COLUMNS, options, async function* () {
    for (const kind of source.kinds) {
      for await (const some of source.records(kind)) {
        for (const record of some) yield* fileReadingRows(kind, record);
      }
    }
  });
  return [...records, footnotes, files];
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
        yield row.map((cell, place) => {
          if (cell.length <= CELL_LIMIT) return cell;
          warn(
            `${NAME}: ${columns[place]?.name} of ${name} ${row[key]} is cut: a cell holds ${CELL_LIMIT} characters`,
          );
          return `${cell.slice(0, CELL_LIMIT - CUT.length).toWellFormed()}${CUT}`;
        });
      }
    }
    if (count > MOST_ROWS) warn(`${NAME}: ${name} has ${MOST_ROWS} of ${count} rows: a sheet holds no more`);
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
