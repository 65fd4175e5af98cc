import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import { type Edition, type EditionContents, findEdition, listEditions, servedEditionId } from './edition.ts';

/** There is no edition to go back to. */
export class RollBackError extends Error {
  override name = 'RollBackError';
}

/** Makes a finished edition a published one, and the one that is served, in one step. */
export async function serveNewEdition(database: Database, { id }: EditionContents): Promise<Edition> {
  const published_at = await momentOfItsOwn(database);
  await database.transaction(async (transaction) => {
    await transaction('editions').where({ id }).update({ status: 'published', published_at });
    await pointTo(transaction, id);
  });
  const edition = await findEdition(database, id);
  if (!edition) throw new Error(`edition ${id} went missing while it was being published`);
  return edition;
}

/**
 * Now, or the next second where a kept edition was published in this one: `Last-Modified` has whole seconds, and must
 * not be the same for two editions.
 */
async function momentOfItsOwn(database: Database): Promise<string> {
  const secondOf = (moment: Date) => Math.floor(moment.getTime() / 1_000);
  const taken = new Set((await listEditions(database)).map(({ publishedAt }) => secondOf(publishedAt)));
  for (;;) {
    const now = new Date();
    if (!taken.has(secondOf(now))) return now.toISOString();
    await sleep(1_000 - now.getMilliseconds());
  }
}

/**
 * Serves the kept edition before the one served now.
 *
 * @returns the edition served from now on
 * @throws RollBackError when no earlier edition is kept
 */
export async function rollBack(database: Database): Promise<Edition> {
  const served = await servedEditionId(database);
  if (served === undefined) throw new RollBackError('nothing has been published yet');
  const before = (await listEditions(database)).find(({ id }) => id < served);
  if (!before) throw new RollBackError(`no edition before edition ${served} is kept`);
  await pointTo(database, before.id);
  return before;
}

/** One row says which edition is served. */
async function pointTo(database: Database, edition: number): Promise<void> {
  await database('served').insert({ slot: 1, edition }).onConflict('slot').merge();
}
