import type { Kind } from '@archiefkast/types';
import type { Knex } from 'knex';
import { inBatches } from './batches.ts';
import { findChanges, readChanges } from './compare-editions.ts';
import type { Database } from './connect.ts';
import { type Edition, type EditionContents, findServedEdition } from './edition.ts';
import { codeOf, kindOf } from './stored-texts.ts';

/** What names a record. */
export interface RecordName {
  kind: Kind;
  uuid: string;
}

/** A record that was served and is no more, or that `archive.json` names as replaced. */
export interface GoneRecord {
  kind: Kind;
  /** In milliseconds since 1970. */
  since: number;
  /** The record that takes its place, which may be gone as well. */
  replacedBy: RecordName | undefined;
}

/** What serving an edition adds to the records that are gone, and what it revives. */
export interface Departures {
  gone: readonly RecordName[];
  revived: readonly string[];
  /** Whether the edition was not made as the next one of the served one: then any record may have changed. */
  isRestored: boolean;
}

/** Rows per statement. */
const STATEMENT_ROWS = 500;

/** The records that only one of two editions has: the served one, and another that is to be served. */
export async function findDepartures(database: Database, next: EditionContents): Promise<Departures> {
  const served = await findServedEdition(database);
  if (!served || served.id === next.id) return { gone: [], revived: [], isRestored: false };
  const stored = await readChanges(database, next.id, served.id);
  const changes = Object.entries(stored ?? (await findChanges(database, served, next)));
  return {
    gone: changes.flatMap(([kind, { removed }]) => removed.map((uuid) => ({ kind: kind as Kind, uuid }))),
    revived: changes.flatMap(([, { added }]) => added),
    isRestored: stored === undefined,
  };
}

/**
 * Brings the table `gone` up to date with an edition that is served from now on.
 *
 * @param since the moment, in milliseconds since 1970
 */
export async function updateGone(
  transaction: Knex.Transaction,
  { archive }: Edition,
  { gone, revived }: Departures,
  since: number,
): Promise<void> {
  const insert = async (rows: readonly object[], changed: string[]) => {
    for (const some of inBatches(rows, STATEMENT_ROWS))
      await transaction('gone').insert(some).onConflict('uuid').merge(changed);
  };
  const rows = gone.map(({ kind, uuid }) => ({ uuid, kind: codeOf(kind), since, replaced_by: null }));
  await insert(rows, ['kind', 'since', 'replaced_by']);
  for (const some of inBatches(revived, STATEMENT_ROWS))
    await transaction('gone').whereIn('uuid', some).delete();
  for (const some of inBatches(Object.entries(archive?.replaced ?? {}), STATEMENT_ROWS)) {
    const targets = await transaction('versions')
      .distinct('uuid', 'kind')
      .whereIn(
        'uuid',
        some.map(([, by]) => by),
      );
    const kinds = new Map(targets.map(({ uuid, kind }) => [uuid, kind]));
    const replaced = some.map(([uuid, by]) => ({ uuid, kind: kinds.get(by), since, replaced_by: by }));
    await insert(replaced, ['replaced_by']);
  }
}

/** The record with this UUID (lower case), if it is gone. */
export async function findGone(database: Database, uuid: string): Promise<GoneRecord | undefined> {
  const row: { kind: number; since: number; by: string | null; other: number | null } | undefined =
    await database('gone')
      .leftJoin('versions', 'versions.uuid', 'gone.replaced_by')
      .where({ 'gone.uuid': uuid })
      .first('gone.kind', 'since', 'replaced_by as by', 'versions.kind as other');
  if (!row) return undefined;
  const { kind, since, by, other } = row;
  return {
    kind: kindOf(kind),
    since: Number(since),
    replacedBy: by === null ? undefined : { kind: kindOf(other ?? kind), uuid: by },
  };
}
