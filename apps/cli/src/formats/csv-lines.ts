import {
  csvColumns,
  csvLine,
  FILES_COLUMNS,
  FOOTNOTE_COLUMNS,
  fileReadingRows,
  footnoteRows,
  readingRow,
  textOf,
} from '@archiefkast/formats/csv';
import type { Kind } from '@archiefkast/types';
import type { FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { readSubjectNames } from './subject-names.ts';

const BYTE_ORDER_MARK = '\ufeff';

function headerLine(names: readonly string[], { bom }: FormatOptions): string {
  return `${bom ? BYTE_ORDER_MARK : ''}${csvLine(names)}`;
}

/** The lines of a table of records. */
export async function* recordLines(
  kind: Kind,
  source: HarvestSource,
  options: FormatOptions,
): AsyncGenerator<string[]> {
  const columns = csvColumns(kind, options);
  const extra = await source.extraFields(kind);
  yield [headerLine([...columns.map(({ name }) => name), ...extra], options)];
  const { language } = await source.walk();
  const context = { language, names: await readSubjectNames(kind, source, options) };
  for await (const some of source.records(kind)) {
    yield some.map((record) =>
      csvLine([...readingRow(columns, record, context), ...extra.map((name) => textOf(record[name]))]),
    );
  }
}

/** The lines of the table of footnotes. */
export async function* footnoteLines(
  source: HarvestSource,
  options: FormatOptions,
): AsyncGenerator<string[]> {
  yield [headerLine(namesOf(FOOTNOTE_COLUMNS), options)];
  const walk = await source.walk();
  for (const kind of source.kinds) {
    for await (const some of source.records(kind)) {
      yield some.flatMap((record) => footnoteRows(kind, record, walk, options).map(csvLine));
    }
  }
}

/** The lines of the table of files. */
export async function* fileLines(source: HarvestSource, options: FormatOptions): AsyncGenerator<string[]> {
  yield [headerLine(namesOf(FILES_COLUMNS), options)];
  for (const kind of source.kinds) {
    for await (const some of source.records(kind)) {
      yield some.flatMap((record) => fileReadingRows(kind, record).map(csvLine));
    }
  }
}

function namesOf(columns: readonly { name: string }[]): string[] {
  return columns.map(({ name }) => name);
}
