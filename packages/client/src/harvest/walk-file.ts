import { readFile } from 'node:fs/promises';
import { isMissing, writeWhole } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { KINDS, LANGUAGES } from '@archiefkast/types/kinds';
import type { z } from 'zod';
import { FolderError } from '../errors/archive-errors.ts';
import { walkFilePath } from './folder.ts';

/** Loads the schema of a walk file; a new harvest starts without loading zod. */
async function loadWalkFileSchema() {
  const { z } = await import('zod');
  return z.strictObject({
    /** The base URL. */
    source: z.string(),
    language: z.enum(LANGUAGES),
    kinds: z.array(z.enum(KINDS)),
    /** How it is harvested; `pages` by default. */
    from: z.enum(['pages', 'dumps', 'changes']).optional(),
    /** Edition of the harvest that the changes are merged into. */
    since: z.string().optional(),
    /** Edition that all walks are pinned to, if the server supports that. */
    edition: z.string().nullable(),
    started_at: z.string(),
  });
}

/** The identity of a harvest. */
export type WalkFile = z.infer<Awaited<ReturnType<typeof loadWalkFileSchema>>>;

/**
 * Reads the walk file of a journal folder; undefined if it is missing.
 *
 * @throws FolderError if it is damaged
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

/** The fields that must be equal to resume a harvest. */
interface WalkIdentity {
  source: string;
  language: string;
  kinds: readonly Kind[];
  /** How it is harvested; ignored if the harvest is complete, or changes are requested. */
  from?: string | undefined;
}

/**
 * Checks that a folder contains the requested harvest.
 *
 * @throws FolderError naming the difference
 */
export function assertSameWalk(folder: string, existing: WalkIdentity, requested: WalkIdentity): void {
  for (const name of ['source', 'language', 'kinds'] as const) {
    const before = String(existing[name]);
    const now = String(requested[name]);
    if (before === now) continue;
    throw new FolderError(
      `${folder} contains a harvest with ${name} ${before}, not ${now}; harvest into another folder`,
    );
  }
  const isSameWay = requested.from === 'changes' || (existing.from ?? 'pages') === requested.from;
  if (requested.from !== undefined && !isSameWay) {
    throw new FolderError(
      `${folder} contains an unfinished harvest from ${existing.from ?? 'pages'}; finish it the same way, or harvest into another folder`,
    );
  }
}
