import type { RequestListener } from 'node:http';
import Koa, { type ParameterizedContext } from 'koa';
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
import { type ArchiveSettings, createPreviews, type Handler } from './preview/preview.ts';
import { PROTOCOLS } from './protocols/protocols.ts';
import type { Database } from './storage/connect.ts';
import { createDatestamps } from './storage/datestamps.ts';
import { listSwitches } from './storage/history.ts';
import { createTextQueries, type TextQueries } from './storage/texts.ts';
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

/** What all archives of a server share: the served one, and previews. */
interface Shared extends Pick<AppDependencies, 'database' | 'log'> {
  queries: TextQueries;
  gates: Gates;
  software: string;
  chooseCoding: ReturnType<typeof createCodingChoice>;
}

/** Creates the request listener: cached responses are sent at once, other requests go through Koa. */
export async function createApp(
  { database, editions, log, metrics }: AppDependencies,
  config: Config,
): Promise<RequestListener> {
  const caches = new Caches(config.cacheBytes);
  editions.onRetired((edition) => caches.forget(edition));
  const cache = new HotCache(editions, caches);
  const gates = createGates(config);
  const chooseCoding = createCodingChoice(caches);
  const queries = createTextQueries(database);
  const software = await identifySoftware(config);
  const shared = { database, log, queries, gates, software, chooseCoding };
  const preview = createPreviews(editions, config, (settings, own) => {
    const ownCaches = new Caches();
    return createHandler(shared, own, ownCaches, new HotCache(own, ownCaches), settings);
  });
  const handle = await createHandler(shared, editions, caches, cache, config, preview);
  const koa = new Koa();
  koa.use(handle);
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
    if (!problemOf(headers.host, editions) && cache.respond(request, response, coding, id, trace)) return;
    void traces.run(trace ?? observer.observe(request, response, id), () => answer(request, response));
  };
}

/**
 * Creates the handler of the requests below a base URL.
 *
 * @param preview handles requests for held editions; true if it has
 */
async function createHandler(
  { database, log, queries, gates, software, chooseCoding }: Shared,
  editions: EditionsInUse,
  caches: Caches,
  cache: HotCache,
  config: ArchiveSettings,
  preview?: (context: ParameterizedContext) => Promise<boolean>,
): Promise<Handler> {
  const { baseUrl } = config;
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
      archiveId: editions.archiveId,
      keptEditions: editions.kept,
      listSwitches: () => listSwitches(database),
      datestamps: createDatestamps(database),
      findOpen: editions.find,
    },
    PROTOCOLS,
  );
  const respond = createRespond({ editions, cache, gates, config, software });
  const router = createRouter(routes, createEndpoints({ config, chooseCoding, respond }));
  const route = router.routes() as Koa.Middleware;
  const onError = createErrorHandler(log, editions, config);
  return async (context) => {
    const target = readTarget(context.url);
    context.url = target ?? '/';
    try {
      if (target === undefined)
        throw new Problem('bad-request', 'Invalid request target.', 'a path such as /en/api/persons');
      const problem = problemOf(context.headers.host, editions);
      if (problem) throw problem;
      const single = withSingleSlashes(target);
      if (single !== target) sendRedirect(context, { location: baseUrl + single, status: 308 });
      else if (!(await preview?.(context))) await route(context, async () => {});
    } catch (error) {
      await onError(context, error);
    }
    if (context.respond !== false) setCommonHeaders(context, editions.current());
  };
}

/** The problem of every request with this Host, whatever it asks for; undefined if there is none. */
function problemOf(host: string | undefined, editions: EditionsInUse): Problem | undefined {
  const expected = 'one host, such as example.org or [::1]:3000';
  if (!isHost(host)) return new Problem('bad-request', 'Invalid header Host.', expected);
  return editions.isStale() ? new Problem('not-current') : undefined;
}

/** Identifies everything besides the archive that determines responses: the versions of program and pages, and settings. */
async function identifySoftware({ hasPages, tiles, picturesFolder, imageServer }: Config): Promise<string> {
  const ofPages = hasPages ? [(await import('@archiefkast/site')).ASSETS_VERSION] : [];
  const images = imageServer ?? (picturesFolder && 'pictures');
  return [VERSION, ...ofPages, ...(tiles ? [JSON.stringify(tiles)] : []), ...(images ? [images] : [])].join(
    ' ',
  );
}

/** Limit of concurrent searches: they are answered by one thread, one after the other. */
const SEARCHES_UNDER_WAY = 4;

/** Limit of queued requests. */
const MOST_WAITING = 1_000;

/** Limits of concurrent requests and downloads. */
function createGates(config: Config): Gates {
  const milliseconds = config.databaseMilliseconds;
  return {
    making: new Gate({ underWay: config.requestsUnderWay, waiting: MOST_WAITING, milliseconds }),
    searching: new Gate({ underWay: SEARCHES_UNDER_WAY, waiting: MOST_WAITING, milliseconds }),
    sending: new Gate({ underWay: config.downloadsUnderWay, waiting: 0, milliseconds }),
  };
}
