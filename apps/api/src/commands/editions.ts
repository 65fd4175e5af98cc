import { rollBack, switchEdition } from '../publish/switch-edition.ts';
import { NothingPublishedError, withDatabase } from '../storage/connect.ts';
import { type Edition, findServedEdition, listEditions } from '../storage/edition.ts';
import { type Lease, withLease } from '../storage/lease.ts';
import { type Command, type CommandContext, defineCommand } from './command.ts';
import { describeCounts, leaseWait, previewUrl } from './publish.ts';

/**
 * `archive-api editions`: lists the kept editions, newest first. An asterisk marks the served one; held ones are listed with
 * their preview URL.
 */
export const editionsCommand: Command<object> = {
  async run({ config, stdout, stderr }) {
    const { served, editions } = await withDatabase(config, async (database) => ({
      served: await findServedEdition(database),
      editions: await listEditions(database),
    })).catch(nothingPublished);
    for (const edition of editions) {
      const mark = edition.id === served?.id ? '*' : ' ';
      const held = edition.isHeld ? `, held: ${previewUrl(config, edition)}` : '';
      const time = edition.publishedAt.toISOString();
      stdout.write(`${mark} edition ${edition.id}  ${time}  ${describeCounts(edition)}${held}\n`);
    }
    if (editions.length === 0) stderr.write('Nothing has been published yet.\n');
  },
};

function nothingPublished(error: unknown): { served: undefined; editions: Edition[] } {
  if (error instanceof NothingPublishedError) return { served: undefined, editions: [] };
  throw error;
}

/** `archive-api switch <edition>`: serves another kept edition. */
export const switchCommand = defineCommand({
  options: (yargs) =>
    yargs.positional('edition', { type: 'number', demandOption: true, describe: 'Edition number' }),
  run: (context, { edition }) => serveFromNowOn(context, (lease) => switchEdition(lease, edition)),
});

/** `archive-api rollback`: serves the edition before the served one. */
export const rollbackCommand: Command<object> = { run: (context) => serveFromNowOn(context, rollBack) };

async function serveFromNowOn(
  { config, stdout, stderr, signal }: CommandContext,
  change: (lease: Lease) => Promise<Edition>,
): Promise<void> {
  const options = { signal, onWait: (seconds: number) => stderr.write(leaseWait(seconds)) };
  const edition = await withDatabase(config, (database) => withLease(database, options, change));
  stdout.write(`Now serving edition ${edition.id}: ${describeCounts(edition)}.\n`);
}
