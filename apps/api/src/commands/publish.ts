import { createProgressLine } from '@archiefkast/system';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import type { Config } from '../config.ts';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { createDiskSpace } from '../publish/disk-space.ts';
import { type PublishOptions, publish } from '../publish/publish.ts';
import type { Database } from '../storage/connect.ts';
import type { Edition } from '../storage/edition.ts';
import { withMigratedDatabase } from '../storage/with-database.ts';
import { awaitNodes, type NodeWait } from './await-nodes.ts';
import type { CommandContext } from './command-context.ts';
import { printWarnings } from './print-warnings.ts';

/** The edition is published all right; what failed came after. */
class PublishedError extends Error {
  override name = 'PublishedError';

  constructor(edition: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `edition ${edition} is published, but not all that is no longer kept could be deleted, ` +
        `which the next publish does: ${reason}`,
      { cause },
    );
  }
}

/** What happens to the new edition, and to those before. */
export type PublishFlags = Pick<PublishOptions, 'keep' | 'hold' | 'force'> & {
  /** Nodes that must be able to serve the new edition before it is served. */
  nodes?: NodeWait | undefined;
};

/** `archive-api publish <bundle-folder>`: publishes a bundle, and says what it did. */
export async function publishCommand(
  context: CommandContext,
  folder: string,
  flags: PublishFlags,
): Promise<void> {
  await withMigratedDatabase(
    context.config,
    (database) => publishFolder(context, database, folder, flags),
    context.signal,
  );
}

/** Publishes a bundle into an open database, and says what it did. */
export async function publishFolder(
  { config, stdout, stderr, signal }: CommandContext,
  database: Database,
  folder: string,
  { keep, hold, force, nodes }: PublishFlags,
): Promise<void> {
  const started = performance.now();
  const progress = createProgressLine(stderr);
  let published: Edition | undefined;
  try {
    const { edition, isUnchanged, swept } = await publish(folder, {
      database,
      keep,
      ...(hold && { hold }),
      ...(force && { force }),
      ...(nodes && { beforeServing: ({ id }, lease) => awaitNodes(id, nodes, stderr, lease) }),
      signal,
      onWait: (seconds) => stderr.write(watching(seconds)),
      onProgress: ({ step, done, of }) =>
        progress.show(() => `${step} ${done}${of ? ` of ${of}` : ''} records`),
      diskSpace: createDiskSpace(database, config),
      derived: createDerivedFiles(database, config),
      onChecked: ({ firstDays, warnings }) => {
        progress.clear();
        printWarnings(warnings, stderr);
        stdout.write(describeFirstDays(firstDays));
      },
      onPublished: (edition) => {
        published = edition;
        progress.clear();
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        stdout.write(`Published edition ${edition.id}: ${describeCounts(edition)}, in ${seconds} s.\n`);
        if (hold) {
          stdout.write(`It is not served; archive-api switch ${edition.id} serves it.\n`);
          stdout.write(`Until then only who has this address sees it: ${previewAddress(config, edition)}\n`);
        }
      },
    });
    if (isUnchanged) {
      progress.clear();
      stdout.write(
        `Edition ${edition.id} is served and says the same: no new edition was made (--force makes one).\n`,
      );
    }
    if (swept.length > 0) stdout.write(`No longer kept: edition ${swept.join(', ')}.\n`);
  } catch (error) {
    if (!published) throw error;
    throw new PublishedError(published.id, error);
  } finally {
    progress.clear();
  }
}

/** Where an edition that is held can be read by who has the address: its front page, or the API where there are no pages. */
export function previewAddress(
  { baseUrl, hasPages }: Pick<Config, 'baseUrl' | 'hasPages'>,
  { key }: Pick<Edition, 'key'>,
): string {
  return `${baseUrl}/en/${hasPages ? '' : 'api'}?edition=${key}`;
}

/** Said when another process holds the lease: it may be alive, or have been killed. */
export function watching(seconds: number): string {
  return `Another process holds the right to publish; watching for up to ${seconds} s whether it is still alive.\n`;
}

/** What became of dates without a day, as a line; empty where there were none. */
export function describeFirstDays(count: number): string {
  if (count === 0) return '';
  return `${count} ${count === 1 ? 'date' : 'dates'} without a day became the first day.\n`;
}

/** "64 persons, 33 subjects, 44 locations and 66 events". */
export function describeCounts({ counts }: Pick<Edition, 'counts'>): string {
  const parts = KINDS.map((kind) => `${counts[kind]} ${counts[kind] === 1 ? kind : COLLECTIONS[kind]}`);
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
