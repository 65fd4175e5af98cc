import { type ArchiveRecord, KINDS, type Kind, type Manifest, PAGE_SIZE } from '@archiefkast/types';
import type { Client } from '../create-client.ts';
import { dumpOf } from '../dumps.ts';
import { responseError, StatusError } from '../errors.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import {
  createNextGuard,
  InconsistentError,
  type NextGuard,
  type Page,
  pageNumber,
  walk,
  walkAtOnce,
} from '../walk.ts';
import type { KindHarvest, RunningHarvest } from './harvest-options.ts';
import type { HarvestStore, PageFacts } from './store.ts';

/** A kind whose pages are walked. */
export interface KindWalkOptions extends KindHarvest {
  client: Client;
  /** Address of the first page. */
  start: string;
  /** Store of an earlier harvest: unchanged pages are copied from it. */
  held: HarvestStore | undefined;
  /** Maximum number of parallel requests. */
  concurrency: number;
}

/**
 * Walks one kind into the store: resumes after the last stored page if that page is unchanged, and starts again once if the
 * archive changes.
 *
 * @throws RequestError if a request fails, NextError if a link is refused
 */
export async function walkKind(options: KindWalkOptions): Promise<void> {
  const { kind, store } = options;
  const last = beginOrResume(options);
  if (last) await recheck(options, last);
  while (!store.kindWalk(kind)?.finished_at) {
    try {
      await walkToTheEnd(options);
    } catch (error) {
      const reason = reasonToBeginAgain(error);
      if (reason === undefined || store.kindWalk(kind)?.tolerant) throw error;
      beginAgain(options, reason, true);
    }
  }
}

/** Runs a task for every kind in parallel; the first failure aborts all. */
export async function forAllKinds(
  { store, options, walk, onEvent, efforts }: RunningHarvest,
  work: (harvest: KindHarvest) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const all = walk.kinds.map((kind) =>
    work({ kind, store, signal, onEvent, effort: efforts.get(kind) ?? { retries: 0, waitedMs: 0 } }),
  );
  for (const one of all) one.catch((error) => failed.abort(error));
  await Promise.allSettled(all);
  signal.throwIfAborted();
}

/** Begins the walk of a kind, unless it has begun; returns its last page. */
function beginOrResume({ kind, store, effort }: KindHarvest): PageFacts | undefined {
  if (!store.kindWalk(kind)) store.begin(kind, '', false);
  const last = store.lastPage(kind);
  effort.retries = Math.max(effort.retries, last?.retries ?? 0);
  effort.waitedMs = Math.max(effort.waitedMs, last?.waited_ms ?? 0);
  return last;
}

function beginAgain({ kind, store, onEvent }: KindHarvest, reason: string, tolerant: boolean): void {
  onEvent({ type: 'restart', kind, reason });
  store.begin(kind, reason, tolerant);
}

function reasonToBeginAgain(error: unknown): string | undefined {
  return error instanceof InconsistentError || isGonePage(error) ? error.message : undefined;
}

/** Whether a page is missing that a `next` link or the count refers to. */
function isGonePage(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status === 404 && (pageNumber(error.url) ?? 1) > 1;
}

/** Fetches the last stored page again; the walk resumes if it is unchanged, else it starts again. */
async function recheck(options: KindWalkOptions, stored: PageFacts): Promise<void> {
  const { kind, store, onEvent } = options;
  const pages = stored.page;
  const difference = await readPage(options, stored.url, options.signal).then(
    (page) => differenceOf(options, stored, page),
    (error: unknown) => {
      if (isGonePage(error)) return error.message;
      throw error;
    },
  );
  if (difference === undefined) onEvent({ type: 'resume', kind, pages, records: store.size(kind).records });
  else
    beginAgain(options, `page ${pages} has changed: ${difference}`, store.kindWalk(kind)?.tolerant ?? false);
}

function differenceOf(
  { kind, store }: KindWalkOptions,
  stored: PageFacts,
  page: Page<ArchiveRecord>,
): string | undefined {
  const next = page.next && (repairedUrl(page.next, page.url) ?? page.next);
  if (page.count !== stored.count) return `its count was ${stored.count} and is ${page.count}`;
  if (page.total !== stored.total) return `its total was ${stored.total} and is ${page.total}`;
  if (next !== stored.next) return `its next page was ${stored.next} and is ${next}`;
  const block = store.page(kind, stored.page)?.block;
  return block?.equals(linesOf(page.results)) ? undefined : 'its records changed';
}

