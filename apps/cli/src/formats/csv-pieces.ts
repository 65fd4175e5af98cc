import { csvLine, textOf } from '@archiefkast/formats/csv';
import type { LooseRecord } from '../records/placed-records.ts';
import type { FilePiece, FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { readingTables } from './reading-tables.ts';
import { createRowContexts } from './row-contexts.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** The lines of the CSV files of these names. The records of each kind are read once, whatever files they have rows in. */
export async function* csvPieces(
  names: readonly string[],
  source: HarvestSource,
  options: FormatOptions,
): AsyncGenerator<FilePiece> {
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
    for await (const records of source.records(kind)) {
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
