import { KINDS, LANGUAGES } from '@archive/types';
import type { Database } from '../database/connect.ts';
import type { EditionContents } from '../editions/edition.ts';
import { withoutMarks } from '../render/marks.ts';
import { buildSearchIndex, type IndexedRecord, openSearchIndex, type SearchIndex } from '../search/index.ts';
import type { DerivedFiles } from './derived-files.ts';
import { createTextQueries } from './texts.ts';

/** Records fetched by one statement while an index is built. */
const BATCH_RECORDS = 500;

/** Opens the search index of an edition; builds it first where this node has none. */
export async function openEditionIndex(
  database: Database,
  files: DerivedFiles,
  edition: EditionContents,
): Promise<SearchIndex> {
  const file = files.path(edition, 'sqlite');
  try {
    return await openSearchIndex(file);
  } catch {
    // Not there, unfinished or of another version: the index is derived, so it is made anew.
    await buildEditionIndex(database, files, edition);
    return await openSearchIndex(file);
  }
}

/**
 * Builds the search index of an edition.
 *
 * @param onRecord called for each record that the index is built of
 */
export async function buildEditionIndex(
  database: Database,
  files: DerivedFiles,
  edition: EditionContents,
  onRecord: () => void = () => {},
): Promise<void> {
  await files.prepare();
  await buildSearchIndex(files.path(edition, 'sqlite'), readIndexedRecords(database, edition, onRecord));
}

/** An index that is opened, and built where need be, at the first query. */
export function indexWhenAsked(open: () => Promise<SearchIndex>): SearchIndex {
  let opening: Promise<SearchIndex> | undefined;
  const opened = () => {
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    search: async (...query) => (await opened()).search(...query),
    suggest: async (...query) => (await opened()).suggest(...query),
    close: async () => (await opening)?.close(),
  };
}

/** The records of an edition, kind by kind, by id. Both languages are in either rendering. */
async function* readIndexedRecords(
  database: Database,
  edition: EditionContents,
  onRecord: () => void,
): AsyncGenerator<IndexedRecord> {
  const { fetchRun } = createTextQueries(database);
  for (const kind of KINDS) {
    const count = edition.counts[kind];
    for (let first = 1; first <= count; first += BATCH_RECORDS) {
      const run = { first, last: Math.min(first + BATCH_RECORDS - 1, count) };
      for (const { position, text } of await fetchRun(edition.id, LANGUAGES[0], kind, run)) {
        yield { kind, position, record: JSON.parse(withoutMarks(text)) };
        onRecord();
      }
    }
  }
}
