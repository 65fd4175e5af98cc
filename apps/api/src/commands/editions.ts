import { defineCommand, number } from '@archiefkast/command-line';
import { createProgressLine } from '@archiefkast/system';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { rollBack, switchEdition } from '../publish/switch-edition.ts';
import { type Edition, findServedEdition, listEditions } from '../storage/edition.ts';
import { type Lease, withLease } from '../storage/lease.ts';
import { NothingPublishedError, withDatabase, withMigratedDatabase } from '../storage/open-database.ts';
import type { CommandContext } from './command.ts';
import { describeCounts, leaseWait, previewUrl } from './publish.ts';

/**
 * `archive-api editions`: lists the kept editions, newest first. An asterisk marks the served one; held ones are listed with
 * their preview URL.
 */
export const editionsCommand = defineCommand({
  examples: [
    ['editions', 'Lists the kept editions'],
    ['editions | head -n 3', 'Lists the newest three'],
  ],
  async run({ config, stdout, stderr }: CommandContext) {
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
});

function nothingPublished(error: unknown): { served: undefined; editions: Edition[] } {
  if (error instanceof NothingPublishedError) return { served: undefined, editions: [] };
  throw error;
}

/** `archive-api switch <edition>`: serves another kept edition. */
export const switchCommand = defineCommand({
  options: (yargs) => yargs.positional('edition', { ...number('Edition number'), demandOption: true }),
  numbers: { edition: { least: 1, whole: true } },
  examples: [
    ['switch 1', 'Serves the first edition again'],
    ['switch 2', 'Serves the second, such as one that was published with --hold'],
  ],
  run: (context: CommandContext, { edition }) =>
    serveFromNowOn(context, (lease) => switchEdition(lease, edition)),
});

/** `archive-api rollback`: serves the edition before the served one. */
export const rollbackCommand = defineCommand({
  examples: [
    ['rollback', 'Serves the edition before the served one'],
    ['rollback && $0 editions', 'Also lists what is served then'],
  ],
  run: (context: CommandContext) => serveFromNowOn(context, rollBack),
});

async function serveFromNowOn(
  { config, stdout, stderr, signal }: CommandContext,
  change: (lease: Lease) => Promise<Edition>,
): Promise<void> {
  const options = { signal, onWait: (seconds: number) => stderr.write(leaseWait(seconds)) };
  const edition = await withDatabase(config, (database) => withLease(database, options, change));
  stdout.write(`Now serving edition ${edition.id}: ${describeCounts(edition)}.\n`);
}

/**
 * `archive-api index`: builds the missing search indexes of the kept editions in DERIVED_DIR, the served edition first, so that
 * a server can search from its start. Only reads the database.
 *
 * @throws NothingPublishedError if there are no tables; WriteError if DERIVED_DIR cannot be written to; the signal's reason
 */
export const indexCommand = defineCommand({
  examples: [
    ['index', 'Builds what is missing'],
    ['index && $0 editions', 'Also lists the editions that can be searched then'],
  ],
  async run({ config, stdout, stderr, signal }: CommandContext) {
    const progress = createProgressLine(stderr);
    await withDatabase(config, async (database) => {
      const files = createDerivedFiles(database, config);
      const served = await findServedEdition(database);
      const editions = (await listEditions(database)).toSorted(
        (a, b) => Number(b.id === served?.id) - Number(a.id === served?.id),
      );
      for (const edition of editions) {
        signal.throwIfAborted();
        const started = performance.now();
        let done = 0;
        const onRecord = () => {
          done += 1;
          progress.show(() => `edition ${edition.id}: indexing ${done} of ${edition.total} records`);
        };
        const isBuilt = await files.buildIfMissing(edition, { onRecord, signal });
        progress.clear();
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        stdout.write(
          `Edition ${edition.id}: ${isBuilt ? `built the search index, in ${seconds} s` : 'the search index exists'}.\n`,
        );
      }
      if (editions.length === 0) stderr.write('Nothing has been published yet.\n');
    });
  },
});

/** `archive-api migrate`: creates the tables of the database, and says whether some were missing. */
export const migrateCommand = defineCommand({
  examples: [
    ['migrate', 'Creates the tables that are missing'],
    ['migrate && $0 editions', 'Also shows that nothing is published yet'],
  ],
  async run({ config, stdout, signal }: CommandContext) {
    const report = async (_: unknown, isNew: boolean) =>
      stdout.write(isNew ? 'Migrated: release-2.0.\n' : 'The tables are up to date.\n');
    await withMigratedDatabase(config, report, signal);
  },
});
