import { fileURLToPath } from 'node:url';
import { defineCommand, flag } from '@archiefkast/command-line';
import type { Output } from '@archiefkast/system';
import type { Logger } from 'pino';
import pino from 'pino';
import type { LogLevel } from '../config.ts';
import { checkPort, serveHere } from '../serve/serve-here.ts';
import { findServedEdition } from '../storage/edition.ts';
import { withMigratedDatabase } from '../storage/open-database.ts';
import { type CommandContext, resolveMediaFolder } from './command.ts';

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url));

/** The pictures of the sample archive. */
const SAMPLE_MEDIA = fileURLToPath(new URL('../../sample/media', import.meta.url));

/**
 * `archive-api serve`: serves the archive until a stop signal, then finishes the requests in flight.
 *
 * @throws ConfigError if MEDIA_DIR is not a readable folder; Error if the port is in use
 */
export const serveCommand = defineCommand({
  options: (yargs) =>
    yargs.option('sample', flag('Publish the sample archive first if nothing has been published')),
  examples: [
    ['serve', 'Serves what is published on http://localhost:3000'],
    ['serve --sample', 'Publishes a sample archive first, if nothing is'],
  ],
  async run({ config: given, ...others }: CommandContext, { sample }) {
    const folder = given.mediaFolder ?? (sample ? SAMPLE_MEDIA : undefined);
    const mediaFolder = folder === undefined ? undefined : await resolveMediaFolder(folder);
    const config = { ...given, mediaFolder };
    const context = { config, ...others };
    const log = await createLog(config.logLevel, context.stderr);
    if (sample) {
      await checkPort(config);
      await publishSample(context);
    }
    await serveHere(context, log, () => greet(context));
  },
});

async function publishSample(context: CommandContext): Promise<void> {
  await withMigratedDatabase(
    context.config,
    async (database) => {
      if ((await findServedEdition(database)) !== undefined) return;
      const { publishFolder } = await import('./publish.ts');
      context.stdout.write('Nothing has been published yet: publishing the sample archive.\n');
      await publishFolder(context, database, SAMPLE, { keep: 2 });
    },
    context.signal,
  );
}

function greet({ stdout, name, config: { baseUrl } }: CommandContext): void {
  const client = name === 'archive-api' ? 'archive-cli' : name;
  stdout.write(`
The archive is served at ${baseUrl}

  Open      ${baseUrl}/
  Build     ${baseUrl}/docs
  Harvest   npx ${client} harvest --base-url ${baseUrl} --lang en --out harvest
  Search    npx ${client} search --last-name huygens --base-url ${baseUrl}

Stop with Ctrl-C.
`);
}

/**
 * Creates a log: lines of JSON, or formatted text on a terminal. The formatter is loaded only if needed.
 */
export async function createLog(level: LogLevel, output: Output): Promise<Logger> {
  const options = { level, formatters: { level: (name: string) => ({ level: name }) } };
  if (!output.isTTY) return pino(options, { write: output.writeRaw ?? output.write });
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', colorize: false });
  return pino(options, { write: (line) => output.write(pretty(line)) });
}
