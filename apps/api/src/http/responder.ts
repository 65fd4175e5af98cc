import { Readable } from 'node:stream';
import type { ParameterizedContext } from 'koa';
import type { EditionsInUse, OpenEdition } from '../archive/editions-in-use.ts';
import { MissingTextError } from '../archive/texts.ts';
import type { AnswerHeaders } from './answer-headers.ts';
import type { BodyCache } from './body-cache.ts';
import { isNotModified, namesTag } from './conditions.ts';
import { encodeStream } from './content-coding.ts';
import { noSuchPath } from './not-found.ts';
import { Problem } from './problems.ts';
import type { Asked } from './read-request.ts';
import { type Expected, type Made, makeRepresentation } from './representation.ts';
import type { Answer, Route } from './routes/route.ts';
import { selectEdition } from './select-edition.ts';
import { sendFile } from './send-file.ts';

/** What answers a request, and what its answer is known by. */
interface Source {
  open: OpenEdition | undefined;
  /** With the canonical URL, determines the bytes of the answer. */
  version: string;
  publishedAt: Date | undefined;
  answer(): Promise<Answer>;
}

/** What answers the requests for endpoints. */
export type Responder = (context: ParameterizedContext, route: Route, asked: Asked) => Promise<void>;

/** Answers requests for endpoints: from memory where the answer is there, with 304 where the client holds it. */
export function createResponder(
  editions: EditionsInUse,
  cache: BodyCache,
  answerHeaders: AnswerHeaders,
): Responder {
  const making = new Map<string, Promise<Made>>();

  return async (context, route, asked) => {
    if ('document' in route) {
      const document = route.document(asked.segment);
      if (!document) throw noSuchPath(context.path);
      if (context.path !== '/' && context.path.endsWith('/')) {
        redirectToDocument(context);
        return;
      }
      const { version, contentType, body } = document;
      const answer = async () => ({ contentType, body: [body] });
      await respond(context, asked, { open: editions.current(), version, publishedAt: undefined, answer });
      return;
    }
    const respondFrom = (open: OpenEdition) =>
      respond(context, asked, {
        open,
        version: open.edition.key,
        publishedAt: open.edition.publishedAt,
        answer: () => route.answer({ ...asked, open }),
      });
    const open = await selectEdition(editions, asked.edition);
    try {
      await respondFrom(open);
    } catch (error) {
      if (!(error instanceof MissingTextError)) throw error;
      await editions.refresh();
      const next = await selectEdition(editions, asked.edition);
      if (next.edition.id === open.edition.id) throw error;
      await respondFrom(next).catch(reportChange);
    }
  };

  async function respond(context: ParameterizedContext, asked: Asked, source: Source): Promise<void> {
    const { open, version, publishedAt } = source;
    const expected = answerHeaders.expect(asked, open, version, publishedAt);
    if (namesTag(context.get('If-None-Match'), expected.etag)) {
      sendNotModified(context, expected);
      return;
    }
    const kept = cache.find(open, asked.coding, asked.url);
    const made = kept ?? (await makeOnce(asked, source, expected));
    if ('body' in made) cache.know(context.req.url ?? '', asked);
    if (isNotModified(context.headers, expected)) sendNotModified(context, expected);
    else await send(context, expected, made);
  }

  /** Clients that ask for the same at once wait for the same. */
  function makeOnce(asked: Asked, source: Source, expected: Expected): Promise<Made> {
    const key = expected.etag;
    const begun = making.get(key) ?? make(asked, source, expected).finally(() => making.delete(key));
    making.set(key, begun);
    return begun;
  }

  async function make({ coding, url }: Asked, { open, answer }: Source, expected: Expected): Promise<Made> {
    const answered = await answer();
    const made = await makeRepresentation(answered, answerHeaders.ofBody(answered, coding), expected);
    if ('body' in made) cache.keep(open, coding, url, made);
    return made;
  }
}

/** Links in documents are relative: a slash at the end of their address would lead them astray. */
function redirectToDocument(context: ParameterizedContext): void {
  context.status = 308;
  context.set('Location', `../${context.path.split('/').at(-2)}`);
}

function sendNotModified(context: ParameterizedContext, { headers }: Expected): void {
  context.set(headers);
  context.status = 304;
}

async function send(context: ParameterizedContext, { coding, headers }: Expected, made: Made): Promise<void> {
  context.status = 200;
  context.set({ ...headers, ...made.bodyHeaders });
  if ('file' in made) {
    await sendFile(context, made.file, coding);
  } else if ('body' in made) {
    context.body = made.body;
  } else {
    if (context.method !== 'HEAD') context.body = encodeStream(Readable.from(made.parts), coding);
    if (coding === 'identity') context.length = made.length;
  }
}

/** @throws Problem when the edition went away a second time */
function reportChange(error: unknown): never {
  if (!(error instanceof MissingTextError)) throw error;
  throw new Problem('edition-changing', {
    en: 'The edition changed twice while the answer was being made.',
    nl: 'De editie veranderde tweemaal terwijl het antwoord werd gemaakt.',
  });
}
