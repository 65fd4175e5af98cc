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
import { uuidOfReference } from '@archiefkast/types/links';
import { readArchiveWords } from '../records/archive-words.ts';
import type { Format } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';

/** A bundle as a folder of CSV files, to edit in a spreadsheet and publish again. */
export const tablesFormat: Format = {
  name: 'tables',
  files(source) {
    const tables = createTables(source);
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
  files(source) {
    const tables = createTables(source);
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
function createTables(source: HarvestSource): () => Promise<TableContent[]> {
  let tables: Promise<TableContent[]> | undefined;
  return () => {
    tables ??= readArchiveWords(source.journalFolder).then((words) =>
      tableContents({ ...recordSource(source), archive: words?.bundle }),
    );
    return tables;
  };
}

function recordSource(source: HarvestSource): RecordSource {
  let subjects: Promise<Map<unknown, unknown>> | undefined;
  const subjectsOf = () => {
    subjects ??= readEventSubjects(source);
    return subjects;
  };
  return {
    kinds: source.kinds,
    async *records(kind: Kind): AsyncGenerator<TabledRecord> {
      for await (const records of source.records(kind)) {
        if (kind !== 'event') yield* records;
        else {
          const known = await subjectsOf();
          for (const record of records) yield { ...record, subjects: known.get(record['uuid']) ?? [] };
        }
      }
    },
  };
}

/** The subjects of events, by uuid of the event: only the abbreviated events of locations have them. */
async function readEventSubjects(source: HarvestSource): Promise<Map<unknown, unknown>> {
  const subjects = new Map<unknown, unknown>();
  if (!source.kinds.includes('location')) return subjects;
  for await (const records of source.records('location')) {
    for (const { events } of records) {
      for (const event of Array.isArray(events) ? events : []) {
        const named: unknown[] = Array.isArray(event.subjects) ? event.subjects : [];
        if (named.length > 0)
          subjects.set(
            event.uuid,
            named.map((url) => uuidOfReference(String(url)) ?? url),
          );
      }
    }
  }
  return subjects;
}
