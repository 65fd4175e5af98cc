import { type ArchiveRecord, KINDS, type Kind, type Manifest, PAGE_SIZE } from '@archiefkast/types';
import { repairedUrl, withParameter } from '../client-options.ts';
import { dumpOf } from '../dumps.ts';
import { responseError, StatusError } from '../errors.ts';
import { createRecordList } from '../listing.ts';
import { InconsistentError, type Page, pageNumber, walk } from '../walk.ts';
import type { KindHarvest, RunningHarvest } from './harvest-options.ts';
import { linesOf, recordsOf } from './json-lines.ts';
import type { PageFacts } from './store-schema.ts';

/**
 * Walks one kind into the store: resumes after the last stored page if that page is unchanged, and starts again once if the
 * archive changes.
 *
 * @throws RequestError if a request fails, NextError if a link is refused
 */
export async function walkKind(harvest: KindHarvest): Promise<void> {
  const { kind, store, onEvent } = harvest;
  const isTolerant = () => store.kindWalk(kind)?.tolerant ?? false;
  const last = store.lastPage(kind);
  const difference = last && (await changeOf(harvest, last));
  if (difference !== undefined)
    restart(harvest, kind, `page ${last?.page} has changed: ${difference}`, isTolerant());
  else if (last) onEvent({ type: 'resume', kind, pages: last.page, records: last.records });
  while (!store.kindWalk(kind)?.finished_at) {
    try {
      await storePages(harvest, pagesAfter(harvest, store.lastPage(kind)));
    } catch (error) {
      if (isTolerant() || !(error instanceof InconsistentError || isGonePage(error))) throw error;
      restart(harvest, kind, error.message, true);
    }
  }
}

/** Runs a task for every kind in parallel, after its walk has begun; the first failure aborts all. */
export async function forAllKinds(
  running: RunningHarvest,
  work: (harvest: KindHarvest) => Promise<void>,
): Promise<void> {
  const { connection, store, walk: asked } = running;
  const failed = new AbortController();
  const signal = AbortSignal.any([connection.signal, failed.signal]);
  for (const kind of asked.kinds) if (!store.kindWalk(kind)) store.begin(kind);
  const all = asked.kinds.map((kind) =>
    work({ ...running, kind, list: createRecordList<ArchiveRecord>(connection, kind, asked.events), signal }),
  );
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
  return store.block(kind, stored.page).equals(linesOf(page.results)) ? undefined : 'its records changed';
}

/** Reads a page from the server, or an unchanged one (304) from an earlier harvest. */
async function readPage(
  { connection, kind, list, held }: KindHarvest,
  url: string,
  signal: AbortSignal,
): Promise<Page<ArchiveRecord>> {
  const stored = held?.lastPage(kind, pageNumber(url));
  if (!held || stored?.url !== url || stored.etag === null) return list.readPage(url, { signal });
  const { next, count, total, edition, etag } = stored;
  const previous = stored.page > 1 ? withParameter(url, 'page', stored.page - 1) : null;
  const rest = { next, previous, count, total, language: connection.language };
  const body = () => ({ ...rest, results: recordsOf<ArchiveRecord>(held.block(kind, stored.page)) });
  const page = await list.readPage(url, { signal, held: { etag, body } });
  return { ...page, edition: page.edition ?? edition, etag: page.etag ?? etag };
}

