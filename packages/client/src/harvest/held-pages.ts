import type { ArchiveRecord, Kind } from '@archiefkast/types';
import { assertMatches, type Schema } from '../request/assert-matches.ts';
import { schemaOf, shapeOfKind } from '../shape/shapes.ts';
import type { Page } from '../walk/page.ts';
import { journalPath } from './folder.ts';
import type { PageEntry } from './journal-entry.ts';
import { readJournal } from './read-journal.ts';

/** The pages of an earlier harvest of one kind. */
export interface HeldPages {
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
export async function openHeldPages(journalFolder: string | undefined, kind: Kind): Promise<HeldPages> {
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
