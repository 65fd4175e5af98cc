import { forKinds, KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import type { IndexedRecord } from '../search/index.ts';
import { findDifferent } from '../storage/compare-editions.ts';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';
import {
  hasSupplements,
  parseSupplement,
  SUPPLEMENTS,
  type TextKind,
  withoutMarks,
} from '../storage/stored-texts.ts';
import { createTextQueries, MissingTextError, type Run } from '../storage/texts.ts';

/** Positions of records by kind, ascending. */
type Positions = Readonly<Record<Kind, readonly number[]>>;

/** Records per statement. */
const BATCH_RECORDS = 500;

/** The text kind to read for each kind: abbreviated events, because their references are by UUID. */
const TEXT_KINDS: Readonly<Record<Kind, TextKind>> = {
  person: 'person',
  subject: 'subject',
  location: 'location',
  event: 'abbreviated_event',
};

/** The largest gap between two positions that are read at once. */
const MOST_BETWEEN = 20;

/** Joins positions that are near each other to runs. @param positions ascending */
function* runsOf(positions: Iterable<number>): Generator<Run> {
  let run: Run | undefined;
  for (const position of positions) {
    if (run && position - run.last <= MOST_BETWEEN && position - run.first < BATCH_RECORDS)
      run.last = position;
    else {
      if (run) yield run;
      run = { first: position, last: position };
    }
  }
  if (run) yield run;
}

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
    const wanted = only && new Set(only[kind]);
    for (const run of runsOf(
      only?.[kind] ?? Array.from({ length: edition.counts[kind] }, (_, index) => index + 1),
    )) {
      const texts = await queries.fetchRun(id, LANGUAGES[0], TEXT_KINDS[kind], run);
      if (texts.length <= run.last - run.first)
        throw new MissingTextError(id, `every ${kind} from position ${run.first} to ${run.last}`);
      const positions = texts.map(({ position }) => position);
      const subjects = kind === 'location' ? await queries.fetchLinks(id, kind, positions, 'subject') : [];
      const subjectsOf = Map.groupBy(subjects, ({ source }) => source);
      const supplements = hasSupplements(kind)
        ? await queries.fetchRun(id, LANGUAGES[0], SUPPLEMENTS[kind], run)
        : [];
      const supplementOf = new Map(
        supplements.map(({ position, text }) => [position, parseSupplement(text)]),
      );
      for (const { position, text } of texts) {
        if (wanted && !wanted.has(position)) continue;
        const record: Record<string, unknown> = JSON.parse(withoutMarks(text));
        if (kind === 'location') record['subjects'] = subjectsOf.get(position)?.map(({ uuid }) => uuid) ?? [];
        yield { kind, record, dates: supplementOf.get(position)?.dates };
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
