import { type ArchiveRecord, KINDS, type Kind, type Manifest, PAGE_SIZE } from '@archiefkast/types';
import { withEdition } from '../client-options.ts';
import { dumpOf } from '../dumps.ts';
import { responseError, StatusError } from '../errors.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import { InconsistentError, NextGuard, type Page, pageNumber, walk } from '../walk.ts';
import type { KindHarvest, RunningHarvest } from './harvest-options.ts';
import { type HarvestStore, type PageFacts, recordsOf } from './store.ts';

/**
 * Walks one kind into the store: resumes after the last stored page if that page is unchanged, and starts again once if the
 * archive changes.
 *
 * @throws RequestError if a request fails, NextError if a link is refused
 */
export async function walkKind(harvest: KindHarvest): Promise<void> {
  const { kind, store, onEvent } = harvest;
  const last = beginOrResume(harvest);
  const difference = last && (await changeOf(harvest, last));
  const isTolerant = () => store.kindWalk(kind)?.tolerant ?? false;
  if (difference !== undefined)
    restart(harvest, kind, `page ${last?.page} has changed: ${difference}`, isTolerant());
  else if (last) onEvent({ type: 'resume', kind, pages: last.page, records: store.size(kind).records });
  while (!store.kindWalk(kind)?.finished_at) {
    try {
      const watch = new DriftWatch(store, kind);
      await storePages(harvest, watch, pagesAfter(harvest, watch));
    } catch (error) {
      if (isTolerant() || !(error instanceof InconsistentError || isGonePage(error))) throw error;
      restart(harvest, kind, error.message, true);
    }
  }
}

/** Runs a task for every kind in parallel; the first failure aborts all. */
export async function forAllKinds(
  running: RunningHarvest,
  work: (harvest: KindHarvest) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const given = running.options.signal;
  const signal = given ? AbortSignal.any([given, failed.signal]) : failed.signal;
  const all = running.walk.kinds.map((kind) => work({ ...running, kind, signal }));
  for (const one of all) one.catch((error) => failed.abort(error));
  await Promise.allSettled(all);
  signal.throwIfAborted();
}

/** Starts the walk of a kind again. @param tolerant whether it continues if the archive changes again */
export function restart(
  { store, onEvent }: RunningHarvest,
  kind: Kind,
  reason: string,
  tolerant: boolean,
): void {
  onEvent({ type: 'restart', kind, reason });
  store.begin(kind, reason, tolerant);
}

/** Begins the walk of a kind, unless it has begun; returns its last page. */
function beginOrResume({ kind, store, efforts }: KindHarvest): PageFacts | undefined {
  if (!store.kindWalk(kind)) store.begin(kind, '', false);
  const last = store.lastPage(kind);
  const effort = efforts[kind];
  effort.retries = Math.max(effort.retries, last?.retries ?? 0);
  effort.waited_ms = Math.max(effort.waited_ms, last?.waited_ms ?? 0);
  return last;
}

/** Whether a page is missing that a `next` link or the count refers to. */
function isGonePage(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status === 404 && (pageNumber(error.url) ?? 1) > 1;
}

/** Fetches the last stored page again; returns how it has changed, undefined if it has not. */
async function changeOf(harvest: KindHarvest, stored: PageFacts): Promise<string | undefined> {
  const { kind, store, signal } = harvest;
  let page: Page<ArchiveRecord>;
  try {
    page = await readPage(harvest, stored.url, signal);
  } catch (error) {
    if (isGonePage(error)) return error.message;
    throw error;
  }
  const next = page.next && (repairedUrl(page.next, page.url) ?? page.next);
  const facts = [
    ['count', stored.count, page.count],
    ['total', stored.total, page.total],
    ['next page', stored.next, next],
  ] as const;
  for (const [name, was, is] of facts) if (was !== is) return `its ${name} was ${was} and is ${is}`;
  const isSame = store.page(kind, stored.page)?.block.equals(linesOf(page.results));
  return isSame ? undefined : 'its records changed';
}

/** Reads a page from the server, or an unchanged one (304) from an earlier harvest. */
async function readPage(
  { client, kind, held }: KindHarvest,
  url: string,
  signal: AbortSignal,
): Promise<Page<ArchiveRecord>> {
  const { language } = client;
  const stored = held?.page(kind, pageNumber(url) ?? 0);
  if (stored?.url !== url || stored.etag === null) return client.records(kind).readPage(url, { signal });
  const { next, count, total, edition, etag, block } = stored;
  const body = () => ({
    next,
    previous: null,
    count,
    total,
    language,
    results: recordsOf<ArchiveRecord>(block),
  });
  const page = await client.records(kind).readPage(url, { signal, held: { etag, body } });
  return { ...page, edition: page.edition ?? edition, etag: page.etag ?? etag };
}

