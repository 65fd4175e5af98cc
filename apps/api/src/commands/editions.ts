import { defineCommand, flag, number } from '@archiefkast/command-line';
import { createProgressLine } from '@archiefkast/system';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { rollBack, switchEdition } from '../publish/switch-edition.ts';
import { type Edition, findServedEdition, listEditions } from '../storage/edition.ts';
import { type Actor, listSwitches, type Provenance, type Switch } from '../storage/history.ts';
import { type Lease, withLease } from '../storage/lease.ts';
import { NothingPublishedError, withDatabase, withMigratedDatabase } from '../storage/open-database.ts';
import type { CommandContext } from './command.ts';
import { describeCounts, leaseWait, previewUrl } from './publish.ts';

/**
 * `archive-api editions`: lists the kept editions, newest first, each with who published what. An asterisk marks the served one; held
 * ones are listed with their preview URL. Then come the switches and roll-backs to kept editions, newest first.
 */
export const editionsCommand = defineCommand({
  examples: [
    ['editions', 'Lists the kept editions'],
    ['editions --json', 'As JSON, with each time at which another edition was served'],
  ],
  options: (yargs) => yargs.option('json', flag('Print JSON')),
  async run({ config, stdout, stderr }: CommandContext, { json }) {
    const { served, editions, switches } = await withDatabase(config, async (database) => ({
      served: await findServedEdition(database),
      editions: await listEditions(database),
      switches: await listSwitches(database),
    })).catch(nothingPublished);
    if (json) {
      const listed = editions.map((edition) => describeAsJson(edition, config));
      stdout.write(
        `${JSON.stringify({ served: served?.id ?? null, editions: listed, switches }, null, 2)}\n`,
      );
      return;
    }
    for (const edition of editions) {
      const mark = edition.id === served?.id ? '*' : ' ';
      const held = edition.isHeld ? `, held: ${previewUrl(config, edition)}` : '';
      const time = edition.publishedAt.toISOString();
      const from = describeProvenance(edition.provenance);
      stdout.write(`${mark} edition ${edition.id}  ${time}  ${describeCounts(edition)}, ${from}${held}\n`);
    }
    for (const { at, command, from, to, by } of switches) {
      if (command === 'publish') continue;
      stdout.write(`${command}  ${at.toISOString()}  from edition ${from} to ${to}, by ${nameActor(by)}\n`);
    }
    if (editions.length === 0) stderr.write('Nothing has been published yet.\n');
  },
});

function describeProvenance({ bundle, note, ...by }: Provenance): string {
  return `from ${bundle} by ${nameActor(by)}${note === undefined ? '' : `: ${note}`}`;
}

function nameActor({ user, host }: Actor): string {
  return `${user}@${host}`;
}

/** An edition as `--json` prints it. */
function describeAsJson(edition: Edition, config: CommandContext['config']) {
  const { id, key, publishedAt, isHeld, counts, provenance } = edition;
  const preview = isHeld ? { preview: previewUrl(config, edition) } : {};
  return { id, key, published_at: publishedAt, counts, ...provenance, ...preview };
}

/** @throws the error, if it is another */
function nothingPublished(error: unknown): { served: undefined; editions: Edition[]; switches: Switch[] } {
  if (error instanceof NothingPublishedError) return { served: undefined, editions: [], switches: [] };
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
    serveFromNowOn(context, (lease) => switchEdition(lease, edition, 'switch')),
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
