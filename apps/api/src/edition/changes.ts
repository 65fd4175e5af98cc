import { setImmediate as nextTurn } from 'node:timers/promises';
import { KINDS, type Kind, type KindChanges } from '@archiefkast/types';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';

/** What happened to the records of every kind. */
export type Changes = Readonly<Record<Kind, KindChanges>>;

/** Positions looked at by one statement. */
const BATCH_POSITIONS = 2_000;

/** Embeddings that carry a change on, in the order in which it spreads: an event is in its location, and back. */
const EMBEDDINGS: readonly { source: Kind; targets: Readonly<Record<string, Kind>> }[] = [
  { source: 'location', targets: { subject: 'subject', abbreviated_event: 'event' } },
  { source: 'event', targets: { person: 'person', location: 'location' } },
];

/**
 * Compares two kept editions. A record has changed when anything that is served of it, in any language, has: its own
 * fields, or those of a record that it embeds, at any depth.
 */
export async function findChanges(
  database: Database,
  before: EditionContents,
  after: EditionContents,
): Promise<Changes> {
  const added = emptyPositions();
  const changed = emptyPositions();
  for (const kind of KINDS) {
    for (const { position, isNew } of await findDifferent(database, kind, before, after)) {
      (isNew ? added : changed)[kind].add(position);
    }
  }
  for (const { source, targets } of EMBEDDINGS) {
    for await (const link of readLinks(database, after, source)) {
      const target = targets[link.form];
      const carries = target && (changed[target].has(link.target) || added[target].has(link.target));
      if (carries && !added[source].has(link.source)) changed[source].add(link.source);
    }
  }
  const changes = {} as Record<Kind, KindChanges>;
  for (const kind of KINDS) {
    changes[kind] = {
      added: await findUuids(database, after, kind, added[kind]),
      changed: await findUuids(database, after, kind, changed[kind]),
      removed: await findRemoved(database, kind, before, after),
    };
  }
  return changes;
}

function emptyPositions(): Record<Kind, Set<number>> {
  return { person: new Set(), subject: new Set(), location: new Set(), event: new Set() };
}

/** Positions in `after` of the records that are not in `before`, or say something else there. */
async function findDifferent(
  database: Database,
  kind: Kind,
  before: EditionContents,
  after: EditionContents,
): Promise<{ position: number; isNew: boolean }[]> {
  const different = [];
  for await (const run of runs(after.counts[kind])) {
    const rows: { position: number; earlier: string | null }[] = await database('records as now')
      .leftJoin('records as then', (join) => {
        join.on('then.uuid', 'now.uuid').andOnVal('then.edition', before.id).andOnVal('then.kind', kind);
      })
      .select('now.position', 'then.digest as earlier')
      .where({ 'now.edition': after.id, 'now.kind': kind })
      .whereBetween('now.position', run)
      .where((any) => {
        any.whereNull('then.digest').orWhereRaw('?? <> ??', ['then.digest', 'now.digest']);
      });
    different.push(...rows.map(({ position, earlier }) => ({ position, isNew: earlier === null })));
  }
  return different;
}

async function findRemoved(
  database: Database,
  kind: Kind,
  before: EditionContents,
  after: EditionContents,
): Promise<string[]> {
  const removed: string[] = [];
  for await (const run of runs(before.counts[kind])) {
    removed.push(
      ...(await database('records as then')
        .leftJoin('records as now', (join) => {
          join.on('now.uuid', 'then.uuid').andOnVal('now.edition', after.id).andOnVal('now.kind', kind);
        })
        .where({ 'then.edition': before.id, 'then.kind': kind })
        .whereBetween('then.position', run)
        .whereNull('now.uuid')
        .orderBy('then.position')
        .pluck('then.uuid')),
    );
  }
  return removed;
}

/** What the records of a kind embed. */
async function* readLinks(
  database: Database,
  edition: EditionContents,
  kind: Kind,
): AsyncGenerator<{ source: number; form: string; target: number }> {
  for await (const run of runs(edition.counts[kind])) {
    yield* await database('links')
      .select('source', 'target_form as form', 'target')
      .where({ edition: edition.id, source_form: kind })
      .whereBetween('source', run);
  }
}

async function findUuids(
  database: Database,
  edition: EditionContents,
  kind: Kind,
  positions: ReadonlySet<number>,
): Promise<string[]> {
  const sorted = [...positions].sort((a, b) => a - b);
  const uuids: string[] = [];
  for await (const [start] of runs(sorted.length)) {
    uuids.push(
      ...(await database('records')
        .where({ edition: edition.id, kind })
        .whereIn('position', sorted.slice(start - 1, start - 1 + BATCH_POSITIONS))
        .orderBy('position')
        .pluck('uuid')),
    );
  }
  return uuids;
}

/** Runs of positions from 1 to `count`, both ends included; other requests get their turn between them. */
async function* runs(count: number): AsyncGenerator<[first: number, last: number]> {
  for (let first = 1; first <= count; first += BATCH_POSITIONS) {
    await nextTurn();
    yield [first, first + BATCH_POSITIONS - 1];
  }
}
