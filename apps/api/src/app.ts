import type { RequestListener } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import { createRecordReader } from './archive/assemble.ts';
import { createChangeLog } from './archive/change-log.ts';
import type { DerivedFiles } from './archive/derived-files.ts';
import { createDumps } from './archive/dumps/dumps.ts';
import type { EditionsInUse } from './archive/editions-in-use.ts';
import { createTextQueries } from './archive/texts.ts';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import { createAccessLog } from './http/access-log.ts';
import { createAnswerHeaders } from './http/answer-headers.ts';
import { createHotAnswer } from './http/answer-hot.ts';
import { BodyCache } from './http/body-cache.ts';
import { commonHeaders, requestId } from './http/common-headers.ts';
import { createCodingChoice } from './http/content-coding.ts';
import { createRouter } from './http/create-router.ts';
import { refuseLongUrl } from './http/refuse-long-url.ts';
import { respondToErrors } from './http/respond-to-errors.ts';
import { createResponder } from './http/responder.ts';
import { createRoutes } from './http/routes/routes.ts';
import { VERSION } from './version.ts';

/** What the app answers from. */
export interface AppDependencies {
  database: Database;
  editions: EditionsInUse;
  files: DerivedFiles;
  log: Logger;
}

/** How the app answers. */
export type AppConfig = Pick<Config, 'baseUrl' | 'cacheControl' | 'cacheBytes'>;

/** The API: what is in memory is answered at once, the rest by Koa. It listens nowhere: `serve` does that. */
export function createApp(
  { database, editions, files, log }: AppDependencies,
  { baseUrl, cacheControl, cacheBytes }: AppConfig,
): RequestListener {
  const queries = createTextQueries(database);
  const reader = createRecordReader(queries, baseUrl);
  const dumps = createDumps({ reader, queries, baseUrl }, files);
  const changeLog = createChangeLog(database);
  const routes = createRoutes({ reader, queries, dumps, changeLog, baseUrl });
  const cache = new BodyCache(editions, cacheBytes);
  const chooseCoding = createCodingChoice();
  const respond = createResponder(editions, cache, createAnswerHeaders(baseUrl, cacheControl, VERSION));

  const koa = new Koa();
  koa.use(commonHeaders(editions));
  koa.use(respondToErrors(log, baseUrl));
  koa.use(refuseLongUrl);
  koa.use(createRouter(routes, respond, { baseUrl, chooseCoding }).routes());
  koa.on('error', (error) => log.warn({ err: error }, 'the connection broke while answering'));

  const answerFromMemory = createHotAnswer(cache, chooseCoding);
  const answer = koa.callback();
  const logAccess = createAccessLog(log);
  return (request, response) => {
    const id = requestId(request.headers['x-request-id']);
    request.headers['x-request-id'] = id;
    logAccess(request, response, id);
    if (!answerFromMemory(request, response, id)) void answer(request, response);
  };
}
