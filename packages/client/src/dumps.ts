import type {
  ChangedRecord,
  ChangesHeader,
  Kind,
  Language,
  Manifest,
  RecordOfKind,
} from '@archiefkast/types';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { addressOf, repairedUrl, withParameter } from './client-options.ts';
import { cutError, type RequestError, responseError, StatusError, sizeError } from './errors.ts';
import { type EventForm, type SearchOptions, writtenAs } from './listing.ts';
import { createDecoder, type Expected, parseAnswer } from './request/check-answer.ts';
import type { LineQuestion } from './request/lines.ts';
import type { Connection } from './request/request.ts';

/** A manifest, and its text as received. */
export interface ServedManifest {
  manifest: Manifest;
  text: string;
}

/** Requests the manifest of an edition, or of the client's; undefined if the server offers none. @throws RequestError */
export async function readManifest(
  connection: Connection,
  edition?: string,
): Promise<ServedManifest | undefined> {
  const url = addressOf(connection, 'dump/manifest.json', edition === undefined ? {} : { edition });
  const question = { url, schema: 'Manifest', expected: 'a manifest of dumps', lenient: true } as const;
  try {
    const { body, text } = await connection.request<Manifest>(question);
    return { manifest: body, text };
  } catch (error) {
    if (error instanceof StatusError && error.status < 500) return undefined;
    throw error;
  }
}

/** The dump of a kind as JSON lines; undefined if the manifest does not have it with the hashes of its records. */
export function dumpOf({ dumps }: Manifest, kind: Kind, form: EventForm = 'full') {
  const { events } = writtenAs(form, kind);
  const name = `${COLLECTIONS[kind]}${events ? `-${events}` : ''}.jsonl`;
  const { url, records, bytes, blocks } = dumps.find((each) => each.name === name) ?? {};
  if (url === undefined || records === undefined || bytes === undefined || !blocks) return undefined;
  return { url, records, bytes, blocks };
}

/** The dump of what records cannot say; undefined if the manifest has none. */
export function supplementOf({ dumps }: Manifest) {
  const { url, bytes, sha256 } = dumps.find(({ name }) => name === 'supplement.jsonl') ?? {};
  return url === undefined || bytes === undefined || sha256 === undefined
    ? undefined
    : { url, bytes, sha256 };
}

/** Which records a file has, and in which order. */
export interface FileFilter extends SearchOptions {
  /** Query: only records that match. */
  query?: string | undefined;
}

/** Streams the records of a kind: those that match the filter or, without one, all of them, from the dump of an edition. */
export async function* streamRecords<K extends Kind>(
  connection: Connection,
  kind: K,
  { query: q, sort }: FileFilter,
): AsyncGenerator<RecordOfKind[K], void, void> {
  const hits = { url: addressOf(connection, `dump/${COLLECTIONS[kind]}.jsonl`, { q, sort }) };
  const question = q || sort ? hits : await findDump(connection, kind);
  for await (const batch of readRecords(connection, kind, question))
    for (const { record } of batch) yield record;
}

async function findDump(connection: Connection, kind: Kind): Promise<LineQuestion> {
  const offered = await readManifest(connection);
  const file = offered && dumpOf(offered.manifest, kind);
  if (file) return fileQuestion(connection, offered.manifest, file);
  const manifest = addressOf(connection, 'dump/manifest.json');
  throw responseError(manifest, `expected a dump of every ${kind}`, offered?.text);
}

/** The request for a file of a manifest, from an offset. @throws RequestError if it is at another host */
export function fileQuestion(
  { baseUrl }: Connection,
  { edition }: Manifest,
  file: { url: string; bytes: number },
  from = 0,
) {
  const found = repairedUrl(file.url, baseUrl);
  if (!found) throw responseError(file.url, `expected a file at the host of ${baseUrl}`);
  const url = withParameter(found, 'edition', edition.id);
  return { url, from, shortfall: (end: number) => (end < file.bytes ? cutError(url, end) : undefined) };
}

