import type { Language } from '@archiefkast/types';
import { BLOCK_RECORDS } from '@archiefkast/types/internal';
import { inBatches } from '../batches.ts';
import type { Database } from './connect.ts';

/** A block of a dump in JSON Lines: the lines of up to `BLOCK_RECORDS` records. */
export interface Block {
  /** Size of the lines without base URLs, in bytes. */
  bytes: number;
  /** Number of base URLs in the lines. */
  links: number;
  /** SHA-256 of the hashes of the records, in hexadecimal. */
  sha256: string;
}

/** A block and its place in an edition. */
export interface PlacedBlock extends Block {
  language: Language;
  /** What the dump has: a collection, or `ABBREVIATED_BLOCKS`. */
  dump: string;
  /** Number of the block, from 0. */
  block: number;
}

/** Names the blocks of the dump of abbreviated events. */
export const ABBREVIATED_BLOCKS = 'abbreviated';

/** Rows per statement. */
const STATEMENT_ROWS = 100;

/** Stores the blocks of an edition; those that it has already are replaced. */
export async function insertBlocks(
  database: Database,
  edition: number,
  blocks: readonly PlacedBlock[],
): Promise<void> {
  for (const some of inBatches(blocks, STATEMENT_ROWS)) {
    const rows = some.map((block) => ({ edition, ...block }));
    await database('blocks').insert(rows).onConflict(['edition', 'language', 'dump', 'block']).merge();
  }
}

/**
 * The blocks of a dump; undefined if the edition is no longer kept, or was published without them.
 *
 * @param dump what it has: a collection, or `ABBREVIATED_BLOCKS`
 * @param records number of its records
 */
export async function findBlocks(
  database: Database,
  edition: number,
  language: Language,
  dump: string,
  records: number,
): Promise<Block[] | undefined> {
  const rows: { bytes: number | string; links: number | string; sha256: string }[] = await database('blocks')
    .select('bytes', 'links', 'sha256')
    .where({ edition, language, dump })
    .orderBy('block');
  if (rows.length < Math.ceil(records / BLOCK_RECORDS)) return undefined;
  return rows.map(({ bytes, links, sha256 }) => ({ bytes: Number(bytes), links: Number(links), sha256 }));
}
