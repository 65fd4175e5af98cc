import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from '../storage/connect.ts';
import {
  type Edition,
  type EditionContents,
  findEdition,
  listEditions,
  servedEditionId,
} from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { EditionError } from './check-edition.ts';

/** There is no such edition to switch to. */
export class SwitchError extends Error {
  override name = 'SwitchError';
}

/** How a finished edition is published. */
export interface PublishEditionOptions {
  /** SHA-256 of what it is made of and by. */
  content: string;
  /** Whether it is kept without being served. */
  hold: boolean;
}

/**
 * Makes a finished edition a published one and, unless told to hold it, the one that is served, in one step.
 *
 * @throws EditionError when the edition is not as this lease left it; LeaseLostError
 */
export async function publishEdition(
  lease: Lease,
  { id }: Pick<EditionContents, 'id'>,
  { content, hold }: PublishEditionOptions,
): Promise<Edition> {
  const published_at = await momentOfItsOwn(lease);
  return await lease.transaction(async (transaction) => {
    const ours = { id, fence: lease.fence };
    const published = await transaction('editions')
      .where({ ...ours, status: 'writing' })
      .update({ status: 'published', published_at, content });
    const edition = await findEdition(transaction, id);
    // Where the connection was cut after the commit, it is done already.
    const isOurs = published === 1 || (await transaction('editions').where(ours).first('id')) !== undefined;
    if (!edition || !isOurs)
      throw new EditionError(`edition ${id} went missing while it was being published`);
    if (!hold) await serve(transaction, id);
    return edition;
  });
}

/**
 * Now, or the next second where a kept edition was published in this one: `Last-Modified` has whole seconds, and must
 * not be the same for two editions.
 */
async function momentOfItsOwn({ database, signal }: Lease): Promise<string> {
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
 * @returns the edition served from now on
 * @throws SwitchError when it is not kept; LeaseLostError
 */
export async function switchEdition(lease: Lease, id: number): Promise<Edition> {
  return await lease.transaction(async (transaction) => {
    const edition = await findEdition(transaction, id);
    if (!edition) throw new SwitchError(await describeKept(transaction, id));
    await serve(transaction, id);
    return edition;
  });
}

async function describeKept(database: Database, id: number): Promise<string> {
  const kept = (await listEditions(database)).map((edition) => edition.id);
  if (kept.length === 0) return 'nothing has been published yet';
  return `edition ${id} is not kept; expected one of ${kept.join(', ')}`;
}

/**
 * Serves the kept edition before the one served now; one that was held and never served is passed over.
 *
 * @returns the edition served from now on
 * @throws SwitchError when no earlier edition is kept; LeaseLostError
 */
export async function rollBack(lease: Lease): Promise<Edition> {
  const served = await servedEditionId(lease.database);
  if (served === undefined) throw new SwitchError('nothing has been published yet');
  const before: { id: number } | undefined = await lease
    .database('editions')
    .where({ status: 'published' })
    .where('id', '<', served)
    .whereNotNull('served_at')
    .orderBy('id', 'desc')
    .first('id');
  if (!before) throw new SwitchError(`no edition before edition ${served} is kept`);
  return await switchEdition(lease, before.id);
}

/** One row says which edition is served; its sequence rises, so that no server goes back to what it was. */
async function serve(transaction: Knex.Transaction, edition: number): Promise<void> {
  await transaction('served')
    .insert({ slot: 1, edition, sequence: 1 })
    .onConflict('slot')
    .merge({ edition, sequence: transaction.raw('?? + 1', ['served.sequence']) });
  await transaction('editions').where({ id: edition }).update({ served_at: new Date().toISOString() });
}
