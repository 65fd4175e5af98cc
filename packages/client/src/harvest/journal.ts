import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { WriteError } from '../errors/write-error.ts';
import { createDriftWatch, type DriftWatch } from '../walk/drift-watch.ts';
import { createNextGuard, type NextGuard } from '../walk/guard-next.ts';
import type { EndEntry, JournalEntry, PageEntry, WalkEntry } from './journal-entry.ts';
import { JournalDamageError, type PlacedEntry, readJournal } from './read-journal.ts';
import { uuidOfLine } from './uuid-of-line.ts';

/** A journal is written to the disk at least this often, in milliseconds; what is lost is fetched again. */
const SYNC_INTERVAL_MS = 1000;

/** What a journal holds of the walk it was last written for. */
export interface WalkState {
  walk: WalkEntry;
  firstPage: PageEntry | undefined;
  lastPage: PageEntry | undefined;
  end: EndEntry | undefined;
  /** What moved, in sentences. */
  moved: string[];
  guard: NextGuard;
  watch: DriftWatch;
}

/** What proves that a journal is whole. */
export interface JournalProof {
  bytes: number;
  sha256: string;
}

/** The journal of one kind, open for writing. */
export interface Journal {
  /** Undefined when no walk was begun. */
  readonly state: WalkState | undefined;
  /** Begins a walk; what an earlier one has left is dropped. */
  begin(walk: WalkEntry): Promise<WalkState>;
  /** Adds a page and the lines of its records. */
  addPage(page: PageEntry, lines: Uint8Array): Promise<void>;
  /** Ends the walk. */
  end(end: EndEntry): Promise<void>;
  /** What the file holds. */
  proof(): JournalProof;
  /** Writes everything to the disk and closes the file. */
  close(): Promise<void>;
}

/**
 * Opens the journal of a kind, or makes it, and reads what it holds. An end that is cut off or damaged is
 * dropped.
 *
 * @param onDamage is told of it
 */
export async function openJournal(
  path: string,
  onDamage: (error: JournalDamageError) => void,
): Promise<Journal> {
  const file = await open(path, 'a+');
  let state: WalkState | undefined;
  let hash = createHash('sha256');
  let bytes = 0;
  function count(data: Uint8Array): void {
    hash.update(data);
    bytes += data.length;
  }
  try {
    for await (const placed of readJournal(path)) {
      state = replay(state, placed);
      for (const line of [placed.line, ...placed.lines]) count(line);
    }
  } catch (error) {
    if (!(error instanceof JournalDamageError)) {
      await file.close();
      throw error;
    }
    await file.truncate(error.intactBytes);
    onDamage(error);
  }

  let synced = Date.now();
  async function write(entry: JournalEntry, lines?: Uint8Array): Promise<void> {
    try {
      // Without waiting for another thread, which would take longer than the copy into the system's memory.
      for (const data of [Buffer.from(`${JSON.stringify(entry)}\n`), lines ?? Buffer.of()]) {
        writeFileSync(file.fd, data);
        count(data);
      }
      if (Date.now() - synced < SYNC_INTERVAL_MS) return;
      await file.datasync();
      synced = Date.now();
    } catch (error) {
      throw new WriteError(path, error);
    }
  }

  return {
    get state() {
      return state;
    },
    async begin(walk) {
      await file.truncate(0);
      hash = createHash('sha256');
      bytes = 0;
      await write(walk);
      state = newState(walk);
      return state;
    },
    async addPage(page, lines) {
      await write(page, lines);
      if (state) notePage(state, page);
    },
    async end(end) {
      await write(end);
      if (state) noteEnd(state, end);
    },
    proof: () => ({ bytes, sha256: hash.copy().digest('hex') }),
    async close() {
      await file.datasync();
      await file.close();
    },
  };
}

function newState(walk: WalkEntry): WalkState {
  return {
    walk,
    firstPage: undefined,
    lastPage: undefined,
    end: undefined,
    moved: [],
    guard: createNextGuard(),
    watch: createDriftWatch(),
  };
}

function notePage(state: WalkState, page: PageEntry): void {
  state.firstPage ??= page;
  state.lastPage = page;
  state.moved.push(...(page.moved ?? []));
}

function noteEnd(state: WalkState, end: EndEntry): void {
  state.end = end;
  state.moved.push(...end.moved);
}

/** The state after one more entry of a journal that is read. */
function replay(state: WalkState | undefined, { entry, lines }: PlacedEntry): WalkState | undefined {
  if (entry.entry === 'walk') return newState(entry);
  if (!state) return undefined;
  if (entry.entry === 'end') {
    noteEnd(state, entry);
    return state;
  }
  state.guard.visit(entry);
  state.watch.see({ ...entry, edition: entry.edition, uuids: lines.map(uuidOfLine) });
  notePage(state, entry);
  return state;
}
