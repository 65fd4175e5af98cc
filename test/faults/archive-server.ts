import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  COLLECTIONS,
  type Envelope,
  forKinds,
  KINDS,
  type Kind,
  kindOfCollection,
  PAGE_SIZE,
} from '@archiefkast/types';
import Koa from 'koa';
import { makeRecord, type Place } from '../../packages/client/testing/records.ts';
import { listen } from '../support/leftovers.ts';

/** A request for a page, and its response before it is sent. */
export interface Exchange {
  ctx: Koa.Context;
  kind: Kind | 'search';
  page: number;
  /** Number of requests for this page so far, including this one. */
  visit: number;
  /** The envelope, which a fault can change. */
  envelope: Envelope<unknown>;
  archive: ArchiveServer;
}

/** Spoils a response: changes the envelope, or sets another body or status. */
export type Fault = (exchange: Exchange) => void | Promise<void>;

/** A correct archive with one fault. Its records can change while it serves. */
export interface ArchiveServer {
  /** The base URL. */
  url: string;
  /** The ids of the records of each kind, in order. */
  ids: Record<Kind, number[]>;
  /** Overrides of the generated records. */
  changed: Map<string, Record<string, unknown>>;
  /** Names the edition, and serves `?edition=` for it only; undefined for a server without editions. */
  edition: string | undefined;
  /** The requested addresses, in order. */
  requests: string[];
  /** The responses, in order, and to whom they went (`User-Agent`). */
  answers: { status: number; url: string; agent: string }[];
  fault: Fault;
  stop(): Promise<void>;
}

/** Options of an archive. */
export interface ArchiveServerOptions {
  counts?: Partial<Record<Kind, number>>;
  fault?: Fault;
  edition?: string;
  /** Send ETags, and 304 for those that match. */
  etags?: boolean;
  /** Serve over TLS. */
  tls?: { key: string; cert: string };
}

const COUNTS = { person: 35, subject: 12, location: 8, event: 8 } as const satisfies Record<Kind, number>;

/** Starts an archive on a free port of the loopback address. */
export async function startArchive(options: ArchiveServerOptions = {}): Promise<ArchiveServer> {
  const koa = new Koa();
  koa.silent = true;
  const server: Server = options.tls ? createTlsServer(options.tls) : createServer();
  const { port, stop } = await listen(server);

  const counts = { ...COUNTS, ...options.counts };
  const archive: ArchiveServer = {
    url: `${options.tls ? 'https' : 'http'}://localhost:${port}`,
    ids: forKinds((kind) => Array.from({ length: counts[kind] }, (_, index) => index + 1)),
    changed: new Map(),
    edition: options.edition,
    requests: [],
    answers: [],
    fault: options.fault ?? (() => {}),
    stop,
  };

  const visits = new Map<string, number>();
  koa.use(async (ctx) => {
    archive.requests.push(ctx.url);
    const visit = (visits.get(ctx.url) ?? 0) + 1;
    visits.set(ctx.url, visit);
    await answer(ctx, visit, archive, options.etags ?? false);
    archive.answers.push({ status: ctx.status, url: ctx.url, agent: ctx.get('user-agent') });
  });
  server.on('request', koa.callback());
  return archive;
}

async function answer(
  ctx: Koa.Context,
  visit: number,
  archive: ArchiveServer,
  etags: boolean,
): Promise<void> {
  const [, language, collection = ''] = /^\/(en|nl)\/api\/(\w+)$/.exec(ctx.path) ?? [];
  const kind = collection === 'search' ? collection : kindOfCollection(collection);
  const page = Number(ctx.query['page'] ?? 1);
  if (!language || !kind) return problem(ctx, 404, 'There is nothing here.');
  const asked = ctx.query['edition'];
  if (asked !== undefined && archive.edition !== undefined && asked !== archive.edition) {
    return problem(ctx, 410, `Edition ${String(asked)} is no longer served.`);
  }
  if (page > Math.max(1, Math.ceil(idsOf(archive, kind).length / PAGE_SIZE))) {
    return problem(ctx, 404, 'Invalid page.');
  }
  const place: Place = { baseUrl: archive.url, language: language === 'nl' ? 'nl' : 'en' };
  const envelope = makeEnvelope(archive, place, kind, page, archive.edition && asked ? archive.edition : '');
  if (archive.edition !== undefined) ctx.set('Archive-Edition', archive.edition);
  await archive.fault({ ctx, kind, page, visit, envelope, archive });
  if (ctx.respond === false || ctx.body !== undefined || ctx.status !== 404) return;
  const body = JSON.stringify(envelope);
  if (etags) {
    ctx.set('ETag', `"${createHash('sha1').update(body).digest('hex')}"`);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
  }
  ctx.type = 'application/json';
  ctx.body = body;
}

function makeEnvelope(
  archive: ArchiveServer,
  place: Place,
  kind: Kind | 'search',
  page: number,
  edition: string,
): Envelope<unknown> {
  const ids = idsOf(archive, kind);
  const list = `${place.baseUrl}/${place.language}/api/${kind === 'search' ? kind : COLLECTIONS[kind]}`;
  const link = (number: number) => {
    const query = [edition && `edition=${edition}`, number > 1 && `page=${number}`].filter(Boolean).join('&');
    return list + (query && `?${query}`);
  };
  return {
    next: page * PAGE_SIZE < ids.length ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    count: ids.length,
    total: KINDS.reduce((sum, each) => sum + archive.ids[each].length, 0),
    language: place.language,
    results: ids
      .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
      .map((id) =>
        kind === 'search'
          ? { type: 'subject', score: 0, instance: makeRecord.subject(id, place) }
          : { ...makeRecord[kind](id, place), ...archive.changed.get(`${kind} ${id}`) },
      ),
  };
}

/** The ids of the records of a list; a search finds all subjects. */
function idsOf({ ids }: ArchiveServer, kind: Kind | 'search'): number[] {
  return ids[kind === 'search' ? 'subject' : kind];
}

function problem(ctx: Koa.Context, status: number, detail: string): void {
  ctx.status = status;
  ctx.body = JSON.stringify({ type: 'about:blank', title: 'Problem', status, detail });
  ctx.type = 'application/problem+json';
}
