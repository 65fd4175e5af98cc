import type { RequestListener } from 'node:http';
import { ASSETS_VERSION } from '@archiefkast/site';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import type { DerivedFiles } from './derived/derived-files.ts';
import { listEditions } from './editions/edition.ts';
import { type AnswerHeadersConfig, createAnswerHeaders } from './http/answer/answer-headers.ts';
import { createHotAnswer } from './http/answer/answer-hot.ts';
import { BodyCache } from './http/answer/body-cache.ts';
import { commonHeaders, requestId } from './http/answer/common-headers.ts';
import { createCodingChoice } from './http/answer/content-coding.ts';
import { createResponder, type Gates } from './http/answer/responder.ts';
import { createRouter } from './http/create-router.ts';
import { createErrorPages } from './http/pages/error-pages.ts';
import { respondToErrors } from './http/problems/respond-to-errors.ts';
import { readTarget } from './http/request/read-target.ts';
import { refuseLongUrl } from './http/request/refuse-long-url.ts';
import { createRoutes } from './http/routes/routes.ts';
import { answerHealth } from './http/server/answer-health.ts';
import { answerProblem } from './http/server/answer-problem.ts';
import { Gate } from './http/server/gate.ts';
import { createObserver } from './http/server/observer.ts';
import type { Metrics, MetricsSources } from './operate/metrics.ts';
import { traceStatements, withTrace } from './operate/trace.ts';
import { createRecordReader } from './read/assemble.ts';
import { createChangeLog } from './read/change-log.ts';
import { createDumps } from './read/dumps/dumps.ts';
import { UnwritableRecordError } from './read/dumps/unwritable-record-error.ts';
import { createFieldReader } from './read/field-reader.ts';
import type { EditionsInUse } from './read/follow-editions.ts';
import { createTextQueries } from './read/texts.ts';
import { VERSION } from './version.ts';

/** What the app answers from. */
export interface AppDependencies {
  database: Database;
  editions: EditionsInUse;
  files: DerivedFiles;
  log: Logger;
  /** Keeps figures, where somebody looks at them. */
  createMetrics?: ((sources: MetricsSources) => Metrics) | undefined;
  /** Bytes that wait for clients, for the figures. */
  unsentBytes?: () => number;
}

/** How the app answers. */
export type AppConfig = AnswerHeadersConfig &
  Pick<
    Config,
    | 'accessLog'
    | 'cacheBytes'
    | 'databaseMilliseconds'
    | 'downloadsUnderWay'
    | 'mediaFolder'
    | 'mostFound'
    | 'pages'
    | 'requestsUnderWay'
    | 'requestsWaiting'
    | 'slowMilliseconds'
    | 'tiles'
  >;

/** The API, and its figures where somebody looks at them. */
export interface App {
  listener: RequestListener;
  metrics: Metrics | undefined;
}

/** The API: what is in memory is answered at once, the rest by Koa. It listens nowhere: `serve` does that. */
export function createApp(
  { database, editions, files, log, createMetrics, unsentBytes = () => 0 }: AppDependencies,
  config: AppConfig,
): App {
  const { baseUrl, cacheBytes, pages: hasPages, tiles } = config;
  const queries = createTextQueries(database);
  const reader = createRecordReader(queries, baseUrl);
  const dumps = createDumps({ reader, queries, baseUrl }, files, log);
  const changeLog = createChangeLog(database);
  const routes = createRoutes({
    reader,
    fieldReader: createFieldReader(queries, reader, baseUrl),
    queries,
    dumps,
    changeLog,
    mediaFolder: config.mediaFolder,
    mostFound: config.mostFound,
    keptEditions: async () => (await listEditions(database)).filter(({ isHeld }) => !isHeld),
    baseUrl,
    hasPages,
    tiles,
  });
  const cache = new BodyCache(editions, cacheBytes);
  editions.onRetired((edition) => {
    cache.forget(edition);
    reader.forget(edition);
  });
  const chooseCoding = createCodingChoice();
  const gates = createGates(config);
  const respond = createResponder(editions, cache, createAnswerHeaders(config, softwareOf(config)), gates);

  const koa = new Koa();
  koa.use(commonHeaders(editions));
  koa.use(respondToErrors(log, baseUrl, createErrorPages(editions, { baseUrl, hasPages, tiles })));
  koa.use(refuseLongUrl);
  koa.use(createRouter(routes, respond, { baseUrl, chooseCoding }).routes());
  koa.on('error', (error) => {
    if (error instanceof UnwritableRecordError) log.error({ err: error }, 'an answer was cut');
    else log.warn({ err: error }, 'the connection broke while answering');
  });

  const cached = () => cache.bytes + reader.keptBytes();
  const metrics = createMetrics?.({ database, editions, cacheBytes: cached, gates, unsentBytes });
  const observer = createObserver(log, config, metrics);
  traceStatements(database);
  const answerFromMemory = createHotAnswer(cache, chooseCoding);
  const answer = koa.callback();
  return {
    metrics,
    listener: (request, response) => {
      if (answerHealth(request, response, editions)) return;
      const id = requestId(request.headers['x-request-id']);
      request.headers['x-request-id'] = id;
      const problem = readTarget(request);
      if (problem) {
        observer.observe(request, response, id);
        answerProblem(response, problem, baseUrl, id);
        return;
      }
      const trace = observer.observesAll ? observer.observe(request, response, id) : undefined;
      if (answerFromMemory(request, response, id, trace)) return;
      const observed = trace ?? observer.observe(request, response, id);
      void withTrace(observed, () => answer(request, response));
    },
  };
}

/** What shapes answers beside the archive: the program, what its pages use, and the settings that pages follow. */
function softwareOf({ tiles }: AppConfig): string {
  return [VERSION, ASSETS_VERSION, ...(tiles ? [JSON.stringify(tiles)] : [])].join(' ');
}

/** Bounds of the work under way. */
function createGates(config: AppConfig): Gates {
  const milliseconds = config.databaseMilliseconds;
  return {
    making: new Gate({ underWay: config.requestsUnderWay, waiting: config.requestsWaiting, milliseconds }),
    sending: new Gate({ underWay: config.downloadsUnderWay, waiting: 0, milliseconds }),
  };
}
