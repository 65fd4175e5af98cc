import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangesHeader, KINDS, type Kind, type Language } from '@archiefkast/types';
import type { Edition } from '../storage/edition.ts';
import { nameEdition } from '../storage/edition.ts';
import { MissingTextError } from '../storage/stored-texts.ts';
import { fileMadeBy, type VirtualFile } from '../virtual-file.ts';
import type { RecordReader } from './assemble.ts';
import type { Changes } from './changes.ts';
import { PART_RECORDS } from './dumps/dump-parts.ts';
import { encodeChunks } from './encode-chunks.ts';
import type { TextQueries } from './texts.ts';

/** Tombstones written without a pause. */
const PART_TOMBSTONES = 1_000;

/** What happened between two editions. */
export interface ChangesBetween {
  before: Edition;
  edition: Edition;
  changes: Changes;
}

/**
 * What happened between two editions, as lines of JSON: what they are and how many records follow; then, kind by kind,
 * the removed records by their uuids, and those added and changed in full.
 */
export function changedRecordsFile(
  { reader, queries }: { reader: RecordReader; queries: TextQueries },
  { before, edition, changes }: ChangesBetween,
  language: Language,
): VirtualFile {
  return fileMadeBy(async function* () {
    yield Buffer.from(`${JSON.stringify(headerOf())}\n`);
    for (const kind of KINDS) {
      for (const uuids of inParts(changes[kind].removed, PART_TOMBSTONES)) {
        await nextTurn();
        yield Buffer.from(
          uuids.map((uuid) => `${JSON.stringify({ kind, change: 'removed', uuid })}\n`).join(''),
        );
      }
      for (const change of ['added', 'changed'] as const) {
        for (const uuids of inParts(changes[kind][change], PART_RECORDS[kind])) {
          await nextTurn();
          yield* await writeRecords(kind, change, uuids);
        }
      }
    }
  });

  function headerOf(): ChangesHeader {
    const count = (what: keyof Changes[Kind]) =>
      KINDS.reduce((sum, kind) => sum + changes[kind][what].length, 0);
    return {
      since: nameEdition(before),
      edition: nameEdition(edition),
      language,
      added: count('added'),
      changed: count('changed'),
      removed: count('removed'),
    };
  }

  async function writeRecords(
    kind: Kind,
    change: 'added' | 'changed',
    uuids: readonly string[],
  ): Promise<Buffer[]> {
    const positions = await queries.findPositions(edition.id, kind, uuids);
    const places = uuids.map((uuid) => {
      const position = positions.get(uuid);
      if (position === undefined) throw new MissingTextError(edition.id, `the ${kind} ${uuid}`);
      return { kind, position };
    });
    const records = await reader.read(edition, language, places);
    return encodeChunks(
      records.flatMap((record, index) => {
        const start = JSON.stringify({ kind, change, uuid: uuids[index] }).slice(0, -1);
        return [`${start},"record":`, ...record, '}\n'];
      }),
    );
  }
}

function inParts<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, part) =>
    values.slice(part * size, (part + 1) * size),
  );
}
