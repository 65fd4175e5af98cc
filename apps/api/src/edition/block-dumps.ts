import { createHash } from 'node:crypto';
import { BLOCK_RECORDS, COLLECTIONS, type DumpBlocks, type Kind, type Language } from '@archiefkast/types';
import type { Caches } from '../cache.ts';
import type { Block } from '../storage/blocks.ts';
import type { EditionContents } from '../storage/edition.ts';
import type { VirtualFile } from '../virtual-file.ts';
import { type DumpParts, makeRange, PART_RECORDS } from './dump-parts.ts';
import type { TextQueries } from './texts.ts';

/** A dump in JSON Lines whose size and hashes were stored by the publish. */
export interface BlockDump extends VirtualFile {
  size: number;
  blocks: DumpBlocks;
}

/** Size of a dump, and offset and hash of each block. */
interface BlockIndex {
  bytes: number;
  starts: number[];
  blocks: DumpBlocks;
}

/** Memory of a block in bytes, and of an index without blocks. */
const BLOCK_BYTES = 100;
const OVERHEAD_BYTES = 500;

/** Opens dumps in JSON Lines by their stored blocks, at this base URL. */
export function createBlockDumps(queries: Pick<TextQueries, 'readBlocks'>, baseUrl: string, caches: Caches) {
  const indexes = caches.open<BlockIndex>(
    'blocks',
    ({ starts }) => starts.length * BLOCK_BYTES + OVERHEAD_BYTES,
  );
  const baseBytes = Buffer.byteLength(baseUrl);

  return {
    /** A dump, as parts with its blocks; undefined if its edition has none. */
    async open(
      edition: EditionContents,
      language: Language,
      kind: Kind,
      parts: DumpParts,
    ): Promise<BlockDump | undefined> {
      const id = `${edition.key} ${language} ${kind}`;
      const file = { dump: COLLECTIONS[kind], records: edition.counts[kind] };
      const stored = indexes.find(id) ? undefined : await queries.readBlocks(edition.id, language, file);
      if (stored) indexes.keep(id, indexBlocks(stored, baseBytes));
      const index = indexes.find(id);
      if (!index) return undefined;
      const { bytes, starts, blocks } = index;
      const stride = BLOCK_RECORDS / PART_RECORDS[kind];
      return {
        size: bytes,
        blocks,
        measure: async () => ({ bytes, isWhole: true }),
        read: (start = 0, end = bytes) => makeRange(parts, { starts, stride }, start, end),
      };
    },
  };
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
