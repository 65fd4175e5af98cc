import { createHash } from 'node:crypto';
import { ArchiveError } from '../errors/archive-error.ts';
import { type JournalEntry, journalEntrySchema, type PageEntry } from './journal-entry.ts';
import { type Line, readLines } from './read-lines.ts';

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
  const lines = readLines(path, from);
  let intact = from;
  for await (const line of lines) {
    const entry = parseEntry(line);
    if (!entry) throw new JournalDamageError(path, intact, 'an entry is cut off or damaged');
    const { bytes, start } = line;
    const placed: PlacedEntry = { entry, line: bytes, lines: [], start, end: start + bytes.length };
    if (entry.entry === 'page') {
      if (!(await readRecords(lines, entry, placed))) {
        throw new JournalDamageError(
          path,
          intact,
          `the records of page ${entry.page} are cut off or damaged`,
        );
      }
    }
    intact = placed.end;
    yield placed;
  }
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

/** Reads a page's records into `placed`; false when they are not what was written. */
async function readRecords(
  lines: AsyncGenerator<Line, void, void>,
  page: PageEntry,
  placed: PlacedEntry,
): Promise<boolean> {
  const hash = createHash('sha256');
  while (placed.lines.length < page.records) {
    const { done, value } = await lines.next();
    if (done) return false;
    hash.update(value.bytes);
    placed.lines.push(value.bytes);
    placed.end += value.bytes.length;
  }
  return hash.digest('hex') === page.sha256;
}
