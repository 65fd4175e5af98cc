import { rollBack } from '../editions/serve-edition.ts';
import type { CommandContext } from './command-context.ts';
import { describeCounts } from './publish.ts';
import { withDatabase } from './with-database.ts';

/** `archive-api rollback`: serves the kept edition before the one served now. */
export async function rollbackCommand({ config, stdout }: CommandContext): Promise<void> {
  await withDatabase(config, async (database) => {
    const edition = await rollBack(database);
    stdout.write(`Now serving edition ${edition.id}: ${describeCounts(edition)}.\n`);
  });
}