/** Records as JSON lines. */
function linesOf(records: readonly object[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

/** Walks the pages that are not in the store. */
async function* pagesAfter(
  harvest: KindHarvest,
  { last, guard }: DriftWatch,
): AsyncGenerator<Page<ArchiveRecord>> {
  const { client, kind, store, signal, options, walk: pinned, onEvent } = harvest;
  const start = last ? last.next : withEdition(client.records(kind).url, pinned.edition);
  if (start === null) return;
  const read = (url: string, stop: AbortSignal) => readPage(harvest, url, stop);
  const ahead = store.kindWalk(kind)?.tolerant ? 1 : options.pagesAtOnce;
  yield* walk({ readPage: read, start, signal, guard, onNotice: onEvent, ahead: ahead ?? 1 });
}

/** A page to store. */
interface ReadPage extends Omit<Page<unknown>, 'results'> {
  results: readonly { readonly uuid: string }[];
  /** The records as JSON lines, if they were received so. */
  block?: Buffer;
}

/**
 * Stores pages of a kind until its end, after those in the store.
 *
 * @throws InconsistentError if the archive changes, unless the walk is tolerant
 */
async function storePages(
  { kind, store, efforts, onEvent }: KindHarvest,
  watch: DriftWatch,
  pages: AsyncIterable<ReadPage>,
): Promise<void> {
  const { tolerant = false } = store.kindWalk(kind) ?? {};
  const note = (changes: readonly string[]) => {
    if (changes.length > 0 && !tolerant) throw new InconsistentError(changes.join('; '));
    for (const reason of changes) onEvent({ type: 'moved', kind, reason });
  };
  const atEnd: string[] = [];
  try {
    for await (const { results, block = linesOf(results), retrievedAt, ...page } of pages) {
      const moved = watch.see({ ...page, results });
      note(moved);
      const facts = { ...page, ...efforts[kind], retrieved_at: retrievedAt, page: watch.page, moved };
      store.addPage(kind, facts, results, block);
      onEvent({ type: 'page', kind, page: watch.page, records: watch.rows, count: page.count });
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

/** The part of a page that is watched for changes. */
type WatchedPage = Pick<ReadPage, 'url' | 'next' | 'count' | 'total' | 'edition' | 'results'>;

/** Detects changes of an archive during the walk of a kind, from its stored pages on. */
class DriftWatch {
  readonly guard = new NextGuard();
  /** The last stored page. */
  readonly last: PageFacts | undefined;
  /** Number of records. */
  rows: number;
  /** Number of the last page. */
  page: number;
  readonly #uuids: Set<string>;
  #before: Omit<WatchedPage, 'results'> | undefined;

  constructor(store: HarvestStore, kind: Kind) {
    for (const page of store.visited(kind)) this.guard.visit(page);
    this.last = store.lastPage(kind);
    this.rows = store.size(kind).records;
    this.page = this.last?.page ?? 0;
    this.#uuids = new Set(store.records(kind).map(({ uuid }) => uuid));
    this.#before = this.last;
  }

  /** Checks the next page; returns changes as sentences. */
  see({ results, ...page }: WatchedPage): string[] {
    const moved: string[] = [];
    for (const name of ['count', 'total', 'edition'] as const) {
      const [before, now] = [this.#before?.[name] ?? 'none', page[name] ?? 'none'];
      if (this.#before && before !== now)
        moved.push(`${name} changed from ${before} to ${now} at ${page.url}`);
    }
    const uuids = results.map(({ uuid }) => uuid.toLowerCase());
    const again = uuids.filter((uuid) => this.#uuids.size === this.#uuids.add(uuid).size);
    if (again.length > 0) {
      const others = again.length > 1 ? ` and ${again.length - 1} others` : '';
      moved.push(`${page.url} repeats the record ${again[0]}${others}`);
    }
    if (page.next !== null && uuids.length < PAGE_SIZE)
      moved.push(`${page.url} has ${uuids.length} records, but is not the last page`);
    this.rows += uuids.length;
    this.page += 1;
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
  const { kind, store, onEvent } = options;
  beginOrResume(options);
  if (store.kindWalk(kind)?.finished_at) return;
  const watch = new DriftWatch(store, kind);
  if (watch.page > 0) onEvent({ type: 'resume', kind, pages: watch.page, records: watch.rows });
  try {
    await storePages(options, watch, pagesOf(kind, stream, store));
  } catch (error) {
    if (!(error instanceof InconsistentError)) throw error;
    throw responseError(stream.url, error.message);
  }
}

/** The records of a stream in pages; only the end of the source shows which is the last. */
async function* pagesOf(
  kind: Kind,
  { url, manifest, read, check }: RecordStream,
  store: HarvestStore,
): AsyncGenerator<ReadPage> {
  const countOf = (each: Kind) => dumpOf(manifest, each)?.records ?? 0;
  const total = KINDS.reduce((sum, each) => sum + countOf(each), 0);
  const common = { url, count: countOf(kind), total, edition: String(manifest.edition.id), etag: null };
  const pageOf = (some: readonly ReadRecord[], next: string | null): ReadPage => ({
    ...common,
    next,
    retrievedAt: new Date().toISOString(),
    results: some.map(({ record }) => record),
    block: Buffer.concat(some.map(({ line }) => line)),
  });
  let waiting: ReadRecord[] = [];
  for await (const some of read(store.size(kind))) {
    waiting.push(...some);
    let at = 0;
    for (; waiting.length - at > PAGE_SIZE; at += PAGE_SIZE)
      yield pageOf(waiting.slice(at, at + PAGE_SIZE), url);
    waiting = waiting.slice(at);
  }
  if (waiting.length > 0 || !store.lastPage(kind)) yield pageOf(waiting, null);
  check?.();
}
