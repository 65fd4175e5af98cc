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
  /** The memory that lines wait in, and that of the frame that is being made: a harvest writes many. */
  let waiting = Buffer.allocUnsafe(FRAME_BYTES);
  let flushing = Buffer.allocUnsafe(FRAME_BYTES);
  let flushed: Promise<void> = Promise.resolve();
  let waitingBytes = 0;
  let framedAt = Date.now();
  let synced = Date.now();

  function count(lines: Uint8Array): void {
    hash.update(lines);
    bytes += lines.length;
  }

  /** Begins to write what waits, once what was flushed before is written. */
  async function flush(): Promise<void> {
    await flushed;
    if (waitingBytes === 0) return;
    const lines = waiting.subarray(0, waitingBytes);
    [waiting, flushing] = [flushing, waiting];
    waitingBytes = 0;
    framedAt = Date.now();
    flushed = writeLines(lines);
    // Its failure is told when it is waited for.
    flushed.catch(() => {});
  }

  async function writeLines(lines: Uint8Array): Promise<void> {
    const data = framed ? await encodeFrame(lines) : lines;
    try {
      // Without waiting for another thread, which would take longer than the copy into the system's memory.
      writeFileSync(file.fd, data);
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
      await flush();
      if (now - synced < SYNC_MS) return;
      synced = now;
      await flushed;
      await file.datasync();
    },
    async empty() {
      await flushed;
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
      await flush();
      await flushed;
      await file.datasync();
    },
  };
}
