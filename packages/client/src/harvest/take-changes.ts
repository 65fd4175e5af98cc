import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS, type Kind, type Manifest } from '@archiefkast/types';
import { fillOptions } from '../client-options.ts';
import { addressOf } from '../client-parts.ts';
import { dumpOf } from '../dumps/manifest.ts';
import { OptionError } from '../errors/option-error.ts';
import { StatusError, TooLargeError, WrongAnswerError } from '../errors/request-errors.ts';
import { ChangesError } from './changes-error.ts';
import { type ChangesBounds, type ChangesQuestion, fetchChanges, readChanges } from './fetch-changes.ts';
import { journalPath } from './folder.ts';
import { indexChanges, mergeChanges } from './merge-changes.ts';
import { readJournal } from './read-journal.ts';
import type { RunningHarvest } from './running-harvest.ts';
import { forAllKinds, type ReadRecord, storePages } from './store-pages.ts';
import type { WalkFile } from './walk-file.ts';

/** The feed, until it has been put into the journals. */
const FEED_FILE = 'changes.jsonl';

/** The edition that changes lead to; undefined where none can be proven to come out. */
export async function findChangedEdition(
  { client, options }: Pick<RunningHarvest, 'client' | 'options'>,
  kinds: readonly Kind[],
): Promise<string | undefined> {
  const { since, heldFolder } = options;
  if (since === undefined || heldFolder === undefined)
    throw new OptionError('from: expected since and heldFolder with changes');
  const served = await client.manifest();
  if (!served || !kinds.every((kind) => dumpOf(served.manifest, kind))) return undefined;
  return String(served.manifest.edition.id);
}

/**
 * Puts what has changed since an earlier harvest into its records. What comes out is compared with the hashes that the
 * archive publishes.
 *
 * @throws ChangesError when there is no such feed, or it does not give what the archive published
 */
export async function takeChanges(running: RunningHarvest, walkFile: WalkFile): Promise<void> {
  try {
    await putChanges(running, walkFile);
  } catch (error) {
    const isRefusal = error instanceof StatusError && error.status < 500;
    const isWrong = error instanceof WrongAnswerError || error instanceof TooLargeError;
    if (!isRefusal && !isWrong && !(error instanceof ChangesError)) throw error;
    await rm(join(running.options.journalFolder, FEED_FILE), { force: true });
    throw error instanceof ChangesError ? error : new ChangesError(error.message, { cause: error });
  }
}

async function putChanges(running: RunningHarvest, walkFile: WalkFile): Promise<void> {
  const { client, journals, onEvent } = running;
  const { heldFolder = '', journalFolder, signal = new AbortController().signal } = running.options;
  const { since = '', edition } = walkFile;
  if ([...journals.values()].every(({ state }) => state?.end)) return;
  const served = await client.manifest(edition ?? undefined);
  if (!served || edition === null) throw new ChangesError(`edition ${edition} is no longer served`);
  const options = { ...fillOptions(running.options), onNotice: onEvent };
  const question: ChangesQuestion = {
    url: addressOf({ ...options, edition: Number(edition) }, 'changes.jsonl', { since }),
    path: join(journalFolder, FEED_FILE),
    since,
    edition,
    most: await boundsOf(served.manifest, heldFolder, journals.keys()),
    options,
    signal,
  };
  const { added, changed, removed } = await fetchChanges(question);
  onEvent({ type: 'changes', since, edition, records: added + changed + removed });
  const changesOf = await indexChanges(readChanges(question));
  await forAllKinds(running, async (kind, journal) => {
    const merging = { kind, heldFolder, changes: changesOf(kind), path: question.path };
    await storePages(running, journal, {
      kind,
      url: question.url,
      manifest: served.manifest,
      read: ({ records }) => after(records, proven(served.manifest, kind, mergeChanges(merging))),
    });
  });
  await rm(question.path);
}

/** What can have changed at most: the archive has no more records and bytes than it says, and lost no more than it had. */
async function boundsOf(
  { files }: Manifest,
  heldFolder: string,
  kinds: Iterable<Kind>,
): Promise<ChangesBounds> {
  const dumps = KINDS.flatMap((kind) => dumpOf({ files }, kind) ?? []);
  let removed = 0;
  for (const kind of kinds) {
    for await (const { entry } of readJournal(journalPath(heldFolder, kind))) {
      if (entry.entry !== 'page') continue;
      removed = Math.max(removed, entry.total);
      break;
    }
  }
  return {
    records: dumps.reduce((sum, { records }) => sum + records, 0),
    removed,
    bytes: dumps.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The records, and at their end whether they are those that the archive published. */
async function* proven(
  manifest: Manifest,
  kind: Kind,
  records: AsyncIterable<readonly ReadRecord[]>,
): AsyncGenerator<readonly ReadRecord[]> {
  const hash = createHash('sha256');
  for await (const some of records) {
    for (const { line } of some) hash.update(line);
    yield some;
  }
  if (hash.digest('hex') !== dumpOf(manifest, kind)?.sha256) {
    throw new ChangesError(
      `the ${kind} records that come out are not those that the archive published as edition ${manifest.edition.id}`,
    );
  }
}

/** All records but so many of the first. */
async function* after(
  count: number,
  records: AsyncIterable<readonly ReadRecord[]>,
): AsyncGenerator<readonly ReadRecord[]> {
  let left = count;
  for await (const some of records) {
    yield some.slice(left);
    left -= Math.min(left, some.length);
  }
}
