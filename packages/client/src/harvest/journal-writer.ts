import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { WriteError } from '@archiefkast/system';
import type { JournalEntry } from './journal-entry.ts';
import { encodeFrame, FRAMES_MARK } from './journal-frames.ts';

/** What proves that a journal is whole: of its lines, as they are before they are compressed. */
export interface JournalProof {
  bytes: number;
  sha256: string;
}

/** Adds entries to the end of a journal's file. */
export interface JournalWriter {
  /** Counts lines that the file holds already. */
  count(lines: Uint8Array): void;
  write(entry: JournalEntry, lines?: Uint8Array): Promise<void>;
  /** Drops everything. */
  empty(): Promise<void>;
  proof(): JournalProof;
  /** Writes everything to the disk and closes the file. */
  close(): Promise<void>;
}

/** Entries are compressed together up to this many bytes, or for this long: alone they would hardly become smaller. */
const FRAME_BYTES = 512 * 1024;
const FRAME_MS = 100;
/** Lines wait in so much memory: the page that fills a frame goes beyond it. */
const FIRST_CAPACITY = FRAME_BYTES + 128 * 1024;
/** A journal is written to the disk at least this often, in milliseconds; what is lost is fetched again. */
const SYNC_MS = 1000;

/**
 * Makes the writer of a journal.
 *
 * @param isFramed whether the file consists of frames; one of the version before goes on as it began
 */
export function createJournalWriter(path: string, file: FileHandle, isFramed: boolean): JournalWriter {
  let framed = isFramed;
  let hash = createHash('sha256');
  let bytes = 0;
  /** The memory that lines wait in: a harvest writes many. */
  let waiting = Buffer.allocUnsafe(FIRST_CAPACITY);
  let waitingBytes = 0;
  let framedAt = Date.now();
  let synced = Date.now();

  function count(lines: Uint8Array): void {
    hash.update(lines);
    bytes += lines.length;
  }

  /** Writes what waits. */
  function flush(): void {
    if (waitingBytes === 0) return;
    const lines = waiting.subarray(0, waitingBytes);
    waitingBytes = 0;
    framedAt = Date.now();
    try {
      // Without waiting for another thread, which would take longer than the copy into the system's memory.
      writeFileSync(file.fd, framed ? encodeFrame(lines) : lines);
    } catch (error) {
      throw new WriteError(path, error);
    }
  }

  function add(lines: Uint8Array): void {
    count(lines);
    const needed = waitingBytes + lines.length;
    if (needed > waiting.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      waiting.copy(larger, 0, 0, waitingBytes);
      waiting = larger;
    }
    waiting.set(lines, waitingBytes);
    waitingBytes = needed;
  }

  return {
    count,
    async write(entry, lines) {
      add(Buffer.from(`${JSON.stringify(entry)}\n`));
      if (lines) add(lines);
      const now = Date.now();
      if (waitingBytes < FRAME_BYTES && now - framedAt < FRAME_MS) return;
      flush();
      if (now - synced < SYNC_MS) return;
      synced = now;
      await file.datasync();
    },
    async empty() {
      waitingBytes = 0;
      await file.truncate(0);
      writeFileSync(file.fd, FRAMES_MARK);
      framed = true;
      hash = createHash('sha256');
      bytes = 0;
    },
    proof: () => ({ bytes, sha256: hash.copy().digest('hex') }),
    async close() {
      await using _ = file;
      flush();
      await file.datasync();
    },
  };
}
