import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp, type Figures } from '../app.ts';
import type { Config } from '../config.ts';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { type EditionsInUse, type FollowOptions, followEditions } from '../edition/follow-editions.ts';
import { connect, type Database } from '../storage/connect.ts';
import { isOutage } from '../storage/database-errors.ts';
import { migrate } from '../storage/migrate.ts';
import { NothingPublishedError, requireTables } from '../storage/with-database.ts';
import { type AdminSource, createAdminServer } from './admin-server.ts';
import { createLimitedServer } from './limited-server.ts';
import type { Metrics } from './metrics.ts';
import { SlowReaders } from './slow-readers.ts';

/** A server of the database must take a connection within this: well within DATABASE_SECONDS. */
const CONNECT_MILLISECONDS = 2_000;

/** At its start, a server waits this long for a database that cannot be reached: as long as one takes to start beside it. */
const START_MILLISECONDS = 60_000;

/** While the database cannot be reached, it is tried this often. */
const TRY_MILLISECONDS = 500;

/** What serving is handed by its command. */
export interface ServeContext {
  config: Config;
  /** Aborted when the process is asked to stop. */
  signal: AbortSignal;
}

/** How a process serves. */
interface ServeHereOptions extends FollowOptions {
  /** How long a database that cannot be reached is waited for; a minute, if not given. */
  startMilliseconds?: number;
  /** Called once, when requests are answered. */
  onReady?: () => void;
  /** Called when it listens: what tells how it does. Returns what ends the telling. */
  onListening?: (source: { editions: EditionsInUse; metrics: Metrics | undefined }) => Promise<() => void>;
}

/**
 * Serves in this process: listens at once, and answers 503 until the database has been reached and the search index of
 * the served edition is open. Whatever the database does, it ends in time when it is told to.
 *
 * @throws Error when the database cannot be used, or not be reached in time
 */
export async function serveHere(
  { config, signal }: ServeContext,
  log: Logger,
  {
    startMilliseconds = START_MILLISECONDS,
    onReady = () => {},
    onListening,
    beforeSwitch,
  }: ServeHereOptions = {},
): Promise<void> {
  const database = connect(config.database, {
    connectMilliseconds: CONNECT_MILLISECONDS,
    answerMilliseconds: config.databaseMilliseconds,
    poolSize: config.databaseConnections,
  });
  const files = createDerivedFiles(database, config);
  const editions = followEditions(database, files, log, beforeSwitch && { beforeSwitch });
  // Loaded only where somebody looks at the figures.
  const { createMetrics } = config.adminPort === undefined ? {} : await import('./metrics.ts');
  let metrics: Metrics | undefined;
  const readers = new SlowReaders(config);
  const createCounter =
    createMetrics &&
    ((figures: Figures) => {
      metrics = createMetrics({ ...figures, unsentBytes: () => readers.unsentBytes });
      return metrics.count;
    });
  const listener = createApp({ database, editions, files, log, createCounter }, config);
  const servers: Server[] = [];
  let stopTelling = () => {};
  try {
    const server = createLimitedServer(listener, config, readers);
    const port = await listen(server, 'PORT', config.port, config.host);
    servers.push(server);
    if (onListening) stopTelling = await onListening({ editions, metrics });
    else if (config.adminPort !== undefined && metrics) {
      const { registry } = metrics;
      servers.push(
        await listenToAdmins(config, {
          state: editions.state,
          metrics: () => registry.metrics(),
          metricsType: registry.contentType,
        }),
      );
    }
    await startWhenReached(database, editions, config.database, startMilliseconds, log, signal);
    if (!editions.current()) {
      log.warn('nothing has been published yet: run archive-api publish <bundle-folder>');
    }
    log.info({ host: config.host, port, baseUrl: config.baseUrl }, 'listening');
    onReady();
    await aborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stopTelling();
    if (signal.aborted) log.info('stopping: finishing the requests in flight');
    await end(servers, editions, database, config.stopMilliseconds);
  }
  log.info('stopped');
}

/** Opens the admin port. */
export async function listenToAdmins(
  { adminPort = 0, adminHost }: Pick<Config, 'adminPort' | 'adminHost'>,
  source: AdminSource,
): Promise<Server> {
  const server = createAdminServer(source);
  await listen(server, 'ADMIN_PORT', adminPort, adminHost);
  return server;
}

/** Resolves when the process is asked to stop. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Starts following editions when the database can be reached; waits for that, within limits, and says so. */
async function startWhenReached(
  database: Database,
  editions: EditionsInUse,
  { engine }: Config['database'],
  milliseconds: number,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      await prepareTables(database, engine, signal);
      await editions.start();
      return;
    } catch (error) {
      if (!isOutage(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (performance.now() > end) {
        throw new Error(`the database could not be reached within ${milliseconds / 1_000} s: ${reason}`, {
          cause: error,
        });
      }
      if (tries === 1)
        log.warn({ reason }, 'the database cannot be reached; waiting for it, and answering 503');
    }
    await sleep(TRY_MILLISECONDS, undefined, { signal });
  }
}

/**
 * The tables as a server finds them. Only those of an embedded database are brought up to date: a server on another may
 * be one of many, or not allowed to write.
 */
async function prepareTables(
  database: Database,
  engine: Config['database']['engine'],
  signal: AbortSignal,
): Promise<void> {
  if (engine === 'sqlite') {
    await migrate(database, { signal });
    return;
  }
  try {
    await requireTables(database);
  } catch (error) {
    if (!(error instanceof NothingPublishedError)) throw error;
    throw new Error('the database has no tables yet; run archive-api migrate, or archive-api publish');
  }
}

/** Ends all of it, but waits no longer than it may: a database that hangs answers nothing. */
async function end(
  servers: readonly Server[],
  editions: EditionsInUse,
  database: Database,
  milliseconds: number,
): Promise<void> {
  const ending = async () => {
    await Promise.all(servers.map((server) => stop(server, milliseconds)));
    await editions.stop();
    await database.destroy();
  };
  const impatience = new AbortController();
  const giveUp = sleep(milliseconds, undefined, { signal: impatience.signal }).catch(() => {});
  await Promise.race([ending(), giveUp]);
  impatience.abort();
}

/** While a server stops, connections without a request are closed this often. */
const IDLE_MILLISECONDS = 50;

/**
 * @param setting the setting that names the port
 * @returns the port, which the system chooses where 0 is asked for
 * @throws Error naming the setting when the port is taken
 */
async function listen(server: Server, setting: string, port: number, host: string): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (isTaken) {
      throw new Error(`${setting}: ${port} on ${host} is in use; expected a free port`, { cause: error });
    }
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Checks that a port is free, before work that would be for nothing. @throws Error as `listen` does */
export async function checkPort(setting: string, port: number, host: string): Promise<void> {
  const server = createServer();
  await listen(server, setting, port, host);
  await stop(server, 0);
}

/** Takes no new requests, and waits for those in flight; cuts what is left when the time is up. */
export async function stop(server: Server, milliseconds: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept connection whose answer ends from now on would wait for a request that is not taken.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MILLISECONDS);
  const impatience = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearInterval(idle);
  clearTimeout(impatience);
}
