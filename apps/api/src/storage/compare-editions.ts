import { setImmediate as nextTurn } from 'node:timers/promises';
import { forKinds, KINDS, type Kind, type KindChanges } from '@archiefkast/types';
import { inBatches } from '../batches.ts';
import type { Database } from './connect.ts';
import { type EditionContents, findServedEdition } from './edition.ts';
import type { Lease } from './lease.ts';
import { codeOf, kindOf } from './stored-texts.ts';

/** Uuids of the added, changed and removed records of each kind, ordered by id. */
export type ChangedUuids = Readonly<Record<Kind, KindChanges>>;

/** How a record differs from the edition before. */
const CHANGES = ['added', 'changed', 'removed'] as const satisfies readonly (keyof KindChanges)[];

/** Uuids per row. */
const PART_UUIDS = 1_000;

/** No changes yet. */
function noChanges(): ChangedUuids {
  return forKinds(() => ({ added: [], changed: [], removed: [] }));
}

/** Number of records that were added, changed and removed, and of all these. */
export function countChanges(changes: ChangedUuids) {
  const count = (what: keyof KindChanges) => KINDS.reduce((sum, kind) => sum + changes[kind][what].length, 0);
  const counts = { added: count('added'), changed: count('changed'), removed: count('removed') };
  return { ...counts, total: counts.added + counts.changed + counts.removed };
}

/** Finds and stores the changes of an edition that is being written, since an earlier one. @returns how many records differ */
export async function storeChanges(
  { database, transaction }: Lease,
  comparison: Comparison,
): Promise<number> {
  const { before, after } = comparison;
  const edition = after.id;
  const changes = await findChanges(database, comparison);
  const rows = KINDS.flatMap((kind) =>
    CHANGES.flatMap((change) =>
      [...inBatches(changes[kind][change], PART_UUIDS)].map((some, part) => ({
        ...{ edition, kind, change, part },
        uuids: some.join(' '),
      })),
    ),
  );
  await transaction(async (open) => {
    await open('changes').where({ edition }).delete();
    for (const row of rows) await open('changes').insert(row);
    await open('editions').where({ id: edition }).update({ compared_with: before.id });
  });
  return countChanges(changes).total;
}

/** Reads the changes that an edition stored; undefined if it stored none since the edition `before`. */
async function findStoredChanges(
  database: Database,
  edition: number,
  before: number,
): Promise<ChangedUuids | undefined> {
  // An edition without changes has one row without values.
  const rows: { kind: Kind | null; change: keyof KindChanges; uuids: string }[] = await database('editions')
    .leftJoin('changes', 'changes.edition', 'editions.id')
    .where({ 'editions.id': edition, compared_with: before })
    .select('kind', 'change', 'uuids')
    .orderBy(['kind', 'change', 'part']);
  if (rows.length === 0) return undefined;
  const changes = noChanges();
  for (const { kind, change, uuids } of rows) if (kind) changes[kind][change].push(...uuids.split(' '));
  return changes;
}

/** Positions per statement. */
const BATCH_POSITIONS = 2_000;

/** Ranges of positions from 1 to `count`, inclusive; yields to the event loop before each. */
async function* positionRuns(count: number): AsyncGenerator<[first: number, last: number]> {
  for (let first = 1; first <= count; first += BATCH_POSITIONS) {
    await nextTurn();
    yield [first, first + BATCH_POSITIONS - 1];
  }
}

/** A record that is not the same in an earlier edition. */
export interface DifferentRecord {
  /** Its number: see the table `versions`. */
  record: number;
  uuid: string;
  /** Its position in the later edition; null if it was removed. */
  later: number | null;
  /** Its position in the earlier edition; null if it is new. */
  earlier: number | null;
  /** Whether only its content note differs, which no record that embeds it has. */
  isNoteOnly?: boolean;
}

/** Characters of a digest of a record with a content note that are of all else; a mark and the digest of the note follow. */
const BEFORE_NOTE = 15;
const NOTE_MARK = '~';

/** The digest of a record with a content note, as long as that of the record without it. */
export function withNote(digest: string, note: string): string {
  return digest.slice(0, BEFORE_NOTE) + NOTE_MARK + note.slice(0, digest.length - BEFORE_NOTE - 1);
}

/** Whether the digests of two versions differ by the content note alone. */
export function differsByNote(one: string, other: string): boolean {
  const hasNote = [one, other].some((digest) => digest[BEFORE_NOTE] === NOTE_MARK);
  return hasNote && one !== other && one.slice(0, BEFORE_NOTE) === other.slice(0, BEFORE_NOTE);
}

/** Two editions, and the records of which the own fields differ, and those that only one of them has. */
export interface Comparison {
  before: EditionContents;
  after: EditionContents;
  different: Readonly<Record<Kind, DifferentRecord[]>>;
}

