import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFolder } from '@archiefkast/bundle';
import { defineCommand, flag, number, required, text } from '@archiefkast/command-line';
import { counted, createProgressLine, grouped } from '@archiefkast/system';
import { KINDS, PAGE_SIZE } from '@archiefkast/types';
import { z } from 'zod';
import { type Config, parseDuration } from '../config.ts';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { createPictureMaker } from '../pictures/picture-maker.ts';
import { previewBase } from '../preview/address.ts';
import { type PublishOptions, publish } from '../publish/publish.ts';

import type { BusyPlace } from '../publish/write-edition.ts';
import type { Database } from '../storage/connect.ts';
import type { Edition } from '../storage/edition.ts';
import { withMigratedDatabase } from '../storage/open-database.ts';
import { isCluster } from '../storage/replication.ts';
import { BUNDLE, type CommandContext } from './command.ts';

/** The message after `--keep 1` on a cluster without `--await`. */
const UNKNOWN_NODES =
  'The database is a cluster, and it is not known whether every node has the new edition: a server whose node is cut off ' +
  'goes on serving an earlier one. Use --await with the admin ports of all servers to be sure, or set MAX_STALE.\n';

/** Options of a publish. */
export type PublishFlags = Pick<PublishOptions, 'keep' | 'hold' | 'force' | 'whole' | 'note'> & {
  /** Nodes that must be ready before the new edition is served. */
  nodes?: NodeWait | undefined;
};

/** `archive-api publish <bundle>`: publishes a bundle, and reports the result. */
export const publishCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('bundle', required(BUNDLE))
      .option('keep', {
        ...number('Number of editions to keep: the new one, the one served before, then the newest'),
        default: 2,
      })
      .option('force', flag('Publish even if the bundle is unchanged'))
      .option('whole', flag('Write every record anew, even if nothing has changed since an earlier edition'))
      .option('hold', flag('Do not serve the new edition yet; use switch to serve it later'))
      .option('note', text('What you say of the edition, such as what it corrects; public'))
      .option('await', text('Serve it when every node is ready: comma-separated URLs of their admin ports'))
      .option(
        'timeout',
        text('With --await: how long to wait for the nodes, such as 90s or 1h [default: 10m]'),
      )
      .check((given) => Boolean(parseNodes(given))),
  numbers: { keep: { least: 1, whole: true } },
  rules: { excluding: [['await', 'hold']], needing: [['timeout', 'await']] },
  examples: [
    ['publish my-archive', 'Publishes a folder, and serves it'],
    ['publish my-archive.xlsx --hold', 'Publishes a workbook to look at first; switch serves it'],
  ],
  async run(context: CommandContext, { bundle, keep, hold, force, whole, note, ...given }) {
    const { config, signal } = context;
    const { urls, milliseconds } = parseNodes(given);
    const flags = { keep, hold, force, whole, note, nodes: urls && { urls, milliseconds } };
    const work = (database: Database) => publishFolder(context, database, bundle, flags);
    await withMigratedDatabase(config, work, signal);
  },
});

function parseNodes({
  await: urls,
  timeout = '10m',
}: Partial<Record<'await' | 'timeout', string | undefined>>) {
  const milliseconds = parseDuration(timeout);
  if (milliseconds === undefined) throw new Error('--timeout: expected a duration such as 90s, 10m or 1h');
  return { urls: urls === undefined ? undefined : parseNodeUrls(urls), milliseconds };
}

