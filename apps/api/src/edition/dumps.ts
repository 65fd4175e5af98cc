import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BLOCK_RECORDS, COLLECTIONS, type DumpBlocks, type Kind, type Language } from '@archiefkast/types';
import type { Caches } from '../cache.ts';
import { positionBatches } from '../storage/batches.ts';
import type { Database } from '../storage/connect.ts';
import { type Block, type EditionContents, readBlocks as readStoredBlocks } from '../storage/edition.ts';
import { MissingTextError, type TextQueries } from '../storage/texts.ts';
import { fileMadeBy, type VirtualFile } from '../virtual-file.ts';
import type { Dump } from './dump-names.ts';
import { type DumpSources, fileOfDump } from './dump-parts.ts';
import { createNameFinder } from './record-names.ts';

/** Opens the dumps of editions: see `createDumps`. */
export type Dumps = ReturnType<typeof createDumps>;

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

/**
 * Opens the dumps of editions: files that are generated on every read.
 *
 * @param baseUrl links are absolute, so sizes depend on it
 */
export function createDumps(
  { database, baseUrl, ...sources }: Omit<DumpSources, 'names'> & { database: Database; baseUrl: string },
  caches: Caches,
) {
  const { queries } = sources;
  const withNames = { ...sources, names: createNameFinder(queries, caches) };
  const indexes = caches.open<BlockIndex>(
    'blocks',
    ({ starts }) => starts.length * BLOCK_BYTES + OVERHEAD_BYTES,
  );
  const supplements = caches.open<SupplementFacts>('supplements', () => OVERHEAD_BYTES);
  const baseBytes = Buffer.byteLength(baseUrl);

  /** Size and hashes of a dump in JSON Lines, which the publish stored. @throws MissingTextError */
  const readBlocks = (edition: EditionContents, language: Language, kind: Kind): Promise<BlockIndex> =>
    indexes.fetch(`${edition.key} ${language} ${kind}`, async () => {
      const file = { dump: COLLECTIONS[kind], records: edition.counts[kind] };
      const stored = await readStoredBlocks(database, edition.id, language, file);
      if (!stored) throw new MissingTextError(edition.id, `blocks of ${file.dump}`);
      return indexBlocks(stored, baseBytes);
    });

  return {
    readBlocks,
    /** A dump; in JSON Lines, its size is known. */
    async open(edition: EditionContents, language: Language, dump: Dump): Promise<VirtualFile> {
      const isMeasured = dump.format === 'jsonl';
      const index = isMeasured ? await readBlocks(edition, language, dump.kind) : {};
      return fileOfDump(withNames, edition, language, dump, index);
    },
    /** The dump of supplements, which is the same in every language. */
    openSupplements: (edition: EditionContents) =>
      fileMadeBy(async function* () {
        for await (const lines of readSupplementLines(queries, edition)) yield Buffer.from(lines.join(''));
      }),
    /** Some of the records of a dump as a file of the same format, in the given order. */
    openFound: (edition: EditionContents, language: Language, dump: Dump, positions: Uint32Array) =>
      fileOfDump(withNames, edition, language, dump, { found: positions }),
    /** Number, size and hash of the supplements. */
    measureSupplements: (edition: EditionContents) =>
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
const BATCH_POSITIONS = 1_000;

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
    for (const positions of positionBatches(counts[kind], BATCH_POSITIONS)) {
      await nextTurn();
      yield (await queries.readSupplements(id, kind, positions)).map((text) => `${text}\n`);
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
