import { forKinds, KINDS, type Kind, type KindChanges } from '@archiefkast/types';
import type { Knex } from 'knex';
import { inBatches } from './batches.ts';
import type { Database } from './connect.ts';

/** Uuids of the added, changed and removed records of each kind, ordered by id. */
export type Changes = Readonly<Record<Kind, KindChanges>>;

/** How a record differs from the edition before. */
export const CHANGES = ['added', 'changed', 'removed'] as const satisfies readonly (keyof KindChanges)[];

/** Uuids per row. */
const PART_UUIDS = 1_000;

/** No changes yet. */
export function noChanges(): Changes {
  return forKinds(() => ({ added: [], changed: [], removed: [] }));
}

/** Number of records that were added, changed and removed. */
export function countChanges(changes: Changes) {
  const count = (what: keyof KindChanges) => KINDS.reduce((sum, kind) => sum + changes[kind][what].length, 0);
  return { added: count('added'), changed: count('changed'), removed: count('removed') };
}

/** Stores the changes of an edition since an earlier one, once. */
export async function insertChanges(
  transaction: Knex.Transaction,
  edition: number,
  before: number,
  changes: Changes,
): Promise<void> {
  await transaction('changes').where({ edition }).delete();
  for (const kind of KINDS) {
    for (const change of CHANGES) {
      const parts = [...inBatches(changes[kind][change], PART_UUIDS)];
      for (const [part, some] of parts.entries())
        await transaction('changes').insert({ edition, kind, change, part, uuids: some.join(' ') });
    }
  }
  await transaction('editions').where({ id: edition }).update({ compared_with: before });
}

/** Reads the changes that an edition stored; undefined if it stored none since the edition `before`. */
export async function readChanges(
  database: Database,
  edition: number,
  before: number,
): Promise<Changes | undefined> {
  const rows: StoredPart[] = await database('editions')
    .leftJoin('changes', 'changes.edition', 'editions.id')
    .where({ 'editions.id': edition, compared_with: before })
    .select('kind', 'change', 'uuids')
    .orderBy(['kind', 'change', 'part']);
  if (rows.length === 0) return undefined;
  const changes = noChanges();
  for (const row of rows) {
    // An edition without changes has one row without values.
    if (row.kind === null) continue;
    const uuids = changes[row.kind][row.change];
    for (const uuid of row.uuids.split(' ')) uuids.push(uuid);
  }
  return changes;
}

type StoredPart =
  | { kind: Kind; change: (typeof CHANGES)[number]; uuids: string }
  | { kind: null; change: null; uuids: null };