/** Publishes a bundle into an open database, and reports the result. */
export async function publishFolder(
  { config, stdout, stderr, signal, name }: CommandContext,
  database: Database,
  folder: string,
  { keep, hold, force, whole, note, nodes }: PublishFlags,
): Promise<void> {
  const started = performance.now();
  const progress = createProgressLine(stderr);
  let published: Edition | undefined;
  const media = await mediaFolder(config);
  const onRefused = (line: string) => {
    progress.clear();
    stderr.write(line);
  };
  try {
    const { edition, isUnchanged, swept } = await publish(folder, {
      database,
      identityUrl: config.identityUrl,
      keep,
      hold,
      force: force || whole,
      whole,
      note,
      ...(nodes && { beforeServing: ({ id }, lease) => awaitNodes(id, nodes, { stderr, name }, lease) }),
      signal,
      onWait: (seconds) => stderr.write(leaseWait(seconds)),
      onProgress: ({ step, done, of }) =>
        progress.show(() => `${step} ${done}${of ? ` of ${of}` : ''} records`),
      derived: createDerivedFiles(database, config),
      media,
      pictures: createPictureMaker(database, config, media, onRefused),
      onChecked: ({ firstDays, warnings }) => {
        progress.clear();
        stderr.write(warnings.lines.join(''));
        stdout.write(describeFirstDays(firstDays));
      },
      onBusiest: (place) => {
        progress.clear();
        stderr.write(describeBusiest(place, config));
      },
      onPublished: (edition) => {
        published = edition;
        progress.clear();
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        stdout.write(`Published edition ${edition.id}: ${describeCounts(edition)}, in ${seconds} s.\n`);
        if (hold) {
          stdout.write(`It is held: to serve it, run ${name} switch ${edition.id}.\n`);
          stdout.write(`Preview: ${previewUrl(config, edition)}\n`);
        }
      },
    });
    if (isUnchanged) {
      progress.clear();
      stdout.write(
        `Unchanged: edition ${edition.id} has the same content, so nothing was published (use --force to publish anyway).\n`,
      );
    }
    if (swept.length > 0) stdout.write(`No longer kept: edition ${swept.join(', ')}.\n`);
    if (keep === 1 && !hold && !nodes && (await isCluster(database))) stderr.write(UNKNOWN_NODES);
  } catch (error) {
    if (!published) throw error;
    const done = `edition ${published.id} was published, but old editions could not be deleted completely`;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${done}; the next publish will retry: ${reason}`, { cause: error });
  } finally {
    progress.clear();
  }
}

/** MEDIA_DIR without symbolic links; `null` if it is not set. It may be missing where another machine serves. */
async function mediaFolder({ mediaFolder }: Config): Promise<MediaFolder> {
  return mediaFolder === undefined ? null : realpath(mediaFolder).catch(() => mediaFolder);
}

/** The preview URL of a held edition: its front page, or the API if pages are off. */
export function previewUrl(
  config: Pick<Config, 'baseUrl' | 'hasPages'>,
  edition: Pick<Edition, 'key'>,
): string {
  return `${previewBase(config, edition)}/en/${config.hasPages ? '' : 'api'}`;
}

/** The message while another process has the lease: it may be running, or have been killed. */
export function leaseWait(seconds: number): string {
  return `Another process has the publish lease; waiting up to ${seconds} s to see whether it is still running.\n`;
}

/** A line about dates of which less than a day is known; empty if there were none. */
export function describeFirstDays(count: number): string {
  if (count === 0) return '';
  return `${counted(count, 'date')} without an exact day: the API has the first day, pages and tables what is known.\n`;
}

/** Size above which a page of events is named, in bytes. */
const LARGE_PAGE = 4_000_000;

/** A line about a location with so many events that pages of these are large; empty if they are not. */
function describeBusiest({ name, events, bytes, links }: BusyPlace, { baseUrl }: Config): string {
  const page = PAGE_SIZE * (bytes + links * Buffer.byteLength(baseUrl));
  if (page < LARGE_PAGE) return '';
  const size = `${grouped(Math.round(page / 1e6))} MB`;
  return `location ${name}: ${counted(events, 'event')}: full pages of events there have some ${size}; readers of the API can ask for events=abbreviated.\n`;
}

/** "64 persons, 33 subjects, 44 locations and 66 events". */
export function describeCounts({ counts }: Pick<Edition, 'counts'>): string {
  const parts = KINDS.map((kind) => counted(counts[kind], kind));
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Interval of the requests to nodes. */
const LOOK_MILLISECONDS = 500;

/** Timeout of a request to a node, which is then retried. */
const ANSWER_MILLISECONDS = 5_000;

const readySchema = z.object({ editions: z.array(z.number()) });

/** The nodes to wait for, and the timeout. */
interface NodeWait {
  /** URLs of admin ports, or of their `/ready`. */
  urls: readonly string[];
  milliseconds: number;
}

/** Parses comma-separated URLs. @throws Error if one is invalid */
function parseNodeUrls(text: string): string[] {
  return text.split(',').map((part) => {
    const url = URL.parse(part.trim());
    if (!url || !/^https?:$/.test(url.protocol)) {
      throw new Error(
        '--await: expected URLs of admin ports, such as http://10.0.0.1:9090,http://10.0.0.2:9090',
      );
    }
    if (url.pathname === '/') url.pathname = '/ready';
    return url.href;
  });
}

/**
 * Waits until every node is ready to serve an edition.
 *
 * @throws Error with the nodes that were not ready in time, and why; the reason of the signal
 */
async function awaitNodes(
  edition: number,
  { urls, milliseconds }: NodeWait,
  { stderr, name }: Pick<CommandContext, 'stderr' | 'name'>,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + milliseconds;
  stderr.write(`Waiting for ${counted(urls.length, 'node')} to be ready for edition ${edition}.\n`);
  for (;;) {
    const reasons = await Promise.all(urls.map((url) => whyNotReady(url, edition)));
    const nodes = urls.flatMap((url, place) => (reasons[place] ? [`  ${url}: ${reasons[place]}\n`] : []));
    if (nodes.length === 0) return;
    if (performance.now() > end) {
      throw new Error(
        `edition ${edition} is held: not every node was ready for it within ${milliseconds / 1_000} s\n` +
          `${nodes.join('')}To serve it anyway, run ${name} switch ${edition}`,
      );
    }
    await sleep(LOOK_MILLISECONDS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function whyNotReady(url: string, edition: number): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
    const { editions } = readySchema.parse(await response.json());
    return editions.includes(edition) ? undefined : `ready for editions: ${editions.join(', ') || 'none'}`;
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return 'the response is not that of /ready';
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
