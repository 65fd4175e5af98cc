import { open } from 'node:fs/promises';
import { type Kind, PAGE_SIZE } from '@archiefkast/types/kinds';
import { createNextGuard, type NextGuard } from '../walk/guard-next.ts';
import type { EndEntry, PageEntry, WalkEntry } from './journal-entry.ts';
import { isFramed, JournalDamageError } from './journal-frames.ts';
import { createJournalWriter, type JournalProof } from './journal-writer.ts';
import { type PlacedEntry, readJournal } from './read-journal.ts';

/** Receives the records of a walk: first those in the journal, then each page as it is stored. */
export interface RecordWatch {
  /**
   * Receives the records of the next page.
   *
   * @param lines the records as JSON lines; valid until `see` returns
   */
  see(records: readonly unknown[], lines: Uint8Array): void;
}

/** Creates the watch of a walk; called again if the kind starts again. */
export type WatchRecords = (kind: Kind) => RecordWatch;

/** State of the last walk in a journal. */
export interface WalkState {
  walk: WalkEntry;
  firstPage: PageEntry | undefined;
  lastPage: PageEntry | undefined;
  end: EndEntry | undefined;
  /** Bytes of the records' lines. */
  recordBytes: number;
  /** Changes of the archive, as sentences. */
  moved: string[];
  guard: NextGuard;
  watch: DriftWatch;
  records: RecordWatch | undefined;
}

/** The journal of one kind, open for writing. */
export interface Journal {
  /** Undefined if no walk was started. */
  readonly state: WalkState | undefined;
  /**
   * Starts a walk; entries of an earlier one are removed.
   *
   * @param reason why the previous walk is abandoned; empty for the first
   * @param tolerant whether to continue if the archive changes
   */
  begin(kind: Kind, reason: string, tolerant: boolean): Promise<WalkState>;
  /** Adds a page and the lines of its records. */
  addPage(page: PageEntry, lines: Uint8Array, records: readonly unknown[]): Promise<void>;
  /** Ends the walk. */
  end(end: EndEntry): Promise<void>;
  /** Size and SHA-256 of the lines. */
  proof(): JournalProof;
  /** Flushes everything to the disk and closes the file. */
  close(): Promise<void>;
}

/**
 * Opens or creates the journal of a kind, and reads its entries. A damaged end is removed.
 *
 * @param onDamage called if an end is removed
 * @param watchRecords creates the watch of each walk
 */
export async function openJournal(
  path: string,
  onDamage: (error: JournalDamageError) => void,
  watchRecords: () => RecordWatch | undefined = () => undefined,
): Promise<Journal> {
  const file = await open(path, 'a+');
  const writer = createJournalWriter(path, file, await isFramed(path));
  let state: WalkState | undefined;
  try {
    for await (const placed of readJournal(path)) {
      state = placed.entry.entry === 'walk' ? newState(placed.entry) : replay(state, placed);
      writer.count(placed.line);
      writer.count(placed.block);
    }
  } catch (error) {
    if (!(error instanceof JournalDamageError)) {
      await file.close();
      throw error;
    }
    await file.truncate(error.intactBytes);
    onDamage(error);
  }

  return {
    get state() {
      return state;
    },
    async begin(kind, reason, tolerant) {
      const started_at = new Date().toISOString();
      const walk: WalkEntry = { entry: 'walk', kind, started_at, reason, tolerant };
      await writer.empty();
      await writer.write(walk);
      state = newState(walk);
      return state;
    },
    async addPage(page, lines, records) {
      await writer.write(page, lines);
      if (state) notePage(state, page, lines, records);
    },
    async end(end) {
      await writer.write(end);
      if (state) noteEnd(state, end);
    },
    proof: writer.proof,
    close: writer.close,
  };

  function newState(walk: WalkEntry): WalkState {
    return {
      walk,
      firstPage: undefined,
      lastPage: undefined,
      end: undefined,
      recordBytes: 0,
      moved: [],
      guard: createNextGuard(),
      watch: createDriftWatch(),
      records: watchRecords(),
    };
  }
}

function notePage(state: WalkState, page: PageEntry, lines: Uint8Array, records: readonly unknown[]): void {
  state.records?.see(records, lines);
  state.recordBytes += lines.length;
  state.firstPage ??= page;
  state.lastPage = page;
  state.moved.push(...(page.moved ?? []));
}

function noteEnd(state: WalkState, end: EndEntry): void {
  state.end = end;
  state.moved.push(...end.moved);
}

/** The state after the next entry of a journal. */
function replay(state: WalkState | undefined, { entry, lines, block }: PlacedEntry): WalkState | undefined {
  if (!state || entry.entry === 'walk') return state;
  if (entry.entry === 'end') {
    noteEnd(state, entry);
    return state;
  }
  const records = lines.map((line) => parseRecordLine(line));
  state.guard.visit(entry);
  state.watch.see({ ...entry, edition: entry.edition, uuids: records.map(({ uuid }) => uuid) });
  notePage(
    state,
    entry,
    block,
    records.map(({ record }) => record),
  );
  return state;
}

/** A record, and its uuid in lower case; `""` if it has none. */
function parseRecordLine(line: Buffer): { record: object; uuid: string } {
  const record: object = Object(JSON.parse(line.toString()));
  return { record, uuid: 'uuid' in record ? String(record.uuid).toLowerCase() : '' };
}

/** The part of a page that is watched for changes. */
export interface WatchedPage {
  url: string;
  next: string | null;
  count: number;
  total: number;
  edition: string | undefined;
  uuids: string[];
}

/** The part of a page that is remembered. */
type PageFacts = Pick<WatchedPage, 'count' | 'total' | 'edition'>;

/** Detects changes of an archive during a walk. */
interface DriftWatch {
  /** Checks the next page; returns changes as sentences. */
  see(page: WatchedPage): string[];
  /** Checks the totals after the last page; returns inconsistencies as sentences. */
  finish(): string[];
  /** Number of records. */
  rows(): number;
  /** Number of unique uuids. */
  uniqueUuids(): number;
}

/** Creates the watch of one walk of one kind. */
export function createDriftWatch(): DriftWatch {
  const uuids = new Set<string>();
  let rows = 0;
  let before: PageFacts | undefined;

  return {
    see(page) {
      const moved = changes(before, page);
      const again = page.uuids.filter((uuid) => {
        const seen = uuids.has(uuid);
        uuids.add(uuid);
        return seen;
      });
      if (again.length > 0) {
        const others = again.length > 1 ? ` and ${again.length - 1} others` : '';
        moved.push(`${page.url} repeats the record ${again[0]}${others}`);
      }
      if (page.next !== null && page.uuids.length < PAGE_SIZE) {
        moved.push(`${page.url} has ${page.uuids.length} records, but is not the last page`);
      }
      rows += page.uuids.length;
      before = { count: page.count, total: page.total, edition: page.edition };
      return moved;
    },
    finish() {
      if (before === undefined || before.count === rows) return [];
      return [`${rows} records received, expected ${before.count}`];
    },
    rows: () => rows,
    uniqueUuids: () => uuids.size,
  };
}

function changes(before: PageFacts | undefined, page: WatchedPage): string[] {
  if (!before) return [];
  return (['count', 'total', 'edition'] as const)
    .filter((name) => before[name] !== page[name])
    .map((name) => `${name} changed from ${before[name]} to ${page[name]} at ${page.url}`);
}
