import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS, type Kind, type Manifest } from '@archiefkast/types';
import { fillOptions } from '../client-options.ts';
import { addressOf } from '../client-parts.ts';
import { DumpHasher } from '../dumps/dump-hasher.ts';
import { dumpOf } from '../dumps/manifest.ts';
import { ArchiveError, OptionError } from '../errors/archive-errors.ts';
import { StatusError, TooLargeError, WrongAnswerError } from '../errors/request-errors.ts';
import {
  type ChangesBounds,
  type ChangesQuestion,
  fetchChanges,
  type PlacedChange,
  readChanges,
} from './fetch-changes.ts';
import { journalPath } from './folder.ts';
import { readJournal } from './read-journal.ts';
import { forAllKinds, type RunningHarvest } from './running-harvest.ts';
import { type ReadRecord, storePages } from './store-pages.ts';
import type { WalkFile } from './walk-file.ts';

/** File name of the feed, until its records are in the journals. */
const FEED_FILE = 'changes.jsonl';

/** The feed of changes is missing, or does not match what the archive published. */
export class ChangesError extends ArchiveError {
  override name = 'ChangesError';
}

/** The edition that the changes lead to; undefined if it cannot be verified. */
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
 * Merges the changes since an earlier harvest into its records. The result is compared with the hashes of the manifest.
 *
 * @throws ChangesError if the feed is missing, or the result differs from the manifest
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

/** Maximum size of the changes: the records and bytes of the manifest, and the removal of all old records. */
async function boundsOf(
  manifest: Manifest,
  heldFolder: string,
  kinds: Iterable<Kind>,
): Promise<ChangesBounds> {
  const dumps = KINDS.flatMap((kind) => dumpOf(manifest, kind) ?? []);
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

/** Yields records, and checks at the end that they match the manifest. */
async function* proven(
  manifest: Manifest,
  kind: Kind,
  records: AsyncIterable<readonly ReadRecord[]>,
): AsyncGenerator<readonly ReadRecord[]> {
  const dump = dumpOf(manifest, kind);
  const content = new DumpHasher();
  for await (const some of records) {
    for (const { record, line } of some) content.add([record], line);
    yield some;
  }
  const [different = 'the number of records'] = dump ? content.differences(dump) : [];
  if (dump && content.differences(dump).length === 0) return;
  throw new ChangesError(
    `the resulting ${kind} records differ from those that the archive published as edition ${manifest.edition.id}: ${different}`,
  );
}

/** Skips a number of records. */
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

/** Offset of a record in the file of the feed. */
interface Place {
  id: number;
  start: number;
  length: number;
}

/** Changes of the records of a kind, by uuid. */
interface KindChanges {
  added: Map<string, Place>;
  changed: Map<string, Place>;
  removed: Set<string>;
}

/** Groups the changes of a feed by kind, as offsets. @throws ChangesError if a record is repeated */
async function indexChanges(changes: AsyncIterable<PlacedChange>): Promise<(kind: Kind) => KindChanges> {
  const kinds = new Map<Kind, KindChanges>();
  const changesOf = (kind: Kind): KindChanges => {
    const known = kinds.get(kind) ?? { added: new Map(), changed: new Map(), removed: new Set() };
    kinds.set(kind, known);
    return known;
  };
  for await (const { change, start, length } of changes) {
    const uuid = change.uuid.toLowerCase();
    const { added, changed, removed } = changesOf(change.kind);
    if (added.has(uuid) || changed.has(uuid) || removed.has(uuid))
      throw new ChangesError(`it has the ${change.kind} ${uuid} twice`);
    if (change.change === 'removed') removed.add(uuid);
    else if (change.record.uuid.toLowerCase() !== uuid)
      throw new ChangesError(`it has the ${change.kind} ${change.record.uuid} under the uuid ${uuid}`);
    else (change.change === 'added' ? added : changed).set(uuid, { id: change.record.id, start, length });
  }
  return changesOf;
}

/** Maximum number of new records in memory. */
const BATCH_RECORDS = 100;

/** Input of `mergeChanges`. */
interface Merging {
  kind: Kind;
  /** Folder of the earlier harvest's journals. */
  heldFolder: string;
  changes: KindChanges;
  /** The file of the feed. */
  path: string;
}

/**
 * Merges changes into the records of an earlier harvest; yields all current records, ordered by id.
 *
 * @throws ChangesError if the changes do not match the records
 */
async function* mergeChanges({
  kind,
  heldFolder,
  changes: { added, changed, removed },
  path,
}: Merging): AsyncGenerator<ReadRecord[], void, void> {
  await using feed = await open(path, 'r');
  const coming = [...added.values(), ...changed.values()].toSorted((a, b) => a.id - b.id);
  const missing = new Set([...changed.keys(), ...removed]);
  let next = 0;
  const comingBefore = async function* (id: number): AsyncGenerator<ReadRecord, void, void> {
    for (let place = coming[next]; place && place.id < id; place = coming[next]) {
      yield await readRecord(feed, place);
      next += 1;
    }
  };
  let merged: ReadRecord[] = [];
  const take = () => {
    const taken = merged;
    merged = [];
    return taken;
  };
  for await (const { lines } of readJournal(journalPath(heldFolder, kind))) {
    for (const line of lines) {
      const record: { id: number; uuid: string } = JSON.parse(line.toString());
      const uuid = record.uuid.toLowerCase();
      if (added.has(uuid)) throw new ChangesError(`it adds the ${kind} ${uuid}, which already exists`);
      if (missing.delete(uuid)) continue;
      for await (const each of comingBefore(record.id)) {
        if (merged.push(each) >= BATCH_RECORDS) yield take();
      }
      merged.push({ record, line });
    }
    yield take();
  }
  for await (const each of comingBefore(Number.POSITIVE_INFINITY)) {
    if (merged.push(each) >= BATCH_RECORDS) yield take();
  }
  yield take();
  const [uuid] = missing;
  if (uuid !== undefined) {
    const does = removed.has(uuid) ? 'removes' : 'changes';
    throw new ChangesError(`it ${does} the ${kind} ${uuid}, which does not exist`);
  }
}

async function readRecord(feed: FileHandle, { start, length }: Place): Promise<ReadRecord> {
  const { buffer } = await feed.read(Buffer.alloc(length), 0, length, start);
  const { record } = JSON.parse(buffer.toString());
  return { record, line: Buffer.from(`${JSON.stringify(record)}\n`) };
}
