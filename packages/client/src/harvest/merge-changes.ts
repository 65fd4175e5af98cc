import { type FileHandle, open } from 'node:fs/promises';
import type { Kind } from '@archiefkast/types';
import { ChangesError } from './changes-error.ts';
import type { PlacedChange } from './fetch-changes.ts';
import { journalPath } from './folder.ts';
import { readJournal } from './read-journal.ts';
import type { ReadRecord } from './store-pages.ts';

/** Where a record stands in the file of a feed. */
interface Place {
  id: number;
  start: number;
  length: number;
}

/** What happened to the records of a kind, by their uuids. */
export interface KindChanges {
  added: Map<string, Place>;
  changed: Map<string, Place>;
  removed: Set<string>;
}

/** Sorts the changes of a feed by kind; only where they stand is kept. @throws ChangesError when a record comes twice */
export async function indexChanges(
  changes: AsyncIterable<PlacedChange>,
): Promise<(kind: Kind) => KindChanges> {
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
      throw new ChangesError(`it tells of the ${change.kind} ${uuid} twice`);
    if (change.change === 'removed') removed.add(uuid);
    else if (change.record.uuid.toLowerCase() !== uuid)
      throw new ChangesError(`it gives the ${change.kind} ${change.record.uuid} for ${uuid}`);
    else (change.change === 'added' ? added : changed).set(uuid, { id: change.record.id, start, length });
  }
  return changesOf;
}

/** New records that are in memory at a time. */
const BATCH_RECORDS = 100;

/** What is put together. */
export interface Merging {
  kind: Kind;
  /** The journals of the earlier harvest. */
  heldFolder: string;
  changes: KindChanges;
  /** The file of the feed. */
  path: string;
}

/**
 * Puts changes into the records that an earlier harvest holds: gives all records that there are now, by id.
 *
 * @throws ChangesError when the changes do not go with the records
 */
export async function* mergeChanges({
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
      if (added.has(uuid)) throw new ChangesError(`it adds the ${kind} ${uuid}, which was there`);
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
    throw new ChangesError(`it ${does} the ${kind} ${uuid}, which was not there`);
  }
}

async function readRecord(feed: FileHandle, { start, length }: Place): Promise<ReadRecord> {
  const { buffer } = await feed.read(Buffer.alloc(length), 0, length, start);
  const { record } = JSON.parse(buffer.toString());
  return { record, line: Buffer.from(`${JSON.stringify(record)}\n`) };
}
