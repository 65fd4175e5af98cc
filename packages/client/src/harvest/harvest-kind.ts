import { hash } from 'node:crypto';
import type { ArchiveRecord, Kind } from '@archiefkast/types';
import { ArchiveError } from '../errors/archive-errors.ts';
import { StatusError } from '../errors/request-errors.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import { type Page, pageNumber } from '../walk/page.ts';
import { DisagreementError, type ReadPage, walk, walkAtOnce } from '../walk/walk.ts';
import type { OnHarvestEvent } from './harvest-event.ts';
import type { Journal, WalkState } from './journal.ts';
import type { PageEntry } from './journal-entry.ts';

/** Options of `harvestKind`. */
export interface KindHarvest {
  kind: Kind;
  /** Address of the first page. */
  start: string;
  readPage: ReadPage<ArchiveRecord>;
  journal: Journal;
  /** Maximum number of parallel requests. */
  concurrency: number;
  signal: AbortSignal;
  onEvent: OnHarvestEvent;
  /** Retries and milliseconds waited for this kind; counted by the caller. */
  effort: { retries: number; waitedMs: number };
}

/** The archive changed during a walk. */
class DriftError extends ArchiveError {
  override name = 'DriftError';
}

/**
 * Walks one kind into its journal: resumes after the last stored page if that page is unchanged, and starts again once if
 * the archive changes.
 *
 * @throws RequestError if a request fails, NextError if a link is refused
 */
export async function harvestKind(harvest: KindHarvest): Promise<WalkState> {
  const { journal, onEvent, kind } = harvest;
  let state = journal.state ?? (await journal.begin(kind, '', false));
  if (state.lastPage) state = await recheck(harvest, state, state.lastPage);
  while (!state.end) {
    try {
      await walkToTheEnd(harvest, state);
    } catch (error) {
      const reason = reasonToBeginAgain(error);
      if (reason === undefined || state.walk.tolerant) throw error;
      onEvent({ type: 'restart', kind, reason });
      state = await journal.begin(kind, reason, true);
    }
  }
  return state;
}

function reasonToBeginAgain(error: unknown): string | undefined {
  if (error instanceof DriftError || error instanceof DisagreementError) return error.message;
  return isGonePage(error) ? error.message : undefined;
}

/** Whether a page is missing that a `next` link or the count refers to. */
function isGonePage(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status === 404 && (pageNumber(error.url) ?? 1) > 1;
}

/** Fetches the last stored page again; the walk resumes if it is unchanged, else it starts again. */
async function recheck(harvest: KindHarvest, state: WalkState, stored: PageEntry): Promise<WalkState> {
  const { kind, journal, readPage, signal, onEvent } = harvest;
  const pages = stored.page;
  const difference = await readPage(stored.url, signal).then(
    (page) => differenceOf(stored, page),
    (error: unknown) => {
      if (isGonePage(error)) return error.message;
      throw error;
    },
  );
  if (difference === undefined) {
    onEvent({ type: 'resume', kind, pages, records: state.watch.rows() });
    return state;
  }
  const reason = `page ${pages} has changed: ${difference}`;
  onEvent({ type: 'restart', kind, reason });
  return journal.begin(kind, reason, state.walk.tolerant);
}

function differenceOf(stored: PageEntry, page: Page<ArchiveRecord>): string | undefined {
  const next = page.next && (repairedUrl(page.next, page.url) ?? page.next);
  if (page.count !== stored.count) return `its count was ${stored.count} and is ${page.count}`;
  if (page.total !== stored.total) return `its total was ${stored.total} and is ${page.total}`;
  if (next !== stored.next) return `its next page was ${stored.next} and is ${next}`;
  const { sha256 } = createLineMaker()(page.results);
  return sha256 === stored.sha256 ? undefined : 'its records changed';
}

async function walkToTheEnd(harvest: KindHarvest, state: WalkState): Promise<void> {
  const { kind, journal, onEvent } = harvest;
  const {
    watch,
    walk: { tolerant },
  } = state;
  const moved: string[] = [];
  const makeLines = createLineMaker();
  try {
    for await (const page of pagesAfter(harvest, state)) {
      const changes = watch.see({ ...page, uuids: page.results.map(({ uuid }) => uuid.toLowerCase()) });
      note(changes);
      const number = pageNumber(page.url) ?? 1;
      await storePage(harvest, page, number, changes, makeLines);
      onEvent({ type: 'page', kind, page: number, records: watch.rows(), count: page.count });
    }
  } catch (error) {
    if (!tolerant || !isGonePage(error)) throw error;
    note([error.message]);
    moved.push(error.message);
  }
  const changes = watch.finish();
  note(changes);
  moved.push(...changes);
  await journal.end({ entry: 'end', kind, finished_at: new Date().toISOString(), moved });
  onEvent({ type: 'end', kind, pages: state.lastPage?.page ?? 0, records: watch.rows() });

  function note(changes: string[]): void {
    if (changes.length === 0) return;
    if (!tolerant) throw new DriftError(changes.join('; '));
    for (const reason of changes) onEvent({ type: 'moved', kind, reason });
  }
}

/** Walks the pages that are not in the journal. */
async function* pagesAfter(harvest: KindHarvest, state: WalkState): AsyncGenerator<Page<ArchiveRecord>> {
  const { readPage, signal, concurrency, onEvent } = harvest;
  const start = state.lastPage ? state.lastPage.next : harvest.start;
  if (start === null) return;
  const options = { readPage, start, signal, guard: state.guard, onNotice: onEvent, prefetch: true };
  if (concurrency > 1 && !state.walk.tolerant) yield* walkAtOnce({ ...options, concurrency });
  else yield* walk(options);
}

async function storePage(
  { kind, journal, effort }: KindHarvest,
  page: Page<ArchiveRecord>,
  number: number,
  moved: string[],
  makeLines: LineMaker,
): Promise<void> {
  const { bytes, sha256 } = makeLines(page.results);
  await journal.addPage(
    {
      entry: 'page',
      kind,
      page: number,
      url: page.url,
      retrieved_at: page.retrievedAt,
      sha256,
      count: page.count,
      total: page.total,
      next: page.next,
      ...(page.edition === undefined ? {} : { edition: page.edition }),
      ...(page.etag === undefined ? {} : { etag: page.etag }),
      ...(moved.length === 0 ? {} : { moved }),
      retries: effort.retries,
      waited_ms: effort.waitedMs,
      records: page.results.length,
    },
    bytes,
    page.results,
  );
}

/** Records as JSON lines, as in journals and jsonl files. */
interface RecordLines {
  /** In UTF-8. Valid until the next lines are made. */
  bytes: Uint8Array;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
}

/** Converts records to lines. */
type LineMaker = (records: readonly unknown[]) => RecordLines;

const FIRST_CAPACITY = 256 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;

/** Creates a converter of records to lines that reuses one buffer. */
function createLineMaker(): LineMaker {
  let memory = Buffer.allocUnsafe(FIRST_CAPACITY);

  return (records) => {
    let length = 0;
    for (const record of records) {
      const line = `${JSON.stringify(record)}\n`;
      const needed = length + line.length * MOST_BYTES_PER_UNIT;
      if (needed > memory.length) {
        const larger = Buffer.allocUnsafe(2 * needed);
        memory.copy(larger, 0, 0, length);
        memory = larger;
      }
      length += memory.write(line, length);
    }
    const bytes = memory.subarray(0, length);
    return { bytes, sha256: hash('sha256', bytes, 'hex') };
  };
}
