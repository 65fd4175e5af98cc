import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format } from './format.ts';
import type { OpenTable } from './source.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** CSV files for spreadsheets and statistics: the records of each kind, their footnotes, and their images and files. */
export const csvFormat: Format = {
  names: (kinds) =>
    [...kinds.map((kind) => COLLECTIONS[kind]), 'footnotes', 'files'].map((name) => `${name}.csv`),
  async write(source, open, options) {
    const { csvLine } = await import('@archiefkast/formats/write-csv');
    const { readingTables, textOf } = await import('@archiefkast/formats/reading');
    const tables: OpenTable[] = [];
    for (const table of readingTables(source.kinds, options)) {
      const file = open(`${table.name}.csv`);
      if (!file) continue;
      const extra = table.kind ? source.extraFields(table.kind) : [];
      const header = csvLine([...table.columns.map(({ name }) => name), ...extra]);
      file.write(options.bom ? BYTE_ORDER_MARK + header : header);
      tables.push({
        ...table,
        add: (row, record) => file.write(csvLine([...row, ...extra.map((field) => textOf(record[field]))])),
      });
    }
    await source.addRows(tables, options.warn);
  },
};
