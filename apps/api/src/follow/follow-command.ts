import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestError } from '@archiefkast/client';
import { parseBaseUrl } from '@archiefkast/client/internal';
import { WaitError } from '@archiefkast/client/internal/node';
import { defineCommand, flag, required, text } from '@archiefkast/command-line';
import { LONGEST_SECONDS } from '@archiefkast/system';
import { useProxies } from '@archiefkast/system/use-proxies';
import { type CommandContext, ExitError } from '../commands/command.ts';
import { createLog } from '../commands/serve.ts';
import { ConfigError, parseDuration } from '../config.ts';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { createPictureMaker } from '../pictures/picture-maker.ts';
import { withMigratedDatabase } from '../storage/open-database.ts';
import { noteFollowing } from '../storage/schema.ts';
import { VERSION } from '../version.ts';
import { followArchive } from './follow-archive.ts';

/** Exit code of a harvest that can be resumed. */
const INCOMPLETE = 4;

/** The first pause after a fault; each is twice as long as the one before, up to `--every`. */
const FIRST_PAUSE_MILLISECONDS = 5_000;

/** `archive-api follow <address>`: publishes what another archive serves, and keeps it the same. */
export const followCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('address', required('Address of the archive to copy'))
      .option('every', text('How often to look for a new edition, such as 90s or 1h [default: 15m]'))
      .option('media', flag('Copy the files that the archive hosts too, to MEDIA_DIR'))
      .option('once', flag('Bring the copy up to date, and end'))
      .check(({ address, every }) => Boolean(parseBaseUrl(String(address)) && parseEvery(every))),
  rules: { excluding: [['every', 'once']] },
  examples: [
    ['follow https://archive.example', 'Keeps a copy of an archive, which serve serves'],
    ['follow https://archive.example --once', 'Brings it up to date once, for a timer of the system'],
  ],
  async run(context: CommandContext, { address, every: given, once, media }) {
    const { config, environment, stderr, signal } = context;
    const every = parseEvery(given);
    if (media && config.mediaFolder === undefined)
      throw new ConfigError('MEDIA_DIR: expected the folder for the files that --media copies');
    const mediaFolder = media ? config.mediaFolder : undefined;
    const log = await createLog(config.logLevel, stderr);
    for (const reason of await useProxies(environment, address)) log.warn({ reason }, 'a proxy is not used');
    const client = {
      baseUrl: parseBaseUrl(address),
      language: 'en',
      headers: { 'user-agent': `archive-api/${VERSION}`, 'accept-encoding': 'zstd, br, gzip' },
      maxWaitMs: every,
      signal,
    } as const;
    const work = () =>
      withMigratedDatabase(
        config,
        async (database) => {
          const derived = createDerivedFiles(database, config);
          const folder = config.followFolder;
          try {
            const media = mediaFolder && (await realpath(mediaFolder).catch(() => mediaFolder));
            const pictures =
              media === undefined
                ? undefined
                : createPictureMaker(database, config, media, (reason) => log.warn({ reason }, 'a picture'));
            await followArchive({
              database,
              derived,
              folder,
              media: mediaFolder,
              pictures,
              client,
              log,
              signal,
            });
          } catch (error) {
            signal.throwIfAborted();
            // The fault of the database itself matters less.
            await noteFollowing(database, { fault: messageOf(error) }).catch(() => {});
            throw error;
          }
        },
        signal,
      );
    if (once) return await work().catch(withExitCode);
    for (let faults = 0; ; ) {
      let pause = every;
      try {
        await work();
        faults = 0;
      } catch (error) {
        signal.throwIfAborted();
        const asked = error instanceof WaitError ? error.waitMs : 0;
        pause = Math.max(asked, Math.min(every, FIRST_PAUSE_MILLISECONDS * 2 ** faults));
        faults += 1;
        log.error({ err: error }, 'the copy could not be brought up to date; what is served stays');
      }
      await sleep(Math.min(pause, LONGEST_SECONDS * 1000), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  },
});

/** Milliseconds of `--every`. @throws Error */
function parseEvery(given = '15m'): number {
  const milliseconds = parseDuration(given);
  if (!milliseconds) throw new Error('--every: expected a duration such as 90s, 15m or 1h');
  return milliseconds;
}

/** Throws an error with the exit code that a harvest has for it. */
function withExitCode(error: unknown): never {
  if (error instanceof RequestError && error.isPassing) throw new ExitError(INCOMPLETE, error.message, error);
  throw error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
