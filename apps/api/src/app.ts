import type { RequestListener } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import { Caches } from './cache.ts';
import type { Config } from './config.ts';
import { createChangeLog } from './edition/changes.ts';
import { createDumps } from './edition/dumps.ts';
import { createEditionReader } from './edition/edition-reader.ts';
import type { EditionsInUse } from './edition/follow-editions.ts';
import { Gate } from './gate.ts';
import { createEndpoints } from './http/endpoint.ts';
import { createErrorHandler, reportCutOff } from './http/errors.ts';
import { isHost, readTarget, requestId, setCommonHeaders, withSingleSlashes } from './http/headers.ts';
import { HotCache } from './http/hot-cache.ts';
import { Problem } from './http/problems.ts';
import { createRespond, type Gates } from './http/respond.ts';
import { createRouter, createRoutes } from './http/routes.ts';
import { createCodingChoice, sendRedirect } from './http/send.ts';
import { type CountRequest, createObserver, traceStatements, traces } from './http/trace.ts';
import { PROTOCOLS } from './protocols/protocols.ts';
import type { Database } from './storage/connect.ts';
import { createDatestamps } from './storage/datestamps.ts';
import { createTextQueries } from './storage/texts.ts';
import { VERSION } from './version.ts';

/** Dependencies of the app. */
export interface AppDependencies {
  database: Database;
  editions: EditionsInUse;
  log: Logger;
  /** The metrics, if they are enabled. */
  metrics?: { count: CountRequest; watch(figures: Figures): void } | undefined;
}

/** The sources of the current metrics. */
export interface Figures {
  database: Database;
  editions: EditionsInUse;
  gates: Gates;
  /** Size of each cache, in bytes. */
  cacheBytes(): Iterable<readonly [cache: string, bytes: number]>;
}

/** Creates the request listener: cached responses are sent at once, other requests go through Koa. */
export async function createApp(
  { database, editions, log, metrics }: AppDependencies,
  config: Config,
): Promise<RequestListener> {
  const { baseUrl } = config;
  const queries = createTextQueries(database);
  const caches = new Caches(config.cacheBytes);
  editions.onRetired((edition) => caches.forget(edition));
  const reader = createEditionReader(queries, baseUrl, caches);
  const dumps = createDumps({ database, reader, queries, baseUrl }, caches);
  const changeLog = createChangeLog(database, caches);
  const routes = await createRoutes(
    {
      ...config,
      reader,
      queries,
      dumps,
      changeLog,
      caches,
      keptEditions: editions.kept,
      datestamps: createDatestamps(database),
      findOpen: editions.find,
    },
    PROTOCOLS,
  );
  const cache = new HotCache(editions, caches);
  const chooseCoding = createCodingChoice(caches);
  const gates = createGates(config);
  const software = await identifySoftware(config);
  const respond = createRespond({ editions, cache, gates, config, software });
  const createEndpoint = createEndpoints({ config, chooseCoding, respond });

  /** The problem of every request with this Host, whatever it asks for; undefined if there is none. */
  const refuse = (host: string | undefined): Problem | undefined => {
    const expected = 'one host, such as example.org or [::1]:3000';
    if (!isHost(host)) return new Problem('bad-request', 'Invalid header Host.', expected);
    return editions.isStale() ? new Problem('not-current') : undefined;
  };
  const onError = createErrorHandler(log, editions, config);
  const koa = new Koa();
  koa.use(async (context, next) => {
    const target = readTarget(context.url);
    context.url = target ?? '/';
    setCommonHeaders(context, editions.current());
    try {
      if (target === undefined)
        throw new Problem('bad-request', 'Invalid request target.', 'a path such as /en/api/persons');
      const problem = refuse(context.headers.host);
      if (problem) throw problem;
      const single = withSingleSlashes(target);
      if (single === target) await next();
      else sendRedirect(context, { location: config.baseUrl + single, status: 308 });
    } catch (error) {
      await onError(context, error);
    }
  });
  koa.use(createRouter(routes, createEndpoint).routes());
  koa.on('error', reportCutOff(log));

  const cacheBytes = (): [string, number][] => [
    ...caches.bytes(),
    ['search', editions.open.all().reduce((sum, { search }) => sum + (search.opened?.byteLength ?? 0), 0)],
  ];
  metrics?.watch({ database, editions, gates, cacheBytes });
  const observer = createObserver(log, config, metrics?.count);
  traceStatements(database);
  const answer = koa.callback();
  return (request, response) => {
    const { method, url, headers } = request;
    if (url === '/health' && (method === 'GET' || method === 'HEAD') && isHost(headers.host)) {
      const status = editions.state().ready ? 200 : 503;
      response.writeHead(status, { 'Content-Length': 0, 'Cache-Control': 'no-store' }).end();
      return;
    }
    const id = requestId(headers['x-request-id']);
    headers['x-request-id'] = id;
    const trace = observer.observesAll ? observer.observe(request, response, id) : undefined;
    const coding = chooseCoding(headers['accept-encoding']?.toString());
    if (!refuse(headers.host) && cache.respond(request, response, coding, id, trace)) return;
    void traces.run(trace ?? observer.observe(request, response, id), () => answer(request, response));
  };
}

/** Identifies everything besides the archive that determines responses: the versions of program and pages, and settings. */
async function identifySoftware({ hasPages, tiles }: Config): Promise<string> {
  const ofPages = hasPages ? [(await import('@archiefkast/site')).ASSETS_VERSION] : [];
  return [VERSION, ...ofPages, ...(tiles ? [JSON.stringify(tiles)] : [])].join(' ');
}

/** Limit of queued requests. */
const MOST_WAITING = 1_000;

/** Limits of concurrent requests and downloads. */
function createGates(config: Config): Gates {
  const milliseconds = config.databaseMilliseconds;
  return {
    making: new Gate({ underWay: config.requestsUnderWay, waiting: MOST_WAITING, milliseconds }),
    sending: new Gate({ underWay: config.downloadsUnderWay, waiting: 0, milliseconds }),
  };
}
