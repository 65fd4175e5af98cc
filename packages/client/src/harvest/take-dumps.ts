import { hash } from 'node:crypto';
import {
  type ArchiveRecord,
  KINDS,
  type Kind,
  type Manifest,
  PAGE_SIZE,
  recordSchemas,
} from '@archive/types';
import { fillOptions } from '../client-options.ts';
import { dumpOf } from '../dumps/manifest.ts';
import { readDump } from '../dumps/read-dump.ts';
import { FolderError } from '../errors/folder-error.ts';
import { StatusError, WrongAnswerError } from '../errors/request-errors.ts';
import { assertMatches, MismatchError } from '../request/assert-matches.ts';
import { createFetchWithin } from '../request/fetch-within.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import { inOnePiece } from './in-one-piece.ts';
import type { Journal, WalkState } from './journal.ts';
import { withEdition } from './pin-edition.ts';
import type { RunningHarvest } from './running-harvest.ts';
import type { WalkFile } from './walk-file.ts';

/**
 * Takes the dumps of some kinds into journals, in pages like those of a walk. The first failure stops them all.
 *
 * @throws FolderError when the server offers no dumps; StatusError with 410 when it no longer offers the edition's
 */
export async function takeDumps(running: RunningHarvest, { edition }: WalkFile): Promise<void> {
  const served = await running.client.manifest(edition ?? undefined);
  if (!served) throw noDumps(running, edition);
  const failed = new AbortController();
  const given = running.options.signal;
  const signal = given ? AbortSignal.any([given, failed.signal]) : failed.signal;
  const all = [...running.journals].map(([kind, journal]) =>
    takeDump(running, kind, journal, served.manifest, signal),
  );
  for (const one of all) one.catch((error) => failed.abort(error));
  await Promise.allSettled(all);
  signal.throwIfAborted();
}

function noDumps({ client }: RunningHarvest, edition: string | null): Error {
  if (edition !== null)
    return new StatusError(client.baseUrl, 410, { detail: `edition ${edition} is no longer kept` });
  return new FolderError(`${client.baseUrl} offers no dumps; harvest its pages, without --from dumps`);
}

/** Takes the dump of one kind, after the pages that the journal holds of it. */
async function takeDump(
  { options, client, onEvent, efforts }: RunningHarvest,
  kind: Kind,
  journal: Journal,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<void> {
  const filled = fillOptions(options);
  const dump = dumpOf(manifest, kind);
  const dumpUrl = dump && repairedUrl(dump.url, client.baseUrl);
  if (!dump || !dumpUrl) {
    throw new WrongAnswerError(client.baseUrl, `expected a dump of the ${kind} records at the same host`, '');
  }
  const edition = String(manifest.edition.id);
  const url = withEdition(dumpUrl, edition);
  const walk = {
    entry: 'walk',
    kind,
    started_at: new Date().toISOString(),
    reason: '',
    tolerant: false,
  } as const;
  const state = journal.state ?? (await journal.begin(walk));
  if (state.end) return;
  if (state.lastPage) {
    onEvent({ type: 'resume', kind, pages: state.lastPage.page, records: state.watch.rows() });
  }
  const total = KINDS.reduce((sum, each) => sum + (dumpOf(manifest, each)?.records ?? 0), 0);
  const effort = efforts.get(kind) ?? { retries: 0, waitedMs: 0 };

  const store = async (lines: readonly Uint8Array[], isLast: boolean) => {
    const records = lines.map((line) => parseLine(url, kind, line, filled.lenient));
    const bytes = inOnePiece(lines);
    const page = (state.lastPage?.page ?? 0) + 1;
    const next = isLast ? null : url;
    const uuids = records.map(({ uuid }) => uuid.toLowerCase());
    const moved = state.watch.see({ url, next, count: dump.records, total, edition, uuids });
    if (moved.length > 0) throw new WrongAnswerError(url, moved.join('; '), '');
    await journal.addPage(
      {
        entry: 'page',
        kind,
        page,
        url,
        retrieved_at: new Date().toISOString(),
        sha256: hash('sha256', bytes, 'hex'),
        count: dump.records,
        total,
        next,
        edition,
        retries: effort.retries,
        waited_ms: effort.waitedMs,
        records: lines.length,
      },
      bytes,
      records,
    );
    onEvent({ type: 'page', kind, page, records: state.watch.rows(), count: dump.records });
  };

  let waiting: Uint8Array[] = [];
  const from = state.recordBytes;
  const fetchWithin = createFetchWithin(filled.headers);
  for await (const lines of readDump({
    ...filled,
    fetchWithin,
    url,
    from,
    bytes: dump.bytes,
    signal,
    onNotice: onEvent,
  })) {
    waiting.push(...lines);
    let at = 0;
    // The last page is known to be the last by its end.
    for (; waiting.length - at > PAGE_SIZE; at += PAGE_SIZE)
      await store(waiting.slice(at, at + PAGE_SIZE), false);
    waiting = waiting.slice(at);
  }
  if (waiting.length > 0 || !state.lastPage) await store(waiting, true);
  await finish(journal, state, kind, url);
  onEvent({ type: 'end', kind, pages: state.lastPage?.page ?? 0, records: state.watch.rows() });
}

async function finish(journal: Journal, state: WalkState, kind: Kind, url: string): Promise<void> {
  const moved = state.watch.finish();
  if (moved.length > 0) throw new WrongAnswerError(url, moved.join('; '), '');
  await journal.end({ entry: 'end', kind, finished_at: new Date().toISOString(), moved });
}

function parseLine(url: string, kind: Kind, line: Uint8Array, lenient: boolean): ArchiveRecord {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
  try {
    const record: unknown = JSON.parse(text);
    assertMatches<ArchiveRecord>(recordSchemas[kind], record, lenient);
    return record;
  } catch (error) {
    if (!(error instanceof MismatchError || error instanceof SyntaxError)) throw error;
    throw new WrongAnswerError(url, `expected a ${kind} on each line, but ${error.message}`, text, {
      cause: error,
    });
  }
}
