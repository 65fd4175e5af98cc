import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, type ListenOptions, Server as TcpServer } from 'node:net';
import { platform } from 'node:os';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createDerivedFiles } from '../derived/derived-files.ts';
import { type EditionsInUse, followEditions } from '../edition/follow-editions.ts';
import { createMissingPictures } from '../pictures/missing-pictures.ts';
import { openPictureFolder } from '../pictures/picture-folder.ts';
import { connect, type Database, placeOfDatabase } from '../storage/connect.ts';
import { isOutage } from '../storage/database-errors.ts';
import { isMigrated, migrate } from '../storage/schema.ts';
import { createAdminServer } from './admin-server.ts';
import { createLimitedServer } from './limited-server.ts';

/** Timeout of a connection to a database server, well below DATABASE_SECONDS. */
const CONNECT_MILLISECONDS = 2_000;

/** Timeout at start for the database, which may be starting too. */
const START_MILLISECONDS = 60_000;

/** Interval of retries while the database is unavailable. */
const TRY_MILLISECONDS = 500;

export interface ServeContext {
  config: Config;
  /** Aborted by a stop signal. */
  signal: AbortSignal;
}

/**
 * Serves in this process: listens at once, and responds 503 until the database is connected and the search index is open.
 * Stops within the timeout, even if the database hangs.
 *
 * @param onReady called once, when the server is ready
 * @throws Error if the database is unusable, or unavailable until the timeout
 */
export async function serveHere(
  { config, signal }: ServeContext,
  log: Logger,
  onReady: () => void,
): Promise<void> {
  const database = connect(config.database, {
    connectMilliseconds: CONNECT_MILLISECONDS,
    answerMilliseconds: config.databaseMilliseconds,
    poolSize: config.databaseConnections,
  });
  const files = createDerivedFiles(database, config);
  const editions = followEditions(database, files, log, config);
  // Loaded only if metrics are enabled.
  const { createMetrics } = config.adminPort === undefined ? {} : await import('./metrics.ts');
  const metrics = createMetrics?.();
  const listener = await createApp({ database, editions, log, metrics }, config);
  const servers: Server[] = [];
  try {
    const server = createLimitedServer(listener);
    const port = await listenPublicly(server, config);
    servers.push(server);
    if (metrics) {
      const folder = openPictureFolder(config, undefined);
      const findMissing = folder && createMissingPictures(database, folder);
      const state = () => ({ ...editions.state(), pictures: findMissing?.(editions.current()?.edition) });
      const admins = createAdminServer(state, metrics.registry);
      await listen(admins, 'ADMIN_PORT', { port: config.adminPort, host: config.adminHost });
      servers.push(admins);
    }
    await startWhenReached(database, editions, config.database, log, signal);
    if (!editions.current()) {
      const database = placeOfDatabase(config.database);
      log.warn({ database }, 'nothing has been published yet: run archive-api publish <bundle-folder>');
    }
    log.info({ host: config.host, port, baseUrl: config.baseUrl }, 'listening');
    onReady();
    await aborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (signal.aborted) log.info('stopping: finishing the requests in flight');
    const ending = async () => {
      await Promise.all(servers.map((server) => stop(server, config.stopMilliseconds)));
      await editions.stop();
      await database.destroy();
    };
    // The database may hang.
    const { promise: late, resolve } = Promise.withResolvers<void>();
    using _timer = setTimeout(resolve, config.stopMilliseconds);
    await Promise.race([ending(), late]);
  }
  log.info('stopped');
}

/** Resolves when the signal is aborted. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Starts following editions; retries while the database is unavailable, until the timeout. */
async function startWhenReached(
  database: Database,
  editions: EditionsInUse,
  { engine }: Config['database'],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + START_MILLISECONDS;
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      // Another database may be one of several servers, or read-only.
      if (engine === 'sqlite') await migrate(database, signal);
      else if (!(await isMigrated(database))) {
        throw new Error('the database has no tables yet; run archive-api migrate, or archive-api publish');
      }
      await editions.start();
      return;
    } catch (error) {
      if (!isOutage(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (performance.now() > end) {
        const seconds = START_MILLISECONDS / 1_000;
        throw new Error(`the database could not be reached within ${seconds} s: ${reason}`, { cause: error });
      }
      if (tries === 1) log.warn({ reason }, 'the database cannot be reached; retrying, and responding 503');
    }
    await sleep(TRY_MILLISECONDS, undefined, { signal });
  }
}

/** Timeout of an idle connection while a server stops: the next request of a busy client arrives within it. */
const IDLE_MILLISECONDS = 500;

/** Turns of the event loop in which requests that have arrived are read. */
const UNREAD_TURNS = 5;

/** The address of the archive. */
type PublicAddress = Pick<Config, 'port' | 'host' | 'reusePort'>;

/** Starts listening on the address of the archive. @returns the port @throws as `listen` */
function listenPublicly(server: Server, { port, host, reusePort }: PublicAddress): Promise<number> {
  return listen(server, 'PORT', { port, host, reusePort });
}

/** Why a system does not listen on an address, by its code. @param setting of the port */
function refusals(setting: string, { port, host = '', reusePort }: ListenOptions): Record<string, string> {
  const noAddress = `${setting === 'PORT' ? 'HOST' : 'ADMIN_HOST'}: ${host} is no address of this machine; expected one such as 127.0.0.1 or ::`;
  return {
    EADDRINUSE: `${setting}: ${port} on ${host} is in use; expected a free port`,
    EACCES: `${setting}: this user may not listen on ${port}; expected a port from 1024, behind a proxy`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    EAI_AGAIN: noAddress,
    ...(reusePort && {
      ENOTSUP: `REUSE_PORT: processes cannot share a port on ${platform()}; expected off`,
    }),
  };
}

/**
 * Starts listening.
 *
 * @returns the port, which the system chooses for 0
 * @throws Error with the name of the setting if the system does not listen there
 */
async function listen(server: Server, setting: string, address: ListenOptions): Promise<number> {
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = refusals(setting, address)[code];
    if (reason !== undefined) throw new Error(reason, { cause: error });
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Checks whether this process can listen on the address of the archive. @throws as `listen` */
export async function checkPort(address: PublicAddress): Promise<void> {
  const server = createServer();
  await listenPublicly(server, address);
  server.close();
}

/**
 * Stops accepting connections, and closes those that are kept: with the response to their next request, or when they are
 * idle. So no client finds a request reset. Closes the rest at the timeout.
 */
export async function stop(server: Server, milliseconds: number): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  // For connections whose response ends from now on.
  server.keepAliveTimeout = 4 * IDLE_MILLISECONDS;
  server.keepAliveTimeoutBuffer = 0;
  // The `close` of an HTTP server resets idle connections, on which a request may be arriving.
  TcpServer.prototype.close.call(server);
  using _idle = setTimeout(async () => {
    // On a busy machine, requests may have arrived that were not read yet.
    for (let turn = 0; turn < UNREAD_TURNS; turn += 1) await nextTurn();
    server.closeIdleConnections();
  }, IDLE_MILLISECONDS);
  using _all = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
}
