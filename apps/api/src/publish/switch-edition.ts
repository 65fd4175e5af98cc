import { setTimeout as sleep } from 'node:timers/promises';
import { oaiArchive } from '@archiefkast/formats/oai';
import { KINDS } from '@archiefkast/types';
import type { Knex } from 'knex';
import { inBatches } from '../batches.ts';
import { type ChangedUuids, type Difference, findDifference } from '../storage/compare-editions.ts';
import type { Database } from '../storage/connect.ts';
import { type RecordName, secondAfter } from '../storage/datestamps.ts';
import {
  type Edition,
  type EditionContents,
  findEdition,
  findServedEdition,
  listEditions,
} from '../storage/edition.ts';
import { currentActor, type Provenance, recordSwitch, type SwitchCommand } from '../storage/history.ts';
import { type Lease, withLease } from '../storage/lease.ts';
import { NothingPublishedError } from '../storage/open-database.ts';
import { codeOf } from '../storage/stored-texts.ts';

/**
 * Publishes a finished edition and, unless it is held, serves it, in one transaction.
 *
 * @param options.source SHA-256 of the files of its bundle and the version of the program
 * @param options.provenance who publishes what
 * @throws Error if records or the edition are missing; LeaseLostError
 */
export async function publishEdition(
  lease: Lease,
  written: EditionContents,
  { source, provenance, hold }: { source: string; provenance: Provenance; hold: boolean },
): Promise<Edition> {
  const { id, counts } = written;
  const difference = hold ? undefined : await findDifference(lease.database, written);
  const published_at = await uniqueSecond(lease);
  return await lease.transaction(async (transaction) => {
    await requireComplete(transaction, id, counts);
    const published = { status: 'published', published_at, source, provenance: JSON.stringify(provenance) };
    await transaction('editions').where({ id }).update(published);
    const edition = await findEdition(transaction, id);
    if (!edition) throw new Error(`edition ${id} went missing while it was being published`);
    if (difference) await serve(transaction, edition, difference, 'publish');
    return edition;
  });
}

/** Checks that no record of an edition is missing. @throws Error that names its kind */
async function requireComplete(
  transaction: Knex.Transaction,
  edition: number,
  counts: EditionContents['counts'],
): Promise<void> {
  for (const kind of KINDS) {
    const [row] = await transaction('entries')
      .join('versions', 'versions.version', 'entries.version')
      .where({ edition, 'entries.kind': codeOf(kind) })
      .count({ found: '*' });
    if (Number(row?.['found']) === counts[kind]) continue;
    throw new Error(
      `edition ${edition} has ${row?.['found']} records of kind ${kind}, expected ${counts[kind]}`,
    );
  }
}

/**
 * The current time, or the next second if a kept edition was published in this one: `Last-Modified` has a resolution
 * of a second, and must differ between editions.
 */
async function uniqueSecond({ database, signal }: Lease): Promise<string> {
  const secondOf = (moment: Date) => Math.floor(moment.getTime() / 1_000);
  const taken = new Set((await listEditions(database)).map(({ publishedAt }) => secondOf(publishedAt)));
  for (;;) {
    signal.throwIfAborted();
    const now = new Date();
    if (!taken.has(secondOf(now))) return now.toISOString();
    await sleep(1_000 - now.getMilliseconds());
  }
}

/**
 * Serves a kept edition, an earlier or a later one.
 *
 * @param command by which
 * @returns the edition now served
 * @throws NothingPublishedError; Error if it is not kept; LeaseLostError
 */
export async function switchEdition(lease: Lease, id: number, command: SwitchCommand): Promise<Edition> {
  const edition = await findEdition(lease.database, id);
  if (!edition) {
    const kept = (await listEditions(lease.database)).map((each) => each.id).join(', ');
    if (!kept) throw new NothingPublishedError();
    throw new Error(`edition ${id} is not kept; expected one of ${kept}`);
  }
  const difference = await findDifference(lease.database, edition);
  await lease.transaction((transaction) => serve(transaction, edition, difference, command));
  return edition;
}

