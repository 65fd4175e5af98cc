import { forKinds, KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import type { IndexedRecord } from '../search/index.ts';
import { inBatches, positionBatches } from '../storage/batches.ts';
import { findDifferent } from '../storage/compare-editions.ts';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';
import { plainFormOf, withoutMarks } from '../storage/stored-texts.ts';
import { createTextQueries } from '../storage/texts.ts';

/** Positions of records by kind, ascending. */
type Positions = Readonly<Record<Kind, readonly number[]>>;

/** Records per statement. */
const BATCH_RECORDS = 500;

/**
 * Records of an edition for its search index, by kind and id. Each language version contains both languages.
 *
 * @param only the positions of those that are read, ascending; all by default
 */
export async function* readIndexedRecords(
  database: Database,
  edition: EditionContents,
  only?: Positions,
): AsyncGenerator<IndexedRecord> {
  const queries = createTextQueries(database);
  const { id } = edition;
  for (const kind of KINDS) {
    const batches = only
      ? inBatches(only[kind], BATCH_RECORDS)
      : positionBatches(edition.counts[kind], BATCH_RECORDS);
    for (const positions of batches) {
      const texts = await queries.fetchAt(id, LANGUAGES[0], plainFormOf(kind), positions);
      const subjects = kind === 'location' ? await queries.fetchLinks(id, kind, positions, 'subject') : [];
      const subjectsOf = Map.groupBy(subjects, ({ source }) => source);
      const dates = await queries.fetchDates(id, kind, positions);
      for (const { position, text } of texts) {
        const record: Record<string, unknown> = JSON.parse(withoutMarks(text));
        if (kind === 'location') record['subjects'] = subjectsOf.get(position)?.map(({ uuid }) => uuid) ?? [];
        yield { kind, record, dates: dates.get(position) };
      }
    }
  }
}

/**
 * Finds the positions of the records in which two editions differ: those that were changed or removed, in the earlier one, and
 * those that were changed or added, in the later one.
 */
export async function findDifferentPositions(
  database: Database,
  before: EditionContents,
  after: EditionContents,
): Promise<{ earlier: Positions; later: Positions }> {
  const positions = { earlier: forKinds((): number[] => []), later: forKinds((): number[] => []) };
  for (const kind of KINDS) {
    for (const { later, earlier } of await findDifferent(database, kind, before, after)) {
      if (later !== null) positions.later[kind].push(later);
      if (earlier !== null) positions.earlier[kind].push(earlier);
    }
    positions.earlier[kind].sort((a, b) => a - b);
  }
  return positions;
}
