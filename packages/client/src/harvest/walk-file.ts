import { readFile } from 'node:fs/promises';
import { isMissing, writeWhole } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { KINDS, LANGUAGES } from '@archiefkast/types/kinds';
import type { z } from 'zod';
import { FolderError } from '../errors/archive-errors.ts';
import { walkFilePath } from './folder.ts';

/** What a walk file holds. What checks it is loaded where there is one: a new harvest begins without. */
async function loadWalkFileSchema() {
  const { z } = await import('zod');
  return z.strictObject({
    /** The base URL. */
    source: z.string(),
    language: z.enum(LANGUAGES),
    kinds: z.array(z.enum(KINDS)),
    /** By which way it is harvested; pages where it is not said. */
    from: z.enum(['pages', 'dumps', 'changes']).optional(),
    /** The edition whose harvest the changes are put into. */
    since: z.string().optional(),
    /** The edition that all walks are pinned to, where the server offers that. */
    edition: z.string().nullable(),
    started_at: z.string(),
  });
}

/** What a journal folder is a harvest of. */
export type WalkFile = z.infer<Awaited<ReturnType<typeof loadWalkFileSchema>>>;

/**
 * Reads the walk file of a journal folder; undefined when there is none.
 *
 * @throws FolderError when it is damaged
 */
export async function readWalkFile(journalFolder: string): Promise<WalkFile | undefined> {
  const path = walkFilePath(journalFolder);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const walkFileSchema = await loadWalkFileSchema();
  try {
    return walkFileSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new FolderError(`${path}: the file is damaged; harvest into another folder`, { cause: error });
  }
}

/** Writes the walk file of a journal folder. */
export async function writeWalkFile(journalFolder: string, walk: WalkFile): Promise<void> {
  const text = `${JSON.stringify(walk, null, 2)}\n`;
  await writeWhole(walkFilePath(journalFolder), (file) => file.writeFile(text));
}

/** What makes a harvest the same harvest. */
interface WalkIdentity {
  source: string;
  language: string;
  kinds: readonly Kind[];
  /** By which way; it does not matter once the harvest is complete, nor where changes were asked for. */
  from?: string | undefined;
}

/**
 * Checks that a folder's harvest is the one that is asked for.
 *
 * @throws FolderError naming what differs
 */
export function assertSameWalk(folder: string, held: WalkIdentity, asked: WalkIdentity): void {
  for (const name of ['source', 'language', 'kinds'] as const) {
    const before = String(held[name]);
    const now = String(asked[name]);
    if (before === now) continue;
    throw new FolderError(
      `${folder} contains a harvest with ${name} ${before}, not ${now}; harvest into another folder`,
    );
  }
  const isSameWay = asked.from === 'changes' || (held.from ?? 'pages') === asked.from;
  if (asked.from !== undefined && !isSameWay) {
    throw new FolderError(
      `${folder} contains an unfinished harvest from ${held.from ?? 'pages'}; finish it the same way, or harvest into another folder`,
    );
  }
}
