import { listEditions, servedEditionId } from '../editions/edition.ts';
import type { CommandContext } from './command-context.ts';
import { describeCounts } from './publish.ts';
import { withDatabase } from './with-database.ts';

/** `archive-api editions`: the kept editions, newest first; an asterisk marks the one that is served. */
export async function editionsCommand({ config, stdout, stderr }: CommandContext): Promise<void> {
  await withDatabase(config, async (database) => {
    const served = await servedEditionId(database);
    const editions = await listEditions(database);
    for (const edition of editions) {
      const mark = edition.id === served ? '*' : ' ';
      const time = edition.publishedAt.toISOString();
      stdout.write(`${mark} edition ${edition.id}  ${time}  ${describeCounts(edition)}\n`);
    }
    if (editions.length === 0) stderr.write('Nothing has been published yet.\n');
  });
}