/** Reads a page from the server, or an unchanged one (304) from an earlier harvest. */
async function readPage(
  { client, kind, held }: KindWalkOptions,
  url: string,
  signal: AbortSignal,
): Promise<Page<ArchiveRecord>> {
  const { language } = client;
  const stored = held?.page(kind, pageNumber(url) ?? 0);
  if (stored?.url !== url || stored.etag === null) return client.records(kind).readPage(url, { signal });
  const { next, count, total, edition, etag, block } = stored;
  const body = () => {
    const lines = block.toString().split('\n').slice(0, -1);
    const results = lines.map((line): ArchiveRecord => JSON.parse(line));
    return { next, previous: null, count, total, language, results };
  };
  const page = await client.records(kind).readPage(url, { signal, held: { etag, body } });
  return { ...page, edition: page.edition ?? edition, etag: page.etag ?? etag };
}

/** Records as JSON lines. */
function linesOf(records: readonly object[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

async function walkToTheEnd(options: KindWalkOptions): Promise<void> {
  const { kind, store, effort, onEvent } = options;
  const { tolerant = false } = store.kindWalk(kind) ?? {};
  const watch = new DriftWatch(store, kind);
  const note = (changes: string[]) => {
    if (changes.length > 0 && !tolerant) throw new InconsistentError(changes.join('; '));
    for (const reason of changes) onEvent({ type: 'moved', kind, reason });
  };
  const atEnd: string[] = [];
  try {
    for await (const page of pagesAfter(options, watch, tolerant)) {
      const { url, next, count, total, results, edition, etag } = page;
      const moved = watch.see({ ...page, uuids: results.map(({ uuid }) => uuid.toLowerCase()) });
      note(moved);
      const number = pageNumber(url) ?? 1;
      const facts = { page: number, url, next, count, total, edition, etag, moved };
      const when = { retrieved_at: page.retrievedAt, retries: effort.retries, waited_ms: effort.waitedMs };
      store.addPage(kind, { ...facts, ...when }, results, linesOf(results));
      onEvent({ type: 'page', kind, page: number, records: watch.rows, count });
    }
  } catch (error) {
    if (!tolerant || !isGonePage(error)) throw error;
    note([error.message]);
    atEnd.push(error.message);
  }
  const changes = watch.finish();
  note(changes);
  store.end(kind, [...atEnd, ...changes]);
  onEvent({ type: 'end', kind, pages: watch.page, records: watch.rows });
}

/** Walks the pages that are not in the store. */
async function* pagesAfter(
  options: KindWalkOptions,
  { last, guard }: DriftWatch,
  tolerant: boolean,
): AsyncGenerator<Page<ArchiveRecord>> {
  const { signal, concurrency, onEvent } = options;
  const start = last ? last.next : options.start;
  if (start === null) return;
  const read = (url: string, stop: AbortSignal) => readPage(options, url, stop);
  const walking = { readPage: read, start, signal, guard, onNotice: onEvent, prefetch: true };
  if (concurrency > 1 && !tolerant) yield* walkAtOnce({ ...walking, concurrency });
  else yield* walk(walking);
}

/** The part of a page that is watched for changes. */
type WatchedPage = Pick<Page<unknown>, 'url' | 'next' | 'count' | 'total' | 'edition'> & { uuids: string[] };

/** Detects changes of an archive during the walk of a kind, from its stored pages on. */
class DriftWatch {
  readonly guard: NextGuard = createNextGuard();
  /** The last stored page. */
  readonly last: PageFacts | undefined;
  /** Number of records. */
  rows: number;
  /** Number of the last page. */
  page: number;
  readonly #uuids: Set<string>;
  #before: Omit<WatchedPage, 'uuids'> | undefined;

  constructor(store: HarvestStore, kind: Kind) {
    for (const page of store.visited(kind)) this.guard.visit(page);
    this.last = store.lastPage(kind);
    this.rows = store.size(kind).records;
    this.page = this.last?.page ?? 0;
    this.#uuids = new Set(store.records(kind).map(({ uuid }) => uuid));
    this.#before = this.last;
  }

  /** Checks the next page; returns changes as sentences. */
  see({ uuids, ...page }: WatchedPage): string[] {
    const before = this.#before;
    const moved = before
      ? (['count', 'total', 'edition'] as const)
          .filter((name) => before[name] !== page[name])
          .map(
            (name) =>
              `${name} changed from ${before[name] ?? 'none'} to ${page[name] ?? 'none'} at ${page.url}`,
          )
      : [];
    const again = uuids.filter((uuid) => {
      const isSeen = this.#uuids.has(uuid);
      this.#uuids.add(uuid);
      return isSeen;
    });
    if (again.length > 0) {
      const others = again.length > 1 ? ` and ${again.length - 1} others` : '';
      moved.push(`${page.url} repeats the record ${again[0]}${others}`);
    }
    if (page.next !== null && uuids.length < PAGE_SIZE)
      moved.push(`${page.url} has ${uuids.length} records, but is not the last page`);
    this.rows += uuids.length;
    this.page = pageNumber(page.url) ?? 1;
    this.#before = page;
    return moved;
  }

  /** Checks the totals after the last page; returns inconsistencies as sentences. */
  finish(): string[] {
    if (this.#before === undefined || this.#before.count === this.rows) return [];
    return [`${this.rows} records received, expected ${this.#before.count}`];
  }
}

/** A record, and its line with the line feed. */
export interface ReadRecord {
  record: { readonly uuid: string };
  line: Uint8Array;
}

/** A source of a kind's records other than pages. */
export interface RecordStream {
  /** Address of the source. */
  url: string;
  /** Manifest of the edition. */
  manifest: Manifest;
  /** Reads the records in order, after a number of stored records and bytes. */
  read(stored: { records: number; bytes: number }): AsyncIterable<readonly ReadRecord[]>;
  /** Checks the stored records, before the walk of the kind is finished. */
  check?(): void;
}

/**
 * Stores the records of a kind in pages like those of a walk, after those in the store.
 *
 * @throws RequestError if their number differs from the manifest, or a record is repeated
 */
export async function storeStream(options: KindHarvest, stream: RecordStream): Promise<void> {
  const { kind, store, effort, onEvent } = options;
  const { url, manifest } = stream;
  beginOrResume(options);
  if (store.kindWalk(kind)?.finished_at) return;
  const watch = new DriftWatch(store, kind);
  let page = watch.page;
  if (page > 0) onEvent({ type: 'resume', kind, pages: page, records: watch.rows });
  const count = dumpOf(manifest, kind)?.records ?? 0;
  const total = KINDS.reduce((sum, each) => sum + (dumpOf(manifest, each)?.records ?? 0), 0);
  const common = { url, count, total, edition: String(manifest.edition.id) };
  const refuse = (moved: readonly string[]) => {
    if (moved.length > 0) throw responseError(url, moved.join('; '));
  };
  const add = (some: readonly ReadRecord[], isLast: boolean) => {
    const next = isLast ? null : url;
    refuse(watch.see({ ...common, next, uuids: some.map(({ record }) => record.uuid.toLowerCase()) }));
    page += 1;
    const when = {
      retrieved_at: new Date().toISOString(),
      retries: effort.retries,
      waited_ms: effort.waitedMs,
    };
    const block = Buffer.concat(some.map(({ line }) => line));
    const records = some.map(({ record }) => record);
    store.addPage(kind, { ...common, page, next, etag: null, moved: [], ...when }, records, block);
    onEvent({ type: 'page', kind, page, records: watch.rows, count });
  };
  let waiting: ReadRecord[] = [];
  for await (const some of stream.read(store.size(kind))) {
    waiting.push(...some);
    let at = 0;
    // Only the end of the source shows which page is the last.
    for (; waiting.length - at > PAGE_SIZE; at += PAGE_SIZE) add(waiting.slice(at, at + PAGE_SIZE), false);
    waiting = waiting.slice(at);
  }
  if (waiting.length > 0 || page === 0) add(waiting, true);
  refuse(watch.finish());
  stream.check?.();
  store.end(kind);
  onEvent({ type: 'end', kind, pages: page, records: watch.rows });
}
