import { withPublishLease } from '../publish/publish-lease.ts';
import { rollBack, switchEdition } from '../publish/switch-edition.ts';
import type { Database } from '../storage/connect.ts';
import type { Edition } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { withDatabase } from '../storage/with-database.ts';
import type { CommandContext } from './command-context.ts';
import { describeCounts, watching } from './publish.ts';

/** `archive-api switch <edition>`: serves a kept edition, an earlier or a later one. */
export async function switchCommand(context: CommandContext, edition: number): Promise<void> {
  await serveFromNowOn(context, (lease) => switchEdition(lease, edition));
}

/** `archive-api rollback`: serves the kept edition before the one served now. */
export async function rollbackCommand(context: CommandContext): Promise<void> {
  await serveFromNowOn(context, rollBack);
}

async function serveFromNowOn(
  { config, stdout, stderr, signal }: CommandContext,
  change: (lease: Lease) => Promise<Edition>,
): Promise<void> {
  const options = { signal, onWait: (seconds: number) => stderr.write(watching(seconds)) };
  const edition = await withDatabase(config, (database: Database) =>
    withPublishLease(database, options, change),
  );
  stdout.write(`Now serving edition ${edition.id}: ${describeCounts(edition)}.\n`);
}
