import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangesHeader, KINDS, type Kind, type Language } from '@archiefkast/types';
import { inBatches } from '../batches.ts';
import type { Caches } from '../cache.ts';
import { type ChangedUuids, countChanges, differenceBetween } from '../storage/compare-editions.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, findNamedEdition, nameEdition } from '../storage/edition.ts';
import { MissingTextError, type TextQueries } from '../storage/texts.ts';
import { encodeChunks } from './chunks.ts';
import { fileMadeBy, PART_RECORDS, type VirtualFile } from './dumps.ts';
import type { EditionReader, RecordForm } from './edition-reader.ts';

/** Memory of a UUID, in bytes. */
const UUID_BYTES = 60;

/** Changes between kept editions. */
export type ChangeLog = ReturnType<typeof createChangeLog>;

/** Compares editions, and caches the results. */
export function createChangeLog(database: Database, caches: Caches) {
  const comparisons = caches.open<ChangedUuids>(
    'changes',
    (changes) => countChanges(changes).total * UUID_BYTES,
  );
  return {
    /** Changes since the edition `since`; undefined if it is not kept or was never served. */
    async since(since: number, edition: Edition) {
      const before = since === edition.id ? edition : await findNamedEdition(database, since);
      if (!before) return undefined;
      const compare = async () => (await differenceBetween(database, before, edition)).changes;
      return { before, changes: await comparisons.fetch(`${before.key} ${edition.key}`, compare) };
    },
  };
}

/** Removed records written without yielding to the event loop. */
const PART_TOMBSTONES = 1_000;

/** Changes between two editions. */
export interface ChangesBetween {
  before: Edition;
  edition: Edition;
  changes: ChangedUuids;
}

/**
 * The changes between two editions as JSON Lines: a header with both editions and the counts; then, for each kind, the
 * UUIDs of removed records, and the added and changed records in full.
 */
export function changedRecordsFile(
  { reader, queries }: { reader: EditionReader; queries: TextQueries },
  { before, edition, changes }: ChangesBetween,
  language: Language,
  form: RecordForm,
): VirtualFile {
  return fileMadeBy(async function* () {
    const { added, changed, removed } = countChanges(changes);
    const editions = { since: nameEdition(before), edition: nameEdition(edition), language };
    const header: ChangesHeader = { ...editions, added, changed, removed };
    yield Buffer.from(`${JSON.stringify(header)}\n`);
    for (const kind of KINDS) {
      for (const uuids of inBatches(changes[kind].removed, PART_TOMBSTONES)) {
        await nextTurn();
        yield Buffer.from(
          uuids.map((uuid) => `${JSON.stringify({ kind, change: 'removed', uuid })}\n`).join(''),
        );
      }
      for (const change of ['added', 'changed'] as const) {
        for (const uuids of inBatches(changes[kind][change], PART_RECORDS[kind])) {
          await nextTurn();
          yield* await writeRecords(kind, change, uuids);
        }
      }
    }
  });

  async function writeRecords(
    kind: Kind,
    change: 'added' | 'changed',
    uuids: readonly string[],
  ): Promise<Iterable<Buffer>> {
    const found = await queries.listRecords(edition.id, kind, 'uuid', uuids);
    const positions = new Map(found.map(({ uuid, position }) => [uuid, position]));
    const keys = uuids.map((uuid) => {
      const position = positions.get(uuid);
      if (position === undefined) throw new MissingTextError(edition.id, `the ${kind} ${uuid}`);
      return { kind, position };
    });
    const records = await reader.read(edition, language, keys, form);
    return encodeChunks(
      records.flatMap((record, index) => {
        const start = JSON.stringify({ kind, change, uuid: uuids[index] }).slice(0, -1);
        return [`${start},"record":`, ...record, '}\n'];
      }),
    );
  }
}
