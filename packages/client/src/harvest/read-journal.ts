import { hash } from 'node:crypto';
import { ArchiveError } from '../errors/archive-error.ts';
import { type JournalEntry, journalEntrySchema } from './journal-entry.ts';
import { type Line, readLineBlocks } from './read-lines.ts';

/** An entry of a journal with where it stands. */
export interface PlacedEntry {
  entry: JournalEntry;
  /** The line of the entry itself, with its line feed. */
  line: Buffer;
  /** The lines of the page's records, with their line feeds; empty for other entries. */
  lines: Buffer[];
  /** Where the entry begins in the file, in bytes. */
  start: number;
  /** Where the next entry begins. */
  end: number;
}

/** A journal holds something that was not written so. `intactBytes` of the file, from its start, are whole. */
export class JournalDamageError extends ArchiveError {
  override name = 'JournalDamageError';
  readonly intactBytes: number;

  constructor(path: string, intactBytes: number, what: string) {
    super(`${path}: ${what} after byte ${intactBytes}`);
    this.intactBytes = intactBytes;
  }
}

/**
 * Reads the entries of a journal in order, and checks each page's records against their hash.
 *
 * @param from where to begin, in bytes: the start of an entry
 * @throws JournalDamageError at the first entry that is cut off or does not hold what was written
 */
export async function* readJournal(path: string, from = 0): AsyncGenerator<PlacedEntry, void, void> {
  let intact = from;
  let placed: PlacedEntry | undefined;
  for await (const lines of readLineBlocks(path, from)) {
    for (const line of lines) {
      placed = placed ? withRecord(placed, line) : placeEntry(line);
      if (!placed) throw new JournalDamageError(path, intact, 'an entry is cut off or damaged');
      if (placed.lines.length < recordsOf(placed)) continue;
      if (!isAsWritten(placed)) throw damagedRecords(path, intact, placed);
      intact = placed.end;
      yield placed;
      placed = undefined;
    }
  }
  if (placed) throw damagedRecords(path, intact, placed);
}

function placeEntry(line: Line): PlacedEntry | undefined {
  const entry = parseEntry(line);
  const { bytes, start } = line;
  return entry && { entry, line: bytes, lines: [], start, end: start + bytes.length };
}

function withRecord(placed: PlacedEntry, { bytes }: Line): PlacedEntry {
  placed.lines.push(bytes);
  placed.end += bytes.length;
  return placed;
}

function recordsOf({ entry }: PlacedEntry): number {
  return entry.entry === 'page' ? entry.records : 0;
}

function isAsWritten({ entry, lines }: PlacedEntry): boolean {
  return entry.entry !== 'page' || hash('sha256', Buffer.concat(lines), 'hex') === entry.sha256;
}

function damagedRecords(path: string, intact: number, { entry }: PlacedEntry): JournalDamageError {
  const page = entry.entry === 'page' ? ` of page ${entry.page}` : '';
  return new JournalDamageError(path, intact, `the records${page} are cut off or damaged`);
}

function parseEntry(line: Line): JournalEntry | undefined {
  const text = line.bytes.toString();
  if (!text.endsWith('\n')) return undefined;
  try {
    return journalEntrySchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
