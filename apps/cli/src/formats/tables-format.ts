import {
  type RecordSource,
  type TableContent,
  type TabledRecord,
  tableContents,
  tableCsv,
  tableSheets,
  writeWorkbook,
} from '@archiefkast/formats';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { readArchiveWords } from '../records/archive-words.ts';
import type { Format } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';

/** A bundle as a folder of CSV files, to edit in a spreadsheet and publish again. */
export const tablesFormat: Format = {
  name: 'tables',
  files(source, { warn }) {
    const tables = createTables(source, warn);
    return [...source.kinds.map((kind) => COLLECTIONS[kind]), 'files' as const, 'archive' as const].map(
      (name) => ({
        name: `tables/${name}.csv`,
        isWanted: async () => (await tables()).some((each) => each.name === name),
        async *parts() {
          const table = (await tables()).find((each) => each.name === name);
          if (table) for await (const line of tableCsv(table)) yield [line];
        },
      }),
    );
  },
};

/** A bundle as a workbook, to edit in a spreadsheet and publish again. */
export const workbookFormat: Format = {
  name: 'tables.xlsx',
  files(source, { warn }) {
    const tables = createTables(source, warn);
    return [
      {
        name: 'tables.xlsx',
        async *parts() {
          for await (const bytes of writeWorkbook(tableSheets(await tables()))) yield [bytes];
        },
      },
    ];
  },
};

/** The tables of a harvest, created on first use. */
function createTables(
  source: HarvestSource,
  warn: (sentence: string) => void,
): () => Promise<TableContent[]> {
  let tables: Promise<TableContent[]> | undefined;
  return () => {
    tables ??= describeArchive(source, warn).then((archive) =>
      tableContents({ ...recordSource(source, archive !== undefined), archive }),
    );
    return tables;
  };
}

/** The description of the archive, which allows dates of which less than a day is known if there are some. */
async function describeArchive(
  { journalFolder, supplements }: HarvestSource,
  warn: (sentence: string) => void,
) {
  const archive = (await readArchiveWords(journalFolder))?.bundle;
  const hasDates = [...(await supplements()).values()].some(({ dates }) => dates);
  if (hasDates && !archive) {
    warn(
      'the tables have the first day of dates of which less is known, because the archive has no description that would allow them; --format jsonl keeps what is known',
    );
  }
  return archive && hasDates ? { ...archive, partial_dates: 'first-day' } : archive;
}

/**
 * The records for tables, with their dates as they are known if a description of the archive allows that.
 */
function recordSource(source: HarvestSource, hasDescription: boolean): RecordSource {
  return {
    kinds: source.kinds,
    async *records(kind: Kind): AsyncGenerator<TabledRecord> {
      const supplements = hasDescription ? await source.supplements() : undefined;
      for await (const records of source.completeRecords(kind)) {
        for (const record of records) yield { ...record, ...supplements?.get(String(record['uuid']))?.dates };
      }
    },
  };
}
