import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { LooseRecord } from '../records/record-lines.ts';
import type { FileGroup, FilePiece, Format, FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';

/** CSV files for spreadsheets and statistics: the records of each kind, their footnotes, and their images and files. */
export const csvFormat: Format = {
  name: 'csv',
  files(source, options) {
    const group: FileGroup = {
      pieces: (names) => csvPieces(names, source, options),
    };
    const tables = [...source.kinds.map((kind) => COLLECTIONS[kind]), 'footnotes', 'files'];
    return tables.map((name) => ({ name: `${name}.csv`, group }));
  },
};

const BYTE_ORDER_MARK = '\ufeff';

/**
 * The lines of some CSV files. The records of each kind are read once for all files. The code that makes lines is loaded
 * on the first line: the names of files are needed earlier.
 */
async function* csvPieces(
  names: readonly string[],
  source: HarvestSource,
  options: FormatOptions,
): AsyncGenerator<FilePiece> {
  const { csvLine, textOf } = await import('@archiefkast/formats/csv');
  const { readingTables } = await import('./reading-tables.ts');
  const { createRowContexts } = await import('./row-contexts.ts');
  const contextFor = createRowContexts(source, options);
  const tables = [];
  for (const table of readingTables(source.kinds, options)) {
    const name = `${table.name}.csv`;
    if (!names.includes(name)) continue;
    const extra = table.kind ? await source.extraFields(table.kind) : [];
    const header = csvLine([...table.columns.map((column) => column.name), ...extra]);
    yield { name, parts: [options.bom ? BYTE_ORDER_MARK + header : header] };
    tables.push({ ...table, name, extra });
  }
  for (const kind of source.kinds) {
    const ofKind = tables.filter((table) => table.kind === undefined || table.kind === kind);
    if (ofKind.length === 0) continue;
    const showsNames = ofKind.some((table) => table.kind === kind);
    const context = await contextFor(kind, showsNames);
    for await (const records of source.completeRecords(kind)) {
      for (const { name, rows, extra } of ofKind) {
        const linesOf = (record: LooseRecord) => {
          const more = extra.map((field) => textOf(record[field]));
          return rows(kind, record, context).map((row) => csvLine([...row, ...more]));
        };
        yield { name, parts: records.flatMap(linesOf) };
      }
    }
  }
}
