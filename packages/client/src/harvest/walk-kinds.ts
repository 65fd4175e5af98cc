import type { ArchiveRecord, Kind } from '@archiefkast/types';
import { WrongAnswerError } from '../errors/request-errors.ts';
import { assertMatches, type Schema } from '../request/assert-matches.ts';
import { schemaOf, shapeOfKind } from '../shape/shapes.ts';
import type { Page } from '../walk/page.ts';
import type { ReadPage } from '../walk/walk.ts';
import { disagreements, type WalkedKind } from './cross-check.ts';
import { journalPath } from './folder.ts';
import { harvestKind, type KindHarvest } from './harvest-kind.ts';
import type { WalkState } from './journal.ts';
import type { PageEntry } from './journal-entry.ts';
import { withEdition } from './pin-edition.ts';
import { readJournal } from './read-journal.ts';
import { forAllKinds, type RunningHarvest } from './running-harvest.ts';
import type { WalkFile } from './walk-file.ts';

/**
 * Walks all kinds in parallel, and again those that are inconsistent with the others. The first failure aborts all.
 */
export async function walkKinds(running: RunningHarvest, walkFile: WalkFile): Promise<void> {
  const harvests = new Map<Kind, Omit<KindHarvest, 'signal'>>();
  for (const [kind, journal] of running.journals) {
    harvests.set(kind, {
      kind,
      start: withEdition(running.client.records(kind).url, walkFile.edition),
      readPage: await pageReader(running, kind),
      journal,
      concurrency: running.options.pagesAtOnce ?? 1,
      onEvent: running.onEvent,
      effort: restoredEffort(running, kind),
    });
  }

  async function walkAll(): Promise<WalkedKind[]> {
    const walks = await forAllKinds(running, async (kind, _, signal) => {
      const harvest = harvests.get(kind);
      return harvest ? walked(kind, await harvestKind({ ...harvest, signal })) : [];
    });
    return walks.flat();
  }

  const toRepeat = disagreements(await walkAll());
  let repeated = false;
  for (const [kind, { journal }] of harvests) {
    const reason = toRepeat.get(kind);
    if (reason === undefined || journal.state?.walk.tolerant) continue;
    running.onEvent({ type: 'restart', kind, reason });
    await journal.begin(kind, reason, true);
    repeated = true;
  }
  if (repeated) await walkAll();
}

function walked(kind: Kind, { lastPage, end }: WalkState): WalkedKind[] {
  return lastPage && end ? [{ kind, finishedAt: end.finished_at, lastPage }] : [];
}

/** Restores the counts of retries and waits after an interruption. */
function restoredEffort({ efforts, journals }: RunningHarvest, kind: Kind) {
  const effort = efforts.get(kind) ?? { retries: 0, waitedMs: 0 };
  const lastPage = journals.get(kind)?.state?.lastPage;
  effort.retries = Math.max(effort.retries, lastPage?.retries ?? 0);
  effort.waitedMs = Math.max(effort.waitedMs, lastPage?.waited_ms ?? 0);
  return effort;
}

/** Reads pages from the server, and unchanged pages (304) from an earlier harvest. */
async function pageReader({ client, options }: RunningHarvest, kind: Kind): Promise<ReadPage<ArchiveRecord>> {
  const list = client.records(kind);
  const stored = await openStoredPages(options.heldFolder, kind);
  return async (url, signal) => {
    const page = await list.readPage(url, { signal, etag: stored.etag(url) });
    if (page) return page;
    const storedPage = await stored.read(url);
    if (!storedPage) throw new WrongAnswerError(url, 'expected a page, not status 304', '');
    return storedPage;
  };
}

/** The pages of an earlier harvest of one kind. */
interface StoredPages {
  /** ETag of the page at an address; undefined if there is none. */
  etag(url: string): string | undefined;
  /** The page at an address; undefined if there is none. */
  read(url: string): Promise<Page<ArchiveRecord> | undefined>;
}

/**
 * Opens the pages of an earlier harvest. Only their offsets are kept in memory.
 *
 * @param journalFolder undefined without an earlier harvest
 */
async function openStoredPages(journalFolder: string | undefined, kind: Kind): Promise<StoredPages> {
  if (journalFolder === undefined) return { etag: () => undefined, read: async () => undefined };
  const path = journalPath(journalFolder, kind);
  const offsets = new Map<string, { etag: string; start: number }>();
  for await (const { entry, start } of readJournal(path)) {
    if (entry.entry === 'page' && entry.etag !== undefined)
      offsets.set(entry.url, { etag: entry.etag, start });
  }
  const schema = schemaOf<ArchiveRecord>(shapeOfKind(kind));
  /** The pages of the frame that was read last: the next requests are for these. */
  let near = { start: -1, pages: new Map<string, StoredPage>() };
  return {
    etag: (url) => offsets.get(url)?.etag,
    async read(url) {
      const start = offsets.get(url)?.start;
      if (start === undefined) return undefined;
      if (near.start !== start) near = { start, pages: await pagesAt(path, start) };
      const stored = near.pages.get(url);
      return stored && storedPage(stored, schema);
    },
  };
}

/** A page in a journal. */
interface StoredPage {
  entry: PageEntry;
  lines: Buffer[];
}

/** Reads the pages of a frame, by address. */
async function pagesAt(path: string, start: number): Promise<Map<string, StoredPage>> {
  const pages = new Map<string, StoredPage>();
  for await (const found of readJournal(path, start)) {
    if (found.start !== start) break;
    if (found.entry.entry === 'page') pages.set(found.entry.url, { entry: found.entry, lines: found.lines });
  }
  return pages;
}

function storedPage({ entry, lines }: StoredPage, schema: Schema<ArchiveRecord>): Page<ArchiveRecord> {
  const { url, next, count, total, edition, etag } = entry;
  const results = lines.map((line) => {
    const record: unknown = JSON.parse(line.toString());
    assertMatches(schema, record, true);
    return record;
  });
  return { url, next, count, total, results, edition, etag, retrievedAt: new Date().toISOString() };
}
