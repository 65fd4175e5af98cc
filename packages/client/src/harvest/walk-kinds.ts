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
 * Walks all kinds to their ends at the same time, and again those that do not show the same archive as the
 * others. The first failure stops them all.
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

/** Requests made again and time waited before an interruption count on. */
function restoredEffort({ efforts, journals }: RunningHarvest, kind: Kind) {
  const effort = efforts.get(kind) ?? { retries: 0, waitedMs: 0 };
  const lastPage = journals.get(kind)?.state?.lastPage;
  effort.retries = Math.max(effort.retries, lastPage?.retries ?? 0);
  effort.waitedMs = Math.max(effort.waitedMs, lastPage?.waited_ms ?? 0);
  return effort;
}

/** Reads pages from the server, and from an earlier harvest where the server says that its page still holds. */
async function pageReader({ client, options }: RunningHarvest, kind: Kind): Promise<ReadPage<ArchiveRecord>> {
  const list = client.records(kind);
  const held = await openHeldPages(options.heldFolder, kind);
  return async (url, signal) => {
    const page = await list.readPage(url, { signal, etag: held.etag(url) });
    if (page) return page;
    const heldPage = await held.read(url);
    if (!heldPage) throw new WrongAnswerError(url, 'expected a page, not status 304', '');
    return heldPage;
  };
}

/** The pages of an earlier harvest of one kind. */
interface HeldPages {
  /** The ETag of the page that was read from an address; undefined when none is held. */
  etag(url: string): string | undefined;
  /** The page that was read from an address; undefined when none is held. */
  read(url: string): Promise<Page<ArchiveRecord> | undefined>;
}

/**
 * Opens the pages of an earlier harvest. Only where they stand is kept in memory.
 *
 * @param journalFolder undefined when there is no earlier harvest
 */
async function openHeldPages(journalFolder: string | undefined, kind: Kind): Promise<HeldPages> {
  if (journalFolder === undefined) return { etag: () => undefined, read: async () => undefined };
  const path = journalPath(journalFolder, kind);
  const places = new Map<string, { etag: string; start: number }>();
  for await (const { entry, start } of readJournal(path)) {
    if (entry.entry === 'page' && entry.etag !== undefined)
      places.set(entry.url, { etag: entry.etag, start });
  }
  const schema = schemaOf<ArchiveRecord>(shapeOfKind(kind));
  /** The pages that stand where the last one was read: those that are asked for next. */
  let near = { start: -1, pages: new Map<string, HeldPage>() };
  return {
    etag: (url) => places.get(url)?.etag,
    async read(url) {
      const start = places.get(url)?.start;
      if (start === undefined) return undefined;
      if (near.start !== start) near = { start, pages: await pagesAt(path, start) };
      const held = near.pages.get(url);
      return held && heldPage(held, schema);
    },
  };
}

/** A page as a journal holds it. */
interface HeldPage {
  entry: PageEntry;
  lines: Buffer[];
}

/** The pages that stand at one place of a journal, by address. */
async function pagesAt(path: string, start: number): Promise<Map<string, HeldPage>> {
  const pages = new Map<string, HeldPage>();
  for await (const placed of readJournal(path, start)) {
    if (placed.start !== start) break;
    if (placed.entry.entry === 'page')
      pages.set(placed.entry.url, { entry: placed.entry, lines: placed.lines });
  }
  return pages;
}

function heldPage({ entry, lines }: HeldPage, schema: Schema<ArchiveRecord>): Page<ArchiveRecord> {
  const { url, next, count, total, edition, etag } = entry;
  const results = lines.map((line) => {
    const record: unknown = JSON.parse(line.toString());
    assertMatches(schema, record, true);
    return record;
  });
  return { url, next, count, total, results, edition, etag, retrievedAt: new Date().toISOString() };
}
