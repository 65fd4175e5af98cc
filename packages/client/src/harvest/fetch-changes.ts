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

/** What a feed can hold at most: an archive that says otherwise is not believed, and cannot fill a disk. */
export interface ChangesBounds {
  /** Records added or changed. */
  records: number;
  /** Records removed. */
  removed: number;
  /** Bytes of the records. */
  bytes: number;
}

/** What a line of a feed takes beside its record, and the first line, in bytes at most. */
const LINE_BYTES = 1_000;

/** Which feed of changes is fetched, and where to. */
export interface ChangesQuestion {
  url: string;
  /** The file that the feed is kept in until it is used. */
  path: string;
  since: string;
  edition: string;
  most: ChangesBounds;
  options: FilledOptions;
  signal: AbortSignal;
}

/** A line of the feed, and where it stands in its file. */
export interface PlacedChange {
  change: ChangedRecord;
  start: number;
  length: number;
}

/**
 * Fetches a feed of changes into a file, after the lines that the file holds already.
 *
 * @returns its first line
 * @throws RequestError; WrongAnswerError when it is not the feed that was asked for, or has fewer or more lines than it
 *   promises; TooLargeError when it has more bytes than its records can have
 */
export async function fetchChanges(question: ChangesQuestion): Promise<ChangesHeader> {
  const { path, url, most, options, signal } = question;
  const held = await heldLines(path);
  let header = held.first === undefined ? undefined : parseHeader(question, held.first);
  let records = Math.max(0, held.lines - 1);
  let { bytes } = held;
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
    from: held.bytes,
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

/** What a file holds of a feed; an end that was cut off is dropped. */
async function heldLines(path: string): Promise<{ first?: string; lines: number; bytes: number }> {
  const held: { first?: string; lines: number; bytes: number } = { lines: 0, bytes: 0 };
  try {
    for await (const { bytes } of readLines(path)) {
      if (bytes.at(-1) !== 0x0a) break;
      held.first ??= bytes.toString();
      held.lines += 1;
      held.bytes += bytes.length;
    }
    await truncate(path, held.bytes);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return held;
}

function parseHeader({ url, since, edition, most, options }: ChangesQuestion, text: string): ChangesHeader {
  const header = parseAnswer(url, text, changesHeaderSchema, 'what has changed', true);
  const asked = `${since} to ${edition} in ${options.language}`;
  const given = `${header.since.id} to ${header.edition.id} in ${header.language}`;
  if (asked !== given)
    throw new WrongAnswerError(url, `expected what has changed from ${asked}, not ${given}`, text);
  const { added, changed, removed } = header;
  if (added + changed > most.records || removed > most.removed) {
    const expected = `at most ${most.records} records added or changed and ${most.removed} removed`;
    throw new WrongAnswerError(url, `expected ${expected}, not ${added + changed} and ${removed}`, text);
  }
  return header;
}

/** Reads the changes in a file. @throws WrongAnswerError when one is none */
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