/** Walks the pages that are not in the store. @param last the last one that is */
async function* pagesAfter(
  harvest: KindHarvest,
  last: PageFacts | undefined,
): AsyncGenerator<Page<ArchiveRecord>> {
  const { kind, list, store, signal, pagesAtOnce, walk: pinned, onEvent } = harvest;
  const start = last ? last.next : withParameter(list.url, 'edition', pinned.edition);
  if (start === null) return;
  const read = (url: string, stop: AbortSignal) => readPage(harvest, url, stop);
  const ahead = store.kindWalk(kind)?.tolerant ? 1 : pagesAtOnce;
  const firstCount = store.lastPage(kind, 1)?.count;
  yield* walk({ readPage: read, start, signal, firstCount, onNotice: onEvent, ahead });
}

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
  pages: AsyncIterable<ReadPage>,
): Promise<void> {
  const { tolerant = false } = store.kindWalk(kind) ?? {};
  const note = (changes: readonly string[]) => {
    if (changes.length > 0 && !tolerant) throw new InconsistentError(changes.join('; '));
    for (const reason of changes) onEvent({ type: 'moved', kind, reason });
  };
  const uuids = new Set(store.records(kind).map(({ uuid }) => uuid));
  let last = store.lastPage(kind);
  const atEnd: string[] = [];
  try {
    for await (const { results, block = linesOf(results), retrievedAt, ...facts } of pages) {
      const moved = [...changesBetween(last, facts), ...oddRecords(facts, results, uuids)];
      note(moved);
      const page = (last?.page ?? 0) + 1;
      const records = (last?.records ?? 0) + results.length;
      last = { ...facts, ...efforts[kind], retrieved_at: retrievedAt, page, records, moved, extra: [] };
      store.addPage(kind, last, results, block);
      onEvent({ type: 'page', kind, page, records, count: facts.count });
    }
  } catch (error) {
    if (!tolerant || !isGonePage(error)) throw error;
    note([error.message]);
    atEnd.push(error.message);
  }
  const { page = 0, records = 0, count = 0 } = last ?? {};
  const changes = count === records ? [] : [`${records} records received, expected ${count}`];
  note(changes);
  store.end(kind, [...atEnd, ...changes]);
  onEvent({ type: 'end', kind, pages: page, records });
}

type SharedFacts = Pick<PageFacts, 'url' | 'count' | 'total' | 'edition'>;

/** How the archive changed between two pages, as sentences. */
function changesBetween(before: SharedFacts | undefined, page: SharedFacts): string[] {
  return (['count', 'total', 'edition'] as const).flatMap((name) => {
    if (before === undefined || before[name] === page[name]) return [];
    return `${name} changed from ${before[name] ?? 'none'} to ${page[name] ?? 'none'} at ${page.url}`;
  });
}

/** How the records of a page show a change of the archive, as sentences. @param known uuids before the page; those of the page are added */
function oddRecords(
  { url, next }: Pick<PageFacts, 'url' | 'next'>,
  results: ReadPage['results'],
  known: Set<string>,
): string[] {
  const found: string[] = [];
  const again = results
    .map(({ uuid }) => uuid.toLowerCase())
    .filter((uuid) => known.size === known.add(uuid).size);
  const others = again.length > 1 ? ` and ${again.length - 1} others` : '';
  if (again.length > 0) found.push(`${url} repeats the record ${again[0]}${others}`);
  if (next !== null && results.length < PAGE_SIZE)
    found.push(`${url} has ${results.length} records, but is not the last page`);
  return found;
}

/** A record, and its line with the line feed. */
export interface ReadRecord {
  record: { readonly uuid: string };
  line: Uint8Array;
}

/**
 * Stores the records of a kind, from another source than pages, in pages like those of a walk, after those in the store.
 *
 * @param url of the source
 * @param manifest of the edition
 * @param batches the records in order, after those in the store
 * @throws RequestError if their number differs from the manifest, or a record is repeated
 */
export async function storeStream(
  harvest: KindHarvest,
  url: string,
  manifest: Manifest,
  batches: AsyncIterable<readonly ReadRecord[]>,
): Promise<void> {
  const { kind } = harvest;
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
  // Only the end of the source shows which page is the last.
  async function* pages(): AsyncGenerator<ReadPage> {
    let waiting: ReadRecord[] = [];
    for await (const some of batches) {
      waiting.push(...some);
      let at = 0;
      for (; waiting.length - at > PAGE_SIZE; at += PAGE_SIZE)
        yield pageOf(waiting.slice(at, at + PAGE_SIZE), url);
      waiting = waiting.slice(at);
    }
    if (waiting.length > 0 || !harvest.store.lastPage(kind)) yield pageOf(waiting, null);
  }
  try {
    await storePages(harvest, pages());
  } catch (error) {
    if (!(error instanceof InconsistentError)) throw error;
    throw responseError(url, error.message);
  }
}
