import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kind } from '@archiefkast/types';
import type { Database } from './connect.ts';
import type { EditionContents } from './edition.ts';

/** A record that is not the same in an earlier edition. */
export interface DifferentRecord {
  position: number;
  /** Its position in the earlier edition; null if it is new. */
  earlier: number | null;
}

/** Positions per statement. */
const BATCH_POSITIONS = 2_000;

/** Ranges of positions from 1 to `count`, inclusive; yields to the event loop before each. */
export async function* positionRuns(count: number): AsyncGenerator<[first: number, last: number]> {
  for (let first = 1; first <= count; first += BATCH_POSITIONS) {
    await nextTurn();
    yield [first, first + BATCH_POSITIONS - 1];
  }
}

/** The records of a kind that are new or differ from those in an edition before, by their digests, in order. */
export async function findDifferent(
  database: Database,
  kind: Kind,
  before: EditionContents,
  after: EditionContents,
): Promise<DifferentRecord[]> {
  const different: DifferentRecord[] = [];
  for await (const run of positionRuns(after.counts[kind])) {
    different.push(
      ...(await database('records as now')
        .leftJoin('records as then', (join) => {
          join.on('then.uuid', 'now.uuid').andOnVal('then.edition', before.id).andOnVal('then.kind', kind);
        })
        .select('now.position', 'then.position as earlier')
        .where({ 'now.edition': after.id, 'now.kind': kind })
        .whereBetween('now.position', run)
        .where((any) => {
          any.whereNull('then.digest').orWhereRaw('?? <> ??', ['then.digest', 'now.digest']);
        })
        .orderBy('now.position')),
    );
  }
  return different;
}

/** The records of a kind in an edition before that are not in a later one, in order. */
export async function findRemoved(
  database: Database,
  kind: Kind,
  before: EditionContents,
  after: EditionContents,
): Promise<{ position: number; uuid: string }[]> {
  const removed: { position: number; uuid: string }[] = [];
  for await (const run of positionRuns(before.counts[kind])) {
    removed.push(
      ...(await database('records as then')
        .leftJoin('records as now', (join) => {
          join.on('now.uuid', 'then.uuid').andOnVal('now.edition', after.id).andOnVal('now.kind', kind);
        })
        .where({ 'then.edition': before.id, 'then.kind': kind })
        .whereBetween('then.position', run)
        .whereNull('now.uuid')
        .orderBy('then.position')
        .select('then.position', 'then.uuid')),
    );
  }
  return removed;
}
