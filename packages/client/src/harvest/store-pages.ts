import { hash } from 'node:crypto';
import type { Manifest } from '@archiefkast/types';
import { KINDS, type Kind, PAGE_SIZE } from '@archiefkast/types/kinds';
import { dumpOf } from '../dumps/manifest.ts';
import { WrongAnswerError } from '../errors/request-errors.ts';
import { inOnePiece } from './in-one-piece.ts';
import type { Journal } from './journal.ts';
import type { RunningHarvest } from './running-harvest.ts';

/** A record, and its line with the line feed. */
export interface ReadRecord {
  record: { readonly uuid: string };
  line: Uint8Array;
}

/** A source of a kind's records other than pages. */
export interface RecordStream {
  kind: Kind;
  /** Address of the source. */
  url: string;
  /** Manifest of the edition. */
  manifest: Manifest;
  /** Reads the records in order, after a number of stored records and bytes. */
  read(stored: { records: number; bytes: number }): AsyncIterable<readonly ReadRecord[]>;
}

/**
 * Stores the records of a kind in pages like those of a walk, after those in the journal.
 *
 * @throws WrongAnswerError if their number differs from the manifest, or a record is repeated
 */
export async function storePages(
  { onEvent, efforts }: RunningHarvest,
  journal: Journal,
  { kind, url, manifest, read }: RecordStream,
): Promise<void> {
  const state = journal.state ?? (await journal.begin(kind, '', false));
  if (state.end) return;
  if (state.lastPage) {
    onEvent({ type: 'resume', kind, pages: state.lastPage.page, records: state.watch.rows() });
  }
  const edition = String(manifest.edition.id);
  const count = dumpOf(manifest, kind)?.records ?? 0;
  const total = KINDS.reduce((sum, each) => sum + (dumpOf(manifest, each)?.records ?? 0), 0);
  const effort = efforts.get(kind) ?? { retries: 0, waitedMs: 0 };

  const store = async (some: readonly ReadRecord[], isLast: boolean) => {
    const block = inOnePiece(some.map(({ line }) => line));
    const page = (state.lastPage?.page ?? 0) + 1;
    const next = isLast ? null : url;
    const uuids = some.map(({ record }) => record.uuid.toLowerCase());
    refuse(url, state.watch.see({ url, next, count, total, edition, uuids }));
    await journal.addPage(
      {
        entry: 'page',
        kind,
        page,
        url,
        retrieved_at: new Date().toISOString(),
        sha256: hash('sha256', block, 'hex'),
        count,
        total,
        next,
        edition,
        retries: effort.retries,
        waited_ms: effort.waitedMs,
        records: some.length,
      },
      block,
      some.map(({ record }) => record),
    );
    onEvent({ type: 'page', kind, page, records: state.watch.rows(), count });
  };

  let waiting: ReadRecord[] = [];
  for await (const some of read({ records: state.watch.rows(), bytes: state.recordBytes })) {
    waiting.push(...some);
    let at = 0;
    // Only the end of the source shows which page is the last.
    for (; waiting.length - at > PAGE_SIZE; at += PAGE_SIZE)
      await store(waiting.slice(at, at + PAGE_SIZE), false);
    waiting = waiting.slice(at);
  }
  if (waiting.length > 0 || !state.lastPage) await store(waiting, true);
  refuse(url, state.watch.finish());
  await journal.end({ entry: 'end', kind, finished_at: new Date().toISOString(), moved: [] });
  onEvent({ type: 'end', kind, pages: state.lastPage?.page ?? 0, records: state.watch.rows() });
}

function refuse(url: string, moved: readonly string[]): void {
  if (moved.length > 0) throw new WrongAnswerError(url, moved.join('; '), '');
}
