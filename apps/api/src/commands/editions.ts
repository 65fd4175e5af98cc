import { withReserve } from '../publish/disk-space.ts';
import { withPublishLease } from '../publish/publish-lease.ts';
import { rollBack, switchEdition } from '../publish/switch-edition.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, listEditions, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { NothingPublishedError, withDatabase } from '../storage/with-database.ts';
import type { CommandContext } from './command-context.ts';
import { describeCounts, leaseWait, previewUrl } from './publish.ts';

/**
 * `archive-api editions`: lists the kept editions, newest first. An asterisk marks the served one; held ones are listed with
 * their preview URL.
 */
export async function editionsCommand({ config, stdout, stderr }: CommandContext): Promise<void> {
  const { served, editions } = await withDatabase(config, async (database) => ({
    served: await servedEditionId(database),
    editions: await listEditions(database),
  })).catch(nothingPublished);
  for (const edition of editions) {
    const mark = edition.id === served ? '*' : ' ';
    const held = edition.isHeld ? `, held: ${previewUrl(config, edition)}` : '';
    const time = edition.publishedAt.toISOString();
    stdout.write(`${mark} edition ${edition.id}  ${time}  ${describeCounts(edition)}${held}\n`);
  }
  if (editions.length === 0) stderr.write('Nothing has been published yet.\n');
}

function nothingPublished(error: unknown): { served: undefined; editions: Edition[] } {
  if (error instanceof NothingPublishedError) return { served: undefined, editions: [] };
  throw error;
}

/** `archive-api switch <edition>`: serves another kept edition. */
export async function switchCommand(context: CommandContext, edition: number): Promise<void> {
  await serveFromNowOn(context, (lease) => switchEdition(lease, edition));
}

/** `archive-api rollback`: serves the edition before the served one. */
export async function rollbackCommand(context: CommandContext): Promise<void> {
  await serveFromNowOn(context, rollBack);
}

async function serveFromNowOn(
  { config, stdout, stderr, signal }: CommandContext,
  change: (lease: Lease) => Promise<Edition>,
): Promise<void> {
  const options = { signal, onWait: (seconds: number) => stderr.write(leaseWait(seconds)) };
  const edition = await withReserve(config, () =>
    withDatabase(config, (database: Database) => withPublishLease(database, options, change)),
  );
  stdout.write(`Now serving edition ${edition.id}: ${describeCounts(edition)}.\n`);
}
