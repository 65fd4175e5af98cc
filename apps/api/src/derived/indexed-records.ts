import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import type { IndexChanges, IndexedRecord, KindDifferences } from '../search/index.ts';
import { findDifferent, findRemoved } from '../storage/changed-records.ts';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';
import { withoutMarks } from '../storage/marks.ts';
import {
  fetchEmbeddedUuids,
  fetchRun,
  fetchSupplements,
  hasSupplements,
  type Run,
  type TextKind,
} from '../storage/stored-texts.ts';

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
function* runsOf(positions: readonly number[]): Generator<Run> {
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

/** All positions from 1 to `count`, in runs. */
function* allRuns(count: number): Generator<Run> {
  for (let first = 1; first <= count; first += BATCH_RECORDS)
    yield { first, last: Math.min(first + BATCH_RECORDS - 1, count) };
}

/**
 * Records of an edition for its search index, by kind and id. Each language version contains both languages.
 *
 * @param only the positions of those that are read, ascending; all by default
 */
export async function* readIndexedRecords(
  database: Database,
  edition: EditionContents,
  only?: Readonly<Record<Kind, readonly number[]>>,
): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    const wanted = only && new Set(only[kind]);
    for (const run of only ? runsOf(only[kind]) : allRuns(edition.counts[kind])) {
      const texts = await fetchRun(database, edition.id, LANGUAGES[0], TEXT_KINDS[kind], run);
      const subjects =
        kind === 'location'
          ? await fetchEmbeddedUuids(database, edition.id, kind, 'subject', run)
          : undefined;
      const supplements = hasSupplements(kind)
        ? await fetchSupplements(database, edition.id, kind, run)
        : undefined;
      for (const { position, text } of texts) {
        if (wanted && !wanted.has(position)) continue;
        const record: Record<string, unknown> = JSON.parse(withoutMarks(text));
        if (subjects) record['subjects'] = subjects.get(position) ?? [];
        yield { kind, position, record, dates: supplements?.get(position)?.dates };
      }
    }
  }
}

/** What differs between the records of two editions. */
export async function readIndexChanges(
  database: Database,
  earlier: EditionContents,
  edition: EditionContents,
): Promise<IndexChanges> {
  const read = async (kind: Kind): Promise<KindDifferences> => {
    const different = await findDifferent(database, kind, earlier, edition);
    const removed = await findRemoved(database, kind, earlier, edition);
    return {
      added: different.filter((each) => each.earlier === null).map(({ position }) => position),
      changed: different.flatMap(({ position, earlier: before }) =>
        before === null ? [] : { position, earlier: before },
      ),
      removed: removed.map(({ position }) => position),
    };
  };
  return {
    counts: edition.counts,
    different: {
      person: await read('person'),
      subject: await read('subject'),
      location: await read('location'),
      event: await read('event'),
    },
  };
}

/** The records of an edition that an earlier one has not, or not the same. */
export function readDifferentRecords(
  database: Database,
  edition: EditionContents,
  { different }: IndexChanges,
): AsyncIterable<IndexedRecord> {
  const positionsOf = (kind: Kind) =>
    [...different[kind].added, ...different[kind].changed.map(({ position }) => position)].sort(
      (a, b) => a - b,
    );
  return readIndexedRecords(database, edition, {
    person: positionsOf('person'),
    subject: positionsOf('subject'),
    location: positionsOf('location'),
    event: positionsOf('event'),
  });
}
