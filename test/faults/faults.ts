import { createGzip } from 'node:zlib';
import type { Kind } from '@archiefkast/types';
import type { ArchiveServer, Exchange, Fault } from './archive-server.ts';

/** What is wrong with the responses of an archive, as data. */
export interface FaultDescription {
  /** Of which lists: the persons without it. */
  of?: Kind | 'search' | 'all';
  /** Which page: 2 without it, 0 for all. */
  page?: number;
  /** At how many of the first requests for a page: all without it. */
  times?: number;
  /** Another status, and a problem as the body. */
  status?: number;
  headers?: Record<string, string>;
  /** Another body. */
  body?: string;
  /** Other fields of the page. */
  envelope?: Partial<Exchange['envelope']>;
  /** A text in the link to the next page, and what replaces it. */
  next?: [string, string];
  /** Other fields of the records of the page. */
  records?: Record<string, unknown>;
  /** What no data can say. */
  deed?: keyof typeof DEEDS;
  /** How the archive changes after the page was built. */
  after?: ArchiveChange;
}

/** How an archive changes. Records are named by their kind and id: `person 7`. */
export interface ArchiveChange {
  edition?: string;
  add?: string[];
  remove?: string[];
  /** Other fields of records. */
  change?: Record<string, Record<string, unknown>>;
  /** Its faults from now on. */
  fault?: FaultDescription | FaultDescription[];
}

/** Changes an archive while it serves. */
export function changeArchive(archive: ArchiveServer, changes: ArchiveChange): void {
  const { edition, add = [], remove = [], change = {}, fault } = changes;
  if (edition !== undefined) archive.edition = edition;
  for (const [kind, id] of [...add].map(parseName)) archive.ids[kind].push(id);
  for (const [kind, id] of [...remove].map(parseName))
    archive.ids[kind].splice(archive.ids[kind].indexOf(id), 1);
  for (const [name, fields] of Object.entries(change)) archive.changed.set(name, fields);
  if (fault) archive.fault = makeFault([fault].flat());
}

function parseName(name: string): [Kind, number] {
  const [kind, id] = name.split(' ');
  return [kind as Kind, Number(id)];
}

/** The faults of descriptions. */
export function makeFault(descriptions: readonly FaultDescription[]): Fault {
  return (exchange) => {
    for (const one of descriptions) {
      const { of = 'person', page = 2, times = Number.POSITIVE_INFINITY } = one;
      const isMeant = (of === 'all' || of === exchange.kind) && (page === 0 || page === exchange.page);
      if (isMeant && exchange.visit <= times) spoil(exchange, one);
    }
  };
}

function spoil(exchange: Exchange, description: FaultDescription): void {
  const { ctx, archive, envelope } = exchange;
  const { status, headers = {}, body, next, records, deed, after } = description;
  ctx.set(headers);
  if (status !== undefined) {
    ctx.status = status;
    ctx.body = JSON.stringify({ type: 'about:blank', title: 'Not now', status, detail: 'Not now.' });
    ctx.type = 'application/problem+json';
  }
  if (body !== undefined) {
    ctx.status = status ?? 200;
    ctx.body = body;
    ctx.type = headers['content-type'] ?? 'application/json';
  }
  Object.assign(envelope, description.envelope);
  if (next) envelope.next = envelope.next?.replace(...next) ?? null;
  if (records) envelope.results = envelope.results.map((record) => ({ ...Object(record), ...records }));
  if (deed) DEEDS[deed](exchange);
  if (after) changeArchive(archive, after);
}

const MEGABYTE = 1_000_000;

const DEEDS = {
  'does not respond': ({ ctx }) => {
    ctx.respond = false;
  },
  'cuts its response half-way': ({ ctx, envelope }) => {
    ctx.respond = false;
    const body = JSON.stringify(envelope);
    ctx.res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    ctx.res.write(body.slice(0, body.length / 2), () => ctx.res.destroy());
  },
  'sends a decompression bomb': ({ ctx }) => {
    ctx.respond = false;
    ctx.res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const bomb = createGzip();
    bomb.pipe(ctx.res);
    ctx.res.on('close', () => bomb.destroy());
    unfold(bomb, 1000);
  },
  'sends ten megabytes': ({ envelope }) => {
    envelope.results = envelope.results.map((person) => ({
      ...Object(person),
      content_nl: 'x'.repeat(MEGABYTE),
    }));
  },
  'repeats a record': ({ envelope }) => {
    envelope.results[1] = envelope.results[0];
  },
  'repeats the page before': ({ envelope, archive, page }) => {
    const uuids = archive.ids.person.slice((page - 2) * 10, (page - 1) * 10);
    envelope.results = envelope.results.map((person, index) => ({
      ...Object(person),
      uuid: `a0000000-0000-4000-8000-${String(uuids[index]).padStart(12, '0')}`,
    }));
  },
  'leaves out a record': ({ envelope }) => {
    envelope.results.pop();
  },
  'moves its last record to the start': ({ archive }) => {
    archive.ids.person.unshift(...archive.ids.person.splice(-1));
  },
  'gains a record': ({ archive, visit }) => {
    archive.ids.person.push(1000 + visit);
  },
  'is endless': ({ page, envelope, archive }) => {
    archive.ids.person.push(...archive.ids.person.slice(-10).map((id) => id + 10));
    envelope.next = `${archive.url}/en/api/persons?page=${page + 1}`;
    envelope.count = archive.ids.person.length;
  },
} as const satisfies Record<string, (exchange: Exchange) => void>;

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