/** Compares two editions by the digests of the versions of their records. */
export async function compareEditions(
  database: Database,
  before: EditionContents,
  after: EditionContents,
): Promise<Comparison> {
  const different = forKinds((): DifferentRecord[] => []);
  for (const kind of KINDS) {
    for await (const run of positionRuns(after.counts[kind])) {
      const rows: (DifferentRecord & { own: string; theirs: string | null })[] = await entriesBeside(
        database,
        kind,
        after,
        before,
        run,
      )
        .leftJoin('versions as theirs', 'theirs.version', 'other.version')
        .select('own.record', 'versions.uuid', 'own.position as later', 'other.position as earlier')
        .select('versions.digest as own', 'theirs.digest as theirs')
        .whereRaw('(other.version is null or other.version <> own.version)')
        .whereRaw('(other.version is null or theirs.digest <> versions.digest)');
      for (const { own, theirs, ...row } of rows)
        different[kind].push({ ...row, isNoteOnly: differsByNote(own, theirs ?? '') });
    }
    different[kind].push(...(await listRemoved(database, kind, before, after)));
  }
  return { before, after, different };
}

/** The records of a kind that a later edition does not have, by position in the earlier one. */
export async function listRemoved(
  database: Database,
  kind: Kind,
  before: EditionContents,
  after: EditionContents,
): Promise<DifferentRecord[]> {
  const removed: DifferentRecord[] = [];
  for await (const run of positionRuns(before.counts[kind])) {
    const rows: Omit<DifferentRecord, 'later'>[] = await entriesBeside(database, kind, before, after, run)
      .select('own.record', 'versions.uuid', 'own.position as earlier')
      .whereNull('other.version');
    removed.push(...rows.map((row) => ({ ...row, later: null })));
  }
  return removed;
}

/** The entries of a kind in an edition at positions, in order, beside those of the same records in another. */
function entriesBeside(
  database: Database,
  kind: Kind,
  edition: EditionContents,
  other: EditionContents,
  run: readonly [number, number],
) {
  return database('entries as own')
    .leftJoin('entries as other', (join) => {
      join.on('other.record', 'own.record').andOnVal('other.edition', other.id);
    })
    .join('versions', 'versions.version', 'own.version')
    .where({ 'own.edition': edition.id, 'own.kind': codeOf(kind) })
    .whereBetween('own.position', run)
    .orderBy('own.position');
}

/** What embeds other records, in the order in which their changes spread: locations embed events, then events locations. */
const EMBEDDING = ['location', 'event'] as const;

/**
 * The changes from one edition to another. A record has changed if its own fields have, in any language, or those of a record
 * that it embeds, at any depth.
 */
async function findChanges(database: Database, { after, different }: Comparison): Promise<ChangedUuids> {
  const changes = noChanges();
  /** The numbers of new records, and of those that have changed. */
  const added = new Set<number>();
  const changed = new Set<number>();
  /** Those of these for which records that embed them have changed too. */
  const spreading = new Set<number>();
  for (const kind of KINDS) {
    for (const { record, uuid, later, earlier, isNoteOnly } of different[kind]) {
      if (later === null) changes[kind].removed.push(uuid);
      else (earlier === null ? added : changed).add(record);
      if (later !== null && !isNoteOnly) spreading.add(record);
    }
  }
  if (spreading.size > 0) {
    for (const kind of EMBEDDING) {
      const carried: number[] = [];
      for await (const run of positionRuns(after.counts[kind])) {
        const embeds: { record: number; embedded: number }[] = await database('entries')
          .join('embeds', 'embeds.version', 'entries.version')
          .select('entries.record', 'embeds.record as embedded')
          .where({ edition: after.id, kind: codeOf(kind) })
          .whereBetween('position', run);
        for (const { record, embedded } of embeds) if (spreading.has(embedded)) carried.push(record);
      }
      for (const record of carried) {
        spreading.add(record);
        if (!added.has(record)) changed.add(record);
      }
    }
  }
  for (const [change, records] of Object.entries({ added, changed })) {
    const found = await listByNumber(database, after, [...records]);
    for (const { kind, uuid } of found) changes[kindOf(kind)][change as 'added' | 'changed'].push(uuid);
  }
  return changes;
}

/** How an edition differs from another. */
export interface Difference {
  changes: ChangedUuids;
  /** Whether it was not made as the next one of the other: then any record may have changed since. */
  isRestored: boolean;
}

/** How two editions differ: as a publish stored it, or compared. */
export async function differenceBetween(
  database: Database,
  before: EditionContents,
  after: EditionContents,
): Promise<Difference> {
  if (before.id === after.id) return { changes: noChanges(), isRestored: false };
  const stored = await findStoredChanges(database, after.id, before.id);
  return {
    changes: stored ?? (await findChanges(database, await compareEditions(database, before, after))),
    isRestored: stored === undefined,
  };
}

/** How an edition that is to be served differs from the served one. */
export async function findDifference(database: Database, next: EditionContents): Promise<Difference> {
  return await differenceBetween(database, (await findServedEdition(database)) ?? next, next);
}

/** The records of an edition with these numbers, by kind and position. */
async function listByNumber(
  database: Database,
  edition: EditionContents,
  numbers: readonly number[],
): Promise<{ kind: number; position: number; uuid: string }[]> {
  const found: { kind: number; position: number; uuid: string }[] = [];
  for await (const [first, last] of positionRuns(numbers.length)) {
    found.push(
      ...(await database('entries')
        .join('versions', 'versions.version', 'entries.version')
        .select('entries.kind', 'entries.position', 'versions.uuid')
        .where({ edition: edition.id })
        .whereIn('entries.record', numbers.slice(first - 1, last))),
    );
  }
  return found.sort((a, b) => a.kind - b.kind || a.position - b.position);
}
