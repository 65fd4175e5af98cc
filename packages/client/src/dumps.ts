import type {
  ChangedRecord,
  ChangesHeader,
  DumpBlocks,
  Kind,
  Language,
  Manifest,
  RecordOfKind,
} from '@archiefkast/types';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { addressOf, type FilledOptions, withEdition } from './client-options.ts';
import { type RequestError, responseError, StatusError, sizeError } from './errors.ts';
import type { ClientParts, SearchOptions } from './listing.ts';
import { checkOf, createDecoder, parseAnswer } from './request/check-answer.ts';
import { linesFrom, readDump, readLinesOf } from './request/lines.ts';

/** A manifest, and its text as received. */
export interface ServedManifest {
  manifest: Manifest;
  text: string;
}

/**
 * Requests the manifest of an edition, or of the client's.
 *
 * @returns undefined if the server offers none
 * @throws RequestError
 */
export async function readManifest(
  { request, schemas, signal, ...parts }: ClientParts,
  edition: string | undefined,
): Promise<ServedManifest | undefined> {
  const url = addressOf(parts, 'dump/manifest.json', edition === undefined ? {} : { edition });
  const check = checkOf(schemas, 'Manifest');
  try {
    const expected = 'a manifest of dumps';
    const { body, text } = await request<Manifest>({ url, check, expected, signal, lenient: true });
    return { manifest: body, text };
  } catch (error) {
    if (error instanceof StatusError && error.status < 500) return undefined;
    throw error;
  }
}

/** A dump in JSON Lines as a manifest describes it. */
export interface OfferedDump {
  url: string;
  records: number;
  bytes: number;
  /** Hashes of its records. */
  blocks: DumpBlocks;
}

/** The dump of a kind as JSON lines; undefined if the manifest does not have it with the hashes of its records. */
export function dumpOf({ dumps = [] }: Manifest, kind: Kind): OfferedDump | undefined {
  const name = `${COLLECTIONS[kind]}.jsonl`;
  const { url, records, bytes, blocks } = dumps.find((each) => each.name === name) ?? {};
  if (url === undefined || records === undefined || bytes === undefined || !blocks) return undefined;
  return { url, records, bytes, blocks };
}

/** The dump of what records cannot say; undefined if the manifest has none. */
export function supplementOf({ dumps = [] }: Manifest) {
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
  parts: ClientParts,
  kind: K,
  { query: q, sort }: FileFilter,
): AsyncGenerator<RecordOfKind[K], void, void> {
  const check = checkOf(parts.schemas, kind);
  const hits = addressOf(parts, `dump/${COLLECTIONS[kind]}.jsonl`, { q, sort });
  const { url, lines } =
    q || sort
      ? { url: hits, lines: linesFrom({ ...parts, url: hits, from: 0 }) }
      : await linesOfDump(parts, kind);
  const decode = createDecoder(url);
  for await (const some of lines) {
    for (const line of some) yield parseAnswer(url, decode(line), check, `a ${kind}`, parts.lenient);
  }
}

async function linesOfDump(parts: ClientParts, kind: Kind) {
  const offered = await readManifest(parts, undefined);
  const file = offered && dumpOf(offered.manifest, kind);
  if (!file) {
    const manifest = addressOf(parts, 'dump/manifest.json');
    throw responseError(manifest, `expected a dump of every ${kind}`, offered?.text);
  }
  const url = withEdition(file.url, String(offered.manifest.edition.id));
  return { url, lines: readDump({ ...parts, url, from: 0, bytes: file.bytes }) };
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
  options: FilledOptions,
  url: string,
  asked?: AskedChanges,
): AsyncGenerator<ChangedRecord, void, void> {
  const { schemas, lenient } = options;
  const checkHeader = checkOf(schemas, 'ChangesHeader');
  const checkRecord = checkOf(schemas, 'ChangedRecord');
  const recordBytes = asked?.bytes ?? Number.POSITIVE_INFINITY;
  let promised: number | undefined;
  let records = 0;
  let bytes = 0;
  const shortfall = (): RequestError | undefined =>
    records === promised
      ? undefined
      : responseError(url, `expected ${promised ?? 'some'} changed records, not ${records}`);
  const decode = createDecoder(url);
  const maxBytes = Math.min(options.maxBytes, recordBytes + LINE_BYTES);
  for await (const lines of readLinesOf({ ...options, url, maxBytes, from: 0 }, shortfall)) {
    for (const line of lines) {
      const text = decode(line);
      bytes += line.length;
      if (promised === undefined) {
        const header: ChangesHeader = parseAnswer(url, text, checkHeader, 'the changes', true);
        const difference = asked && differenceFrom(asked, header, options.language);
        if (difference) throw responseError(url, `expected ${difference}`, text);
        promised = header.added + header.changed + header.removed;
        continue;
      }
      records += 1;
      if (records > promised) throw shortfall();
      const mostBytes = recordBytes + LINE_BYTES * (1 + promised);
      if (bytes > mostBytes) throw sizeError(url, mostBytes);
      yield parseAnswer(url, text, checkRecord, 'a changed record', lenient);
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
