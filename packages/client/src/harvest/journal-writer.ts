import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { WriteError } from '@archiefkast/system';
import type { JournalEntry } from './journal-entry.ts';
import { encodeFrame, FRAMES_MARK } from './journal-frames.ts';

/** Size and SHA-256 of a journal's lines, uncompressed. */
export interface JournalProof {
  bytes: number;
  sha256: string;
}

/** Appends entries to a journal's file. */
export interface JournalWriter {
  /** Counts lines that the file already contains. */
  count(lines: Uint8Array): void;
  write(entry: JournalEntry, lines?: Uint8Array): Promise<void>;
  /** Removes all entries. */
  empty(): Promise<void>;
  proof(): JournalProof;
  /** Flushes everything to the disk and closes the file. */
  close(): Promise<void>;
}

/** Entries are compressed together up to this size, or for this time: small entries compress badly. */
const FRAME_BYTES = 512 * 1024;
const FRAME_MS = 100;
/** Size of the line buffer; the page that completes a frame exceeds it. */
const FIRST_CAPACITY = FRAME_BYTES + 128 * 1024;
/** Interval of flushes to the disk, in milliseconds; lost pages are fetched again. */
const SYNC_MS = 1000;

/**
 * Creates the writer of a journal.
 *
 * @param isFramed whether the file consists of frames; a journal of version 1 keeps its format
 */
export function createJournalWriter(path: string, file: FileHandle, isFramed: boolean): JournalWriter {
  let framed = isFramed;
  let hash = createHash('sha256');
  let bytes = 0;
  /** Buffer of lines, reused for all frames. */
  let waiting = Buffer.allocUnsafe(FIRST_CAPACITY);
  let waitingBytes = 0;
  let framedAt = Date.now();
  let synced = Date.now();

  function count(lines: Uint8Array): void {
    hash.update(lines);
    bytes += lines.length;
  }

  /** Writes the buffer to the file. */
  function flush(): void {
    if (waitingBytes === 0) return;
    const lines = waiting.subarray(0, waitingBytes);
    waitingBytes = 0;
    framedAt = Date.now();
    try {
      // Synchronous: waiting for another thread takes longer than the copy to the page cache.
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
