import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format } from './formats.ts';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * CSV files for spreadsheets and statistics: the records of each kind, their footnotes, and their images and files. The
 * records of a kind are read once for all files.
 */
export const csvFormat: Format = {
  names: (kinds) =>
    [...kinds.map((kind) => COLLECTIONS[kind]), 'footnotes', 'files'].map((name) => `${name}.csv`),
  async write(source, open, options) {
    const { csvLine } = await import('@archiefkast/formats/csv');
    const { readingTables, textOf } = await import('@archiefkast/formats/reading');
    const tables = [];
    for (const table of readingTables(source.kinds, options)) {
      const file = open(`${table.name}.csv`);
      if (!file) continue;
      const extra = table.kind ? source.extraFields(table.kind) : [];
      const header = csvLine([...table.columns.map(({ name }) => name), ...extra]);
      file.write(options.bom ? BYTE_ORDER_MARK + header : header);
      tables.push({ ...table, file, extra });
    }
    for (const kind of source.kinds) {
      const ofKind = tables.filter((table) => table.kind === undefined || table.kind === kind);
      if (ofKind.length === 0) continue;
      const showsNames = ofKind.some((table) => table.kind === kind);
      const context = await source.context(kind, showsNames ? options.warn : undefined);
      for await (const records of source.completeRecords(kind)) {
        for (const { file, rows, extra } of ofKind) {
          for (const record of records) {
            const more = extra.map((field) => textOf(record[field]));
            for (const row of rows(kind, record, context)) file.write(csvLine([...row, ...more]));
          }
        }
      }
    }
  },
};
