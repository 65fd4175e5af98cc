import { createGzip } from 'node:zlib';
import type { Exchange, Fault } from './archive-server.ts';

/** Applies a fault to the second page of the persons, at its first `times` requests. */
function onPageTwo(
  strike: (exchange: Exchange) => void | Promise<void>,
  times = Number.POSITIVE_INFINITY,
): Fault {
  return async (exchange) => {
    if (exchange.kind === 'person' && exchange.page === 2 && exchange.visit <= times) await strike(exchange);
  };
}

/** Responds with another status. */
function status(code: number, headers: () => Record<string, string> = () => ({})) {
  return ({ ctx }: Exchange) => {
    ctx.status = code;
    ctx.set(headers());
    ctx.type = 'application/problem+json';
    ctx.body = JSON.stringify({ type: 'about:blank', title: 'Not now', status: code, detail: 'Not now.' });
  };
}

/** Responds with 200 and another text. */
function text(type: string, body: string) {
  return ({ ctx }: Exchange) => {
    ctx.status = 200;
    ctx.type = type;
    ctx.body = body;
  };
}

/** Changes the `next` link of the second page. */
function nextLink(change: (exchange: Exchange) => string): Fault {
  return onPageTwo((exchange) => {
    exchange.envelope.next = change(exchange);
  });
}

/** The address of a page of persons. */
function personsPage({ archive }: Exchange, page: number): string {
  return `${archive.url}/en/api/persons?page=${page}`;
}

/** Changes the archive after the second page of persons was built, at its first `times` requests. */
function afterPageTwo(change: (exchange: Exchange) => void, times: number): Fault {
  return onPageTwo(change, times);
}

/** Bypasses Koa, and sends the response itself. */
function raw(send: (exchange: Exchange, body: string) => void) {
  return (exchange: Exchange) => {
    exchange.ctx.respond = false;
    send(exchange, JSON.stringify(exchange.envelope));
  };
}

const MEGABYTE = 1_000_000;

