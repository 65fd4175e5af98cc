import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createApp } from '../app.ts';
import { createDerivedFiles } from '../archive/derived-files.ts';
import { followEditions } from '../archive/editions-in-use.ts';
import { servedEditionId } from '../editions/edition.ts';
import { createLimitedServer } from '../http/create-limited-server.ts';
import type { CommandContext, Output } from './command-context.ts';
import { createLog } from './create-log.ts';
import { publishFolder } from './publish.ts';
import { isWorker, leaveWorkers, serveWithWorkers } from './serve-workers.ts';
import { withDatabase } from './with-database.ts';

/** Requests in flight get this long to end when the server stops. */
const STOP_MILLISECONDS = 10_000;

/** While the server stops, connections without a request are closed this often. */
const IDLE_MILLISECONDS = 50;

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url));

/** How the server is started. */
export interface ServeOptions {
  /** Publish the sample archive first when nothing has been published. */
  sample: boolean;
  /** Processes that answer; they share the port. */
  workers: number;
}

/** `archive-api serve`: serves the archive until it is asked to stop, then ends what is in flight. */
export async function serveCommand(
  context: CommandContext,
  { sample, workers }: ServeOptions,
): Promise<void> {
  const { config, stdout, stderr, stopped } = context;
  const log = createLog(config.logLevel, stderr);
  if (isWorker()) return serve(context, log, () => {}).finally(leaveWorkers);
  if (sample) await publishSample(context);
  const onListening = () => greet(stdout, config.baseUrl);
  if (workers === 1) return serve(context, log, onListening);
  await withDatabase(config, async () => {});
  return serveWithWorkers(workers, stopped, log, onListening);
}

async function publishSample(context: CommandContext): Promise<void> {
  await withDatabase(context.config, async (database) => {
    if ((await servedEditionId(database)) !== undefined) return;
    context.stdout.write('Nothing has been published yet: publishing the sample archive.\n');
    await publishFolder(context, database, SAMPLE, 2);
  });
}

/** Serves in this process. */
async function serve(
  { config, stopped }: CommandContext,
  log: Logger,
  onListening: () => void,
): Promise<void> {
  await withDatabase(config, async (database) => {
    const files = createDerivedFiles(database, config);
    const editions = await followEditions(database, files, log);
    try {
      if (!editions.current()) {
        log.warn('nothing has been published yet: run archive-api publish <bundle-folder>');
      }
      const server = createLimitedServer(createApp({ database, editions, files, log }, config), config);
      const port = await listen(server, config.port, config.host);
      log.info({ host: config.host, port, baseUrl: config.baseUrl }, 'listening');
      onListening();
      await stopped;
      log.info('stopping: finishing the requests in flight');
      await stop(server);
    } finally {
      await editions.stop();
    }
    log.info('stopped');
  });
}

/** @returns the port, which the system chooses where 0 is asked for */
async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (isTaken)
      throw new Error(`PORT: ${port} on ${host} is in use; expected a free port`, { cause: error });
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Takes no new requests, and waits for those in flight. */
async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept connection whose answer ends from now on would wait for a request that is not taken.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MILLISECONDS);
  const impatience = setTimeout(() => server.closeAllConnections(), STOP_MILLISECONDS);
  await closed;
  clearInterval(idle);
  clearTimeout(impatience);
}

function greet(stdout: Output, baseUrl: string): void {
  stdout.write(`
The archive is served at ${baseUrl}

  Open      ${baseUrl}/en/api/persons
            ${baseUrl}/nl/api/search?q=city:Leiden
  Harvest   npx archive-cli harvest --base-url ${baseUrl} --lang en --out harvest
  Search    npx archive-cli search --last-name huygens --base-url ${baseUrl}

Stop with Ctrl-C.
`);
}