/**
 * Serves the kept edition before the served one, skipping editions that have never been served.
 *
 * @returns the edition now served
 * @throws NothingPublishedError; Error if no earlier edition is kept; LeaseLostError
 */
export async function rollBack(lease: Lease): Promise<Edition> {
  const served = await findServedEdition(lease.database);
  if (!served) throw new NothingPublishedError();
  const editions = await listEditions(lease.database);
  const before = editions.find(({ id, isHeld }) => id < served.id && !isHeld);
  if (!before) throw new Error(`no edition before edition ${served.id} is kept`);
  return await switchEdition(lease, before.id, 'rollback');
}

/**
 * Sets the served edition. The sequence increases, so that no server goes back to an earlier state; so does the time at which it is
 * served, by at least the next second, whatever the clock says: see `Datestamps`.
 */
async function serve(
  transaction: Knex.Transaction,
  edition: Edition,
  { changes, isRestored }: Difference,
  command: SwitchCommand,
): Promise<void> {
  const { id } = edition;
  const before = await findServedEdition(transaction);
  const at = Math.max(Date.now(), secondAfter(before?.servedAt?.getTime() ?? 0));
  const isAllChanged = before !== undefined && (isRestored || sharedBy(before) !== sharedBy(edition));
  await transaction('served')
    .insert({ singleton: 1, edition: id, sequence: 1 })
    .onConflict('singleton')
    .merge({ edition: id, sequence: transaction.raw('?? + 1', ['served.sequence']) });
  const served = await transaction('served').first('sequence');
  const change = { at: new Date(at), command, from: before?.id ?? null, to: id, by: currentActor() };
  if (before?.id !== id) await recordSwitch(transaction, served.sequence, change);
  const all_changed_at = isAllChanged ? at : (before?.allChangedAt ?? 0);
  await transaction('editions')
    .where({ id })
    .update({ served_at: new Date(at).toISOString(), all_changed_at });
  await updateGone(transaction, edition, changes, at);
}

/** What harvesters are shown of every record alike. */
function sharedBy({ archive, mapping }: Edition): string {
  return JSON.stringify([mapping, oaiArchive(archive), archive?.mirror_of?.address]);
}

/** Rows per statement. */
const STATEMENT_ROWS = 500;

/** Notes records as gone that an original took back before its copy was begun: since the edition of the copy was served. */
export async function noteGone(
  database: Database,
  records: readonly RecordName[],
  signal: AbortSignal,
): Promise<void> {
  const known = new Set(await database('gone').pluck('uuid'));
  const since = (await findServedEdition(database))?.servedAt?.getTime();
  const rows = records
    .filter(({ uuid }) => !known.has(uuid))
    .map(({ uuid, kind }) => ({ uuid, kind: codeOf(kind), since, replaced_by: null }));
  if (rows.length === 0) return;
  await withLease(database, { signal }, async ({ transaction }) => {
    for (const some of inBatches(rows, STATEMENT_ROWS))
      await transaction(async (open) => await open('gone').insert(some).onConflict('uuid').ignore());
  });
}

/**
 * Brings the table `gone` up to date with an edition that is served from now on.
 *
 * @param since the moment, in milliseconds since 1970
 */
async function updateGone(
  transaction: Knex.Transaction,
  { archive }: Edition,
  changes: ChangedUuids,
  since: number,
): Promise<void> {
  const insert = async (rows: readonly object[], changed: string[]) => {
    for (const some of inBatches(rows, STATEMENT_ROWS))
      await transaction('gone').insert(some).onConflict('uuid').merge(changed);
  };
  const gone = KINDS.flatMap((kind) =>
    changes[kind].removed.map((uuid) => ({ uuid, kind: codeOf(kind), since, replaced_by: null })),
  );
  await insert(gone, ['kind', 'since', 'replaced_by']);
  // Afterwards, as a record of one kind may come back as one of another.
  const revived = KINDS.flatMap((kind) => changes[kind].added);
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