/** The faults of an archive. */
export const FAULTS = {
  'sends Retry-After of a second': onPageTwo(
    status(429, () => ({ 'retry-after': '1' })),
    1,
  ),
  'sends Retry-After with a date': onPageTwo(
    status(429, () => ({ 'retry-after': new Date(Date.now() + 2000).toUTCString() })),
    1,
  ),
  'sends Retry-After of an hour': onPageTwo(status(429, () => ({ 'retry-after': '3600' }))),
  'has a used-up rate limit': onPageTwo(({ ctx }) => {
    ctx.set({ 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' });
  }, 1),
  'is unavailable twice': onPageTwo(status(503), 2),
  'is always unavailable': onPageTwo(status(503)),
  'forbids a page': onPageTwo(status(403)),
  'does not respond once': onPageTwo(
    raw(() => {}),
    1,
  ),
  'cuts a response half-way once': onPageTwo(
    raw(({ ctx }, body) => {
      ctx.res.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      ctx.res.write(body.slice(0, body.length / 2), () => ctx.res.destroy());
    }),
    1,
  ),
  'sends HTML': onPageTwo(text('text/html', '<!DOCTYPE html>\n<html><title>Maintenance</title></html>')),
  'sends HTML once': onPageTwo(text('text/html', '<!DOCTYPE html>'), 1),
  'sends invalid JSON': onPageTwo(text('application/json', '{"next": nul')),
  'has another contract': onPageTwo(text('application/json', '{"items": [], "page": 2}')),
  'has an unknown field': onPageTwo(({ envelope }) => {
    envelope.results = envelope.results.map((person) => ({ ...Object(person), age: 42 }));
  }),
  'has another language': onPageTwo(({ envelope }) => {
    envelope.language = 'nl';
  }),
  'links to the page itself as next': nextLink((exchange) => personsPage(exchange, 2)),
  'links to an earlier page as next': nextLink(({ archive }) => `${archive.url}/en/api/persons`),
  'links to another host': nextLink(() => 'http://elsewhere.test/en/api/persons?page=3'),
  'links to another list': nextLink(({ archive }) => `${archive.url}/en/api/subjects?page=3`),
  'links to a filtered page as next': nextLink((exchange) => `${personsPage(exchange, 3)}&q=city%3ALeiden`),
  'skips a page': nextLink((exchange) => personsPage(exchange, 4)),
  'has http links': ({ envelope }) => {
    envelope.next = envelope.next?.replace('https:', 'http:') ?? null;
  },
  'redirects to another host': onPageTwo(({ ctx }) => ctx.redirect('http://elsewhere.test/')),
  'gains a record once': afterPageTwo(({ archive }) => archive.ids.person.push(1001), 1),
  'loses a record once': afterPageTwo(({ archive }) => archive.ids.person.splice(5, 1), 1),
  'keeps gaining records': afterPageTwo(({ archive, visit }) => archive.ids.person.push(1000 + visit), 9),
  'swaps two records': onPageTwo(({ archive }) => {
    archive.ids.person.unshift(...archive.ids.person.splice(-1));
  }, 1),
  'has a count that is too high': ({ kind, envelope }) => {
    if (kind === 'person') envelope.count += 1;
  },
  'has a count that is too low': ({ kind, envelope }) => {
    if (kind === 'person') envelope.count = 12;
  },
  'changes its total': onPageTwo(({ envelope }) => {
    envelope.total += 1;
  }),
  'changes its edition': onPageTwo(({ ctx }) => ctx.set('Archive-Edition', 'b')),
  'has a duplicate uuid': onPageTwo(({ envelope }) => {
    envelope.results[1] = envelope.results[0];
  }),
  'repeats a page': ({ kind, page, envelope, archive }) => {
    if (kind === 'person' && page === 3) repeated(envelope, archive);
  },
  'has a short page': onPageTwo(({ envelope }) => {
    envelope.results.pop();
  }),
  'has a page of ten megabytes': onPageTwo(({ envelope }) => {
    envelope.results = envelope.results.map((person) => ({
      ...Object(person),
      content_nl: 'x'.repeat(MEGABYTE),
    }));
  }),
  'is endless': ({ kind, page, envelope, archive }) => {
    if (kind !== 'person') return;
    archive.ids.person.push(...[...archive.ids.person.slice(-10)].map((id) => id + 10));
    envelope.next = `${archive.url}/en/api/persons?page=${page + 1}`;
    envelope.count = archive.ids.person.length;
  },
  'sends a decompression bomb': onPageTwo(
    raw(({ ctx }) => {
      ctx.res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      const bomb = createGzip();
      bomb.pipe(ctx.res);
      ctx.res.on('close', () => bomb.destroy());
      unfold(bomb, 1000);
    }),
  ),
  'no longer serves the edition': ({ kind, page, visit, archive }) => {
    if (kind === 'person' && page === 2 && visit === 1) archive.edition = 'second';
  },
  'does not know the edition yet': onPageTwo(({ ctx }) => {
    ctx.status = 404;
    ctx.type = 'application/problem+json';
    const type = 'https://archive.test/problems/no-such-edition';
    ctx.body = JSON.stringify({
      type,
      title: 'No such edition',
      status: 404,
      detail: 'There is no edition first.',
    });
  }, 2),
} as const satisfies Record<string, Fault>;

/** The name of a fault. */
export type FaultName = keyof typeof FAULTS;

function repeated(envelope: Exchange['envelope'], archive: Exchange['archive']): void {
  const uuids = archive.ids.person.slice(10, 20);
  envelope.results = envelope.results.map((person, index) => ({
    ...Object(person),
    uuid: `a0000000-0000-4000-8000-${String(uuids[index]).padStart(12, '0')}`,
  }));
}

/** Writes zeros, a megabyte at a time, with backpressure. */
function unfold(into: NodeJS.WritableStream, megabytes: number): void {
  if (megabytes === 0) {
    into.end();
    return;
  }
  into.write(Buffer.alloc(MEGABYTE), (error) => {
    if (!error) unfold(into, megabytes - 1);
  });
}
