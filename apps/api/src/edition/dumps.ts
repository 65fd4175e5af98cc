import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BLOCK_RECORDS, COLLECTIONS, type DumpBlocks, type Kind, type Language } from '@archiefkast/types';
import type { Caches } from '../cache.ts';
import { type Block, readBlocks as readStoredBlocks } from '../storage/blocks.ts';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';
import { MissingTextError, type TextQueries } from '../storage/texts.ts';
import { fileMadeBy, type VirtualFile } from '../virtual-file.ts';
import type { Dump } from './dump-names.ts';
import { createDumpParts, type DumpSources, makeAll, makeRange, PART_RECORDS } from './dump-parts.ts';
import { createNameFinder } from './record-names.ts';

/** Opens the dumps of editions: files that are generated on every read. */
export interface Dumps {
  /** A dump; in JSON Lines, its size is known. */
  open(edition: EditionContents, language: Language, dump: Dump): Promise<VirtualFile>;
  /** The dump of supplements, which is the same in every language. */
  openSupplements(edition: EditionContents): VirtualFile;
  /** Some of the records of a dump as a file of the same format, in the given order. */
  openFound(edition: EditionContents, language: Language, dump: Dump, positions: Uint32Array): VirtualFile;
  /** Size and hashes of a dump in JSON Lines, which the publish stored. @throws MissingTextError */
  readBlocks(edition: EditionContents, language: Language, kind: Kind): Promise<BlockIndex>;
  /** Number, size and hash of the supplements. */
  measureSupplements(edition: EditionContents): Promise<SupplementFacts>;
}

/** Size of a dump in JSON Lines, and offset and hash of each block. */
export interface BlockIndex {
  bytes: number;
  starts: number[];
  blocks: DumpBlocks;
}

/** Number, size and hash of the supplements of an edition. */
interface SupplementFacts {
  records: number;
  bytes: number;
  sha256: string;
}

/** Memory of a block in bytes, and of an entry besides. */
const BLOCK_BYTES = 100;
const OVERHEAD_BYTES = 500;

/** @param baseUrl links are absolute, so sizes depend on it */
export function createDumps(
  { database, baseUrl, ...sources }: Omit<DumpSources, 'names'> & { database: Database; baseUrl: string },
  caches: Caches,
): Dumps {
  const { queries } = sources;
  const withNames = { ...sources, names: createNameFinder(queries, caches) };
  const indexes = caches.open<BlockIndex>(
    'blocks',
    ({ starts }) => starts.length * BLOCK_BYTES + OVERHEAD_BYTES,
  );
  const supplements = caches.open<SupplementFacts>('supplements', () => OVERHEAD_BYTES);
  const baseBytes = Buffer.byteLength(baseUrl);

  const readBlocks: Dumps['readBlocks'] = (edition, language, kind) =>
    indexes.fetch(`${edition.key} ${language} ${kind}`, async () => {
      const file = { dump: COLLECTIONS[kind], records: edition.counts[kind] };
      const stored = await readStoredBlocks(database, edition.id, language, file);
      if (!stored) throw new MissingTextError(edition.id, `blocks of ${file.dump}`);
      return indexBlocks(stored, baseBytes);
    });

  return {
    readBlocks,
    async open(edition, language, dump) {
      const parts = createDumpParts(withNames, edition, language, dump);
      if (dump.format !== 'jsonl') return fileMadeBy(() => makeAll(parts));
      const { bytes, starts } = await readBlocks(edition, language, dump.kind);
      const stride = BLOCK_RECORDS / PART_RECORDS[dump.kind];
      return {
        size: bytes,
        read: (start = 0, end = bytes) => makeRange(parts, { starts, stride }, start, end),
      };
    },
    openSupplements: (edition) =>
      fileMadeBy(async function* () {
        for await (const lines of readSupplementLines(queries, edition)) yield Buffer.from(lines.join(''));
      }),
    openFound(edition, language, dump, positions) {
      const parts = createDumpParts(withNames, edition, language, dump, positions);
      return fileMadeBy(() => makeAll(parts));
    },
    measureSupplements: (edition) =>
      supplements.fetch(`${edition.key} `, async () => {
        const sha256 = createHash('sha256');
        const facts = { records: 0, bytes: 0 };
        for await (const lines of readSupplementLines(queries, edition)) {
          const text = lines.join('');
          sha256.update(text);
          facts.records += lines.length;
          facts.bytes += Buffer.byteLength(text);
        }
        return { ...facts, sha256: sha256.digest('hex') };
      }),
  };
}

/** Positions whose supplements are read at once: few records have one. */
const BATCH_POSITIONS = 10_000;

/**
 * The supplements of an edition as lines of JSON, in batches: those of persons, then those of events, each by id.
 *
 * @throws MissingTextError if the edition is no longer kept
 */
export async function* readSupplementLines(
  queries: Pick<TextQueries, 'readSupplements'>,
  { id, counts }: EditionContents,
): AsyncGenerator<string[]> {
  for (const kind of ['person', 'event'] as const) {
    for (let first = 1; first <= counts[kind]; first += BATCH_POSITIONS) {
      await nextTurn();
      const run = { first, last: first + BATCH_POSITIONS - 1 };
      yield (await queries.readSupplements(id, kind, run)).map(({ text }) => `${text}\n`);
    }
  }
}

function indexBlocks(stored: readonly Block[], baseBytes: number): BlockIndex {
  let bytes = 0;
  const starts = stored.map((block) => {
    const start = bytes;
    bytes += block.bytes + block.links * baseBytes;
    return start;
  });
  const hashes = stored.map(({ sha256 }) => sha256);
  const sha256 = createHash('sha256').update(hashes.join('')).digest('hex');
  return { bytes, starts, blocks: { records: BLOCK_RECORDS, sha256, hashes } };
}
