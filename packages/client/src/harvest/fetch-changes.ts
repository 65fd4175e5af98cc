import { open, truncate } from 'node:fs/promises';
import { isMissing, readLines, WriteError } from '@archiefkast/system';
import type { ChangedRecord, ChangesHeader } from '@archiefkast/types';
import type { FilledOptions } from '../client-options.ts';
import { readLinesOf } from '../dumps/read-dump.ts';
import { type RequestError, TooLargeError, WrongAnswerError } from '../errors/request-errors.ts';
import { createFetchWithin } from '../request/fetch-within.ts';
import { parseAnswer } from '../request/parse-answer.ts';
import { schemaOf, shapeOf } from '../shape/shapes.ts';

const changesHeaderSchema = schemaOf<ChangesHeader>(shapeOf('ChangesHeader'));
const changedRecordSchema = schemaOf<ChangedRecord>(shapeOf('ChangedRecord'));

/** Maximum size of a feed: a larger one is rejected before it fills the disk. */
export interface ChangesBounds {
  /** Records added or changed. */
  records: number;
  /** Records removed. */
  removed: number;
  /** Bytes of the records. */
  bytes: number;
}

/** Maximum bytes of a line besides its record, and of the first line. */
const LINE_BYTES = 1_000;

/** The feed of changes to fetch. */
export interface ChangesQuestion {
  url: string;
  /** File that stores the feed until it is used. */
  path: string;
  since: string;
  edition: string;
  most: ChangesBounds;
  options: FilledOptions;
  signal: AbortSignal;
}

/** A line of the feed, with its offset in the file. */
export interface PlacedChange {
  change: ChangedRecord;
  start: number;
  length: number;
}

/**
 * Fetches a feed of changes into a file; resumes after the lines that the file already contains.
 *
 * @returns its first line
 * @throws RequestError; WrongAnswerError if it is not the requested feed, or its number of lines differs from its first line;
 *   TooLargeError if it has more bytes than its records can have
 */
export async function fetchChanges(question: ChangesQuestion): Promise<ChangesHeader> {
  const { path, url, most, options, signal } = question;
  const stored = await storedLines(path);
  let header = stored.first === undefined ? undefined : parseHeader(question, stored.first);
  let records = Math.max(0, stored.lines - 1);
  let { bytes } = stored;
  const mostBytes = () => most.bytes + LINE_BYTES * (1 + (header ? promisedBy(header) : 0));
  const shortfall = (): RequestError | undefined => {
    const promised = header && promisedBy(header);
    if (records === promised) return undefined;
    return new WrongAnswerError(url, `expected ${promised ?? 'some'} changed records, not ${records}`, '');
  };
  await using file = await open(path, 'a');
  const fetchWithin = createFetchWithin(options.headers);
  for await (const lines of readLinesOf({
    ...options,
    maxBytes: Math.min(options.maxBytes, most.bytes + LINE_BYTES),
    fetchWithin,
    url,
    from: stored.bytes,
    shortfall,
    signal,
  })) {
    const [first] = lines;
    if (!header && first) {
      header = parseHeader(question, Buffer.from(first).toString());
      records -= 1;
    }
    records += lines.length;
    bytes += lines.reduce((sum, { length }) => sum + length, 0);
    if (header && records > promisedBy(header)) throw shortfall();
    if (bytes > mostBytes()) throw new TooLargeError(url, mostBytes());
    await file.appendFile(Buffer.concat(lines)).catch((error) => {
      throw new WriteError(path, error);
    });
  }
  if (!header) throw shortfall();
  return header;
}

function promisedBy({ added, changed, removed }: ChangesHeader): number {
  return added + changed + removed;
}

/** Reads the lines of a partly fetched feed; a truncated last line is removed. */
async function storedLines(path: string): Promise<{ first?: string; lines: number; bytes: number }> {
  const stored: { first?: string; lines: number; bytes: number } = { lines: 0, bytes: 0 };
  try {
    for await (const { bytes } of readLines(path)) {
      if (bytes.at(-1) !== 0x0a) break;
      stored.first ??= bytes.toString();
      stored.lines += 1;
      stored.bytes += bytes.length;
    }
    await truncate(path, stored.bytes);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return stored;
}

function parseHeader({ url, since, edition, most, options }: ChangesQuestion, text: string): ChangesHeader {
  const header = parseAnswer(url, text, changesHeaderSchema, 'the changes', true);
  const asked = `${since} to ${edition} in ${options.language}`;
  const given = `${header.since.id} to ${header.edition.id} in ${header.language}`;
  if (asked !== given)
    throw new WrongAnswerError(url, `expected the changes from ${asked}, not ${given}`, text);
  const { added, changed, removed } = header;
  if (added + changed > most.records || removed > most.removed) {
    const expected = `at most ${most.records} records added or changed and ${most.removed} removed`;
    throw new WrongAnswerError(url, `expected ${expected}, not ${added + changed} and ${removed}`, text);
  }
  return header;
}

/** Reads the changes in a file. @throws WrongAnswerError if a line is invalid */
export async function* readChanges({
  path,
  url,
  options,
}: ChangesQuestion): AsyncGenerator<PlacedChange, void, void> {
  let isHeader = true;
  for await (const { bytes, start } of readLines(path)) {
    if (!isHeader) {
      const text = bytes.toString();
      const change = parseAnswer(url, text, changedRecordSchema, 'a changed record', options.lenient);
      yield { change, start, length: bytes.length };
    }
    isHeader = false;
  }
}
