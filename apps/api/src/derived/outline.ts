import { readFile, writeFile } from 'node:fs/promises';
import { replaceWhole } from '@archiefkast/system';
import { z } from 'zod';

const outlineSchema = z.object({
  bytes: z.int().min(0),
  sha256: z.string(),
  starts: z.array(z.int().min(0)),
});

/** What is known of a dump that has been made in full: it is not kept, but can be made again from any part. */
export type Outline = z.infer<typeof outlineSchema>;

/** Reads an outline; undefined where there is none that can be read. */
export async function readOutline(file: string): Promise<Outline | undefined> {
  try {
    return outlineSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Derived: what is missing or damaged is made anew.
    return undefined;
  }
}

/** Writes an outline in one step. */
export async function writeOutline(file: string, outline: Outline): Promise<void> {
  await replaceWhole(file, (temporary) => writeFile(temporary, JSON.stringify(outline)));
}
