import { setImmediate as nextTurn } from 'node:timers/promises';
import { forKinds, KINDS, type Kind } from '@archiefkast/types';
import { type Changes, noChanges } from './changes.ts';
import type { Database } from './connect.ts';
import type { Edition, EditionContents } from './edition.ts';

/** Positions per statement. */
const BATCH_POSITIONS = 2_000;

/** Ranges of positions from 1 to `count`, inclusive; yields to the event loop before each. */
async function* positionRuns(count: number): AsyncGenerator<[first: number, last: number]> {
  for (let first = 1; first <= count; first += BATCH_POSITIONS) {
    await nextTurn();
    yield [first, first + BATCH_POSITIONS - 1];
  }
}

/** The digest of a record, and the time of its last change. */
export interface StoredDigest {
  digest: string;
  changedAt: string;
}

/** The digests of the records of a kind by uuid. */
export async function readDigests(
  database: Database,
  { id, counts, publishedAt }: Edition,
  kind: Kind,
  signal: AbortSignal,
): Promise<Map<string, StoredDigest>> {
  const digests = new Map<string, StoredDigest>();
  for await (const run of positionRuns(counts[kind])) {
    signal.throwIfAborted();
    const rows: { uuid: string; digest: string; changed_at: string | null }[] = await database('records')
      .where({ edition: id, kind })
      .whereBetween('position', run)
      .select('uuid', 'digest', 'changed_at');
    for (const { uuid, digest, changed_at } of rows) {
      digests.set(uuid, { digest, changedAt: changed_at ?? publishedAt.toISOString() });
    }
  }
  return digests;
}

/** A record that is not the same in an earlier edition. */
export interface DifferentRecord {
  uuid: string;
  /** Its position in the later edition; null if it was removed. */
  later: number | null;
  /** Its position in the earlier edition; null if it is new. */
  earlier: number | null;
}

/**
 * The records of a kind whose own fields differ, by their digests, and those that only one of two editions has: by
 * position in the later one, and then those that were removed, by position in the earlier one.
 */
export async function findDifferent(
  database: Database,
  kind: Kind,
  before: EditionContents,
  after: EditionContents,
): Promise<DifferentRecord[]> {
  const different: DifferentRecord[] = [];
  for (const [edition, other, isLater] of [
    [after, before, true],
    [before, after, false],
  ] as const) {
    for await (const run of positionRuns(edition.counts[kind])) {
      const rows: { uuid: string; own: number; other: number | null }[] = await database('records as own')
        .leftJoin('records as other', (join) => {
          join.on('other.uuid', 'own.uuid').andOnVal('other.edition', other.id).andOnVal('other.kind', kind);
        })
        .select('own.uuid', 'own.position as own', 'other.position as other')
        .where({ 'own.edition': edition.id, 'own.kind': kind })
        .whereBetween('own.position', run)
        .where((any) => {
          any.whereNull('other.uuid');
          if (isLater) any.orWhereRaw('?? <> ??', ['other.digest', 'own.digest']);
        })
        .orderBy('own.position');
      for (const { uuid, own, other } of rows) {
        different.push(isLater ? { uuid, later: own, earlier: other } : { uuid, later: null, earlier: own });
      }
    }
  }
  return different;
}

/** What embeds other records, in the order in which their changes spread: locations embed events, then events locations. */
const EMBEDDINGS: readonly { source: Kind; targets: Readonly<Record<string, Kind>> }[] = [
  { source: 'location', targets: { subject: 'subject', abbreviated_event: 'event' } },
  { source: 'event', targets: { person: 'person', location: 'location' } },
];

/**
 * Compares two editions. A record has changed if its own fields have, in any language, or those of a record that it
 * embeds, at any depth.
 */
export async function findChanges(
  database: Database,
  before: EditionContents,
  after: EditionContents,
): Promise<Changes> {
  const changes = noChanges();
  /** The positions of new records, and of those that have changed. */
  const added = forKinds(() => new Set<number>());
  const changed = forKinds(() => new Set<number>());
  for (const kind of KINDS) {
    for (const { uuid, later, earlier } of await findDifferent(database, kind, before, after)) {
      if (later === null) changes[kind].removed.push(uuid);
      else (earlier === null ? added : changed)[kind].add(later);
    }
  }
  for (const { source, targets } of EMBEDDINGS) {
    for await (const { position, form, target } of readLinks(database, after, source)) {
      const kind = targets[form];
      const carries = kind && (changed[kind].has(target) || added[kind].has(target));
      if (carries && !added[source].has(position)) changed[source].add(position);
    }
  }
  for (const kind of KINDS) {
    changes[kind].added.push(...(await findUuids(database, after, kind, added[kind])));
    changes[kind].changed.push(...(await findUuids(database, after, kind, changed[kind])));
  }
  return changes;
}

/** The links from the records of a kind to the records that they embed. */
async function* readLinks(
  database: Database,
  edition: EditionContents,
  kind: Kind,
): AsyncGenerator<{ position: number; form: string; target: number }> {
  for await (const run of positionRuns(edition.counts[kind])) {
    yield* await database('links')
      .select('source as position', 'target_form as form', 'target')
      .where({ edition: edition.id, source_form: kind })
      .whereBetween('source', run);
  }
}

/** The uuids of the records at positions, by position. */
async function findUuids(
  database: Database,
  edition: EditionContents,
  kind: Kind,
  positions: ReadonlySet<number>,
): Promise<string[]> {
  const sorted = [...positions].sort((a, b) => a - b);
  const uuids: string[] = [];
  for await (const [first, last] of positionRuns(sorted.length)) {
    uuids.push(
      ...(await database('records')
        .where({ edition: edition.id, kind })
        .whereIn('position', sorted.slice(first - 1, last))
        .orderBy('position')
        .pluck('uuid')),
    );
  }
  return uuids;
}