/** Reads the records of a file of a kind, in batches, each with its line. */
export function readRecords<K extends Kind>(
  connection: Connection,
  kind: K,
  question: LineQuestion,
  form: EventForm = 'full',
) {
  const { schema } = writtenAs(form, kind);
  const expected = { schema, expected: `a ${kind} on each line` };
  return readLines<RecordOfKind[K]>(connection, question, expected);
}

/** Reads lines of JSON, in batches, each with the record on it. */
export async function* readLines<Line>(
  connection: Connection,
  question: LineQuestion,
  expected: Omit<Expected, 'url'>,
): AsyncGenerator<{ line: Uint8Array; record: Line }[], void, void> {
  const { url } = question;
  const decode = createDecoder(url);
  const parse = (line: Uint8Array): Line => parseAnswer(decode(line), { url, ...expected }, connection);
  for await (const lines of connection.lines(question))
    yield lines.map((line) => ({ line, record: parse(line) }));
}

/** What a feed of changes must be, so that a larger one is rejected before it fills the disk. */
export interface AskedChanges {
  since: string;
  edition: string;
  /** Maximum number of records added or changed. */
  records: number;
  /** Maximum number of records removed. */
  removed: number;
  /** Maximum size of the records. */
  bytes: number;
  events: EventForm;
}

/** Maximum bytes of a line of changes besides its record, and of the first line. */
const LINE_BYTES = 1_000;

/**
 * Streams the records of a feed of changes; resumes when the connection breaks.
 *
 * @param asked any feed by default
 * @throws RequestError if the feed is another, their number differs from its first line, or it has more bytes than its
 *   records can have
 */
export async function* readChanges(
  connection: Connection,
  url: string,
  asked?: AskedChanges,
): AsyncGenerator<ChangedRecord, void, void> {
  const ofHeader = { url, schema: 'ChangesHeader', expected: 'the changes', lenient: true } as const;
  const schema = asked?.events === 'abbreviated' ? 'AbbreviatedChange' : 'ChangedRecord';
  const ofRecord = { url, schema, expected: 'a changed record' } as const;
  const recordBytes = asked?.bytes ?? Number.POSITIVE_INFINITY;
  let promised: number | undefined;
  let records = 0;
  let bytes = 0;
  const shortfall = (): RequestError | undefined =>
    records === promised
      ? undefined
      : responseError(url, `expected ${promised ?? 'some'} changed records, not ${records}`);
  const decode = createDecoder(url);
  const maxBytes = Math.min(connection.maxBytes, recordBytes + LINE_BYTES);
  for await (const lines of connection.lines({ url, maxBytes, shortfall })) {
    for (const line of lines) {
      const text = decode(line);
      bytes += line.length;
      if (promised === undefined) {
        const header: ChangesHeader = parseAnswer(text, ofHeader, connection);
        const difference = asked && differenceFrom(asked, header, connection.language);
        if (difference) throw responseError(url, `expected ${difference}`, text);
        promised = header.added + header.changed + header.removed;
        continue;
      }
      records += 1;
      if (records > promised) throw shortfall();
      const mostBytes = recordBytes + LINE_BYTES * (1 + promised);
      if (bytes > mostBytes) throw sizeError(url, mostBytes);
      yield parseAnswer(text, ofRecord, connection);
    }
  }
}

/** How the header of a feed differs from what was asked; undefined if it does not. */
function differenceFrom(asked: AskedChanges, header: ChangesHeader, language: Language): string | undefined {
  const wanted = `${asked.since} to ${asked.edition} in ${language}`;
  const given = `${header.since.id} to ${header.edition.id} in ${header.language}`;
  if (wanted !== given) return `the changes from ${wanted}, not ${given}`;
  const { added, changed, removed } = header;
  if (added + changed <= asked.records && removed <= asked.removed) return undefined;
  const most = `at most ${asked.records} records added or changed and ${asked.removed} removed`;
  return `${most}, not ${added + changed} and ${removed}`;
}
