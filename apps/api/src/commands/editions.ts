import { type Edition, listEditions, servedEditionId } from '../storage/edition.ts';
import { NothingPublishedError, withDatabase } from '../storage/with-database.ts';
import type { CommandContext } from './command-context.ts';
import { describeCounts, previewAddress } from './publish.ts';

/**
 * `archive-api editions`: the kept editions, newest first; an asterisk marks the one that is served. One that is held
 * has its preview address.
 */
export async function editionsCommand({ config, stdout, stderr }: CommandContext): Promise<void> {
  const { served, editions } = await withDatabase(config, async (database) => ({
    served: await servedEditionId(database),
    editions: await listEditions(database),
  })).catch(nothingPublished);
  for (const edition of editions) {
    const mark = edition.id === served ? '*' : ' ';
    const held = edition.isHeld ? `, held: ${previewAddress(config, edition)}` : '';
    const time = edition.publishedAt.toISOString();
    stdout.write(`${mark} edition ${edition.id}  ${time}  ${describeCounts(edition)}${held}\n`);
  }
  if (editions.length === 0) stderr.write('Nothing has been published yet.\n');
}

function nothingPublished(error: unknown): { served: undefined; editions: Edition[] } {
  if (error instanceof NothingPublishedError) return { served: undefined, editions: [] };
  throw error;
}
