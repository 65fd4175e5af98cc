import { hash } from 'node:crypto';
import { isMissing, readLineBlocks } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { journalPath } from './folder.ts';
import { inOnePiece } from './in-one-piece.ts';
import type { JournalEntry } from './journal-entry.ts';
import { freeFrame, isFramed, JournalDamageError, readFrames } from './journal-frames.ts';

/** An entry of a journal with its offset. */
export interface PlacedEntry {
  entry: JournalEntry;
  /** The line of the entry, with its line feed. */
  line: Buffer;
  /** The lines of the page's records, with their line feeds; empty for other entries. */
  lines: Buffer[];
  /** The same lines in one buffer. */
  block: Buffer;
  /** Offset of the frame that contains the entry, or in version 1 of the entry. */
  start: number;
}

/** The schema of entries, imported when a journal is read. */
type EntrySchema = typeof import('./journal-entry.ts')['journalEntrySchema'];

/** A batch of lines: a frame, or in version 1 a block of the file. */
interface Batch {
  lines: Buffer[];
  /** Offset of the frame, or in version 1 of each line. */
  starts: readonly number[] | number;
  /** Whether all entries of the batch are complete. */
  isClosed: boolean;
}

/**
 * Reads the entries of a journal in order, and checks each page's records against their hash. Journals of
 * version 1, which are not compressed, are read too.
 *
 * @param from offset to begin at, in bytes: the start of an entry
 * @param isPassing whether the lines of an entry are no longer used once the next is requested, so that their memory can be
 *   released
 * @throws JournalDamageError at the first truncated or damaged entry
 */
export async function* readJournal(
  path: string,
  from = 0,
  isPassing = false,
): AsyncGenerator<PlacedEntry, void, void> {
  const { journalEntrySchema } = await import('./journal-entry.ts');
  const batches = (await isFramed(path)) ? frameBatches(path, from, isPassing) : lineBatches(path, from);
  let intact = from;
  let current: PlacedEntry | undefined;
  for await (const { lines, starts, isClosed } of batches) {
    for (const [index, line] of lines.entries()) {
      const start = typeof starts === 'number' ? starts : (starts[index] ?? 0);
      if (current) current.lines.push(line);
      else {
        intact = start;
        current = entryAt(line, start, journalEntrySchema);
      }
      if (!current) throw new JournalDamageError(path, intact, 'an entry is cut off or damaged');
      if (current.lines.length < recordsOf(current)) continue;
      current.block = inOnePiece(current.lines);
      if (!isAsWritten(current)) throw damagedRecords(path, intact, current);
      yield current;
      current = undefined;
    }
    if (isClosed && current) break;
  }
  if (current) throw damagedRecords(path, intact, current);
}

async function* lineBatches(path: string, from: number): AsyncGenerator<Batch> {
  for await (const lines of readLineBlocks(path, from)) {
    const starts = lines.map(({ start }) => start);
    yield { lines: lines.map(({ bytes }) => bytes), starts, isClosed: false };
  }
}

async function* frameBatches(path: string, from: number, isPassing: boolean): AsyncGenerator<Batch> {
  for await (const frame of readFrames(path, from)) {
    yield { lines: splitLines(frame.plain), starts: frame.start, isClosed: true };
    if (isPassing) freeFrame(frame);
  }
}

const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Splits a text into lines, with their line feeds. */
function splitLines(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let begin = 0; begin < text.length; ) {
    const end = text.indexOf(LINE_FEED, begin);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.subarray(begin, next));
    begin = next;
  }
  return lines;
}

function entryAt(line: Buffer, start: number, schema: EntrySchema): PlacedEntry | undefined {
  const entry = parseEntry(line, schema);
  return entry && { entry, line, lines: [], block: NOTHING, start };
}

function recordsOf({ entry }: PlacedEntry): number {
  return entry.entry === 'page' ? entry.records : 0;
}

function isAsWritten({ entry, block }: PlacedEntry): boolean {
  return entry.entry !== 'page' || hash('sha256', block, 'hex') === entry.sha256;
}

function damagedRecords(path: string, intact: number, { entry }: PlacedEntry): JournalDamageError {
  const page = entry.entry === 'page' ? ` of page ${entry.page}` : '';
  return new JournalDamageError(path, intact, `the records${page} are cut off or damaged`);
}

function parseEntry(line: Buffer, schema: EntrySchema): JournalEntry | undefined {
  const text = line.toString();
  if (!text.endsWith('\n')) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Reads the records of a kind in a harvest, in order, as JSON lines with their line feeds.
 *
 * @throws JournalDamageError
 */
export async function* readRecordLines(
  journalFolder: string,
  kind: Kind,
): AsyncGenerator<Buffer, void, void> {
  for await (const { lines } of readJournal(journalPath(journalFolder, kind))) yield* lines;
}

/** Whether the journals in a folder contain finished walks of some kinds. */
export async function isWalked(journalFolder: string, kinds: readonly Kind[]): Promise<boolean> {
  for (const kind of kinds) if (!(await hasEnd(journalPath(journalFolder, kind)))) return false;
  return true;
}

async function hasEnd(path: string): Promise<boolean> {
  let last = '';
  try {
    for await (const { entry } of readJournal(path)) last = entry.entry;
  } catch (error) {
    if (!isMissing(error) && !(error instanceof JournalDamageError)) throw error;
    return false;
  }
  return last === 'end';
}
