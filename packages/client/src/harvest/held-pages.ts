import { type ArchiveRecord, type Kind, recordSchemas } from '@archive/types';
import { assertMatches } from '../request/assert-matches.ts';
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
  return {
    etag: (url) => places.get(url)?.etag,
    async read(url) {
      const place = places.get(url);
      if (!place) return undefined;
      for await (const { entry, lines } of readJournal(path, place.start)) {
        return entry.entry === 'page' ? heldPage(entry, lines, kind) : undefined;
      }
      return undefined;
    },
  };
}

function heldPage(entry: PageEntry, lines: Buffer[], kind: Kind): Page<ArchiveRecord> {
  const { url, next, count, total, edition, etag } = entry;
  const results = lines.map((line) => {
    const record: unknown = JSON.parse(line.toString());
    assertMatches<ArchiveRecord>(recordSchemas[kind], record, true);
    return record;
  });
  return { url, next, count, total, results, edition, etag, retrievedAt: new Date().toISOString() };
}
