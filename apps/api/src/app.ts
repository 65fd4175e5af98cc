import type { RequestListener } from 'node:http';
import { ASSETS_VERSION } from '@archiefkast/site';
import Koa from 'koa';
import type { Logger } from 'pino';
import { Caches } from './cache.ts';
import type { Config } from './config.ts';
import type { DerivedFiles } from './derived/derived-files.ts';
import { createChangeLog } from './edition/changes.ts';
import { createDumps } from './edition/dumps.ts';
import { createEditionReader } from './edition/edition-reader.ts';
import type { EditionsInUse } from './edition/follow-editions.ts';
import { createTextQueries } from './edition/texts.ts';
import { Gate } from './gate.ts';
import { answerHealth } from './http/answer/answer-health.ts';
import { BodyCache, createCachedResponder } from './http/answer/body-cache.ts';
import { commonHeaders, requestId } from './http/answer/headers.ts';
import { createAnswerHeaders } from './http/answer/representation.ts';
import { createResponder, type Gates } from './http/answer/responder.ts';
import { type CountRequest, createObserver, traceStatements, withTrace } from './http/answer/trace.ts';
import { createRouter } from './http/create-router.ts';
import { notCurrent } from './http/problems/common-problems.ts';
import { createCodingChoice } from './http/request/accept.ts';
import { readTarget, refuseLongUrl } from './http/request/read-target.ts';
import { createErrorPages } from './http/resources/pages/error-pages.ts';
import { createRoutes } from './http/resources/routes.ts';
import { answerProblem, reportCutOff, respondToErrors } from './http/respond-to-errors.ts';
import type { Database } from './storage/connect.ts';
import { listEditions } from './storage/edition.ts';
import { VERSION } from './version.ts';

/** Dependencies of the app. */
export interface AppDependencies {
  database: Database;
  editions: EditionsInUse;
  files: DerivedFiles;
  log: Logger;
  /** Work that takes long waits until new connections are accepted; undefined if there are none. */
  connections: { readonly accepted: Promise<void> | undefined };
  /** Creates the request counter of the metrics, if these are enabled. */
  createCounter?: ((figures: Figures) => CountRequest) | undefined;
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
export function createApp(
  { database, editions, files, log, connections, createCounter }: AppDependencies,
  config: Config,
): RequestListener {
  const { baseUrl } = config;
  const queries = createTextQueries(database);
  const caches = new Caches(config.cacheBytes);
  editions.onRetired((edition) => caches.forget(edition));
  const reader = createEditionReader(queries, baseUrl, caches);
  const dumps = createDumps({ reader, queries, baseUrl }, files, log, caches);
  const changeLog = createChangeLog(database, caches);
  const routes = createRoutes({
    ...config,
    reader,
    queries,
    dumps,
    changeLog,
    caches,
    keptEditions: async () => (await listEditions(database)).filter(({ isHeld }) => !isHeld),
  });
  const cache = new BodyCache(editions, caches);
  const chooseCoding = createCodingChoice(caches);
  const gates = createGates(config);
  const respond = createResponder(editions, cache, createAnswerHeaders(config, softwareOf(config)), gates);

  const createKoa = () => {
    const koa = new Koa();
    koa.use(commonHeaders(editions));
    koa.use(respondToErrors(log, baseUrl, createErrorPages(editions, config)));
    return koa;
  };
  const koa = createKoa();
  koa.use(refuseLongUrl);
  koa.use(createRouter(routes, respond, { baseUrl, chooseCoding }).routes());
  koa.on('error', reportCutOff(log));
  const refuseAsStale = createKoa()
    .use(() => {
      throw notCurrent();
    })
    .callback();

  const cacheBytes = (): [string, number][] => [
    ...caches.bytes(),
    ['search', editions.all().reduce((sum, { search }) => sum + search.byteLength, 0)],
  ];
  const observer = createObserver(log, config, createCounter?.({ database, editions, gates, cacheBytes }));
  traceStatements(database);
  const respondFromCache = createCachedResponder(cache, chooseCoding);
  const answer = koa.callback();
  return (request, response) => {
    if (answerHealth(request, response, editions)) return;
    const id = requestId(request.headers['x-request-id']);
    request.headers['x-request-id'] = id;
    const problem = readTarget(request);
    if (problem) {
      observer.observe(request, response, id);
      answerProblem(response, problem, baseUrl, id);
      return;
    }
    const isStale = editions.isStale();
    const trace = observer.observesAll ? observer.observe(request, response, id) : undefined;
    if (!isStale && respondFromCache(request, response, id, trace)) return;
    const observed = trace ?? observer.observe(request, response, id);
    void withTrace(observed, async () => {
      await connections.accepted;
      await (isStale ? refuseAsStale : answer)(request, response);
    });
  };
}

/** Identifies everything besides the archive that determines responses: the versions of program and assets, and settings. */
function softwareOf({ tiles }: Config): string {
  return [VERSION, ASSETS_VERSION, ...(tiles ? [JSON.stringify(tiles)] : [])].join(' ');
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
