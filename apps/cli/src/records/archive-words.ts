import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@archive/system';
import { licenceSchema } from '@archive/types';
import { z } from 'zod';

const wordsSchema = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  licence: licenceSchema.nullable(),
});

/** What an archive says of itself: what it is called, and on what terms it may be used. */
export type ArchiveWords = z.infer<typeof wordsSchema>;

/** Keeps beside the journals what the archive said of itself. */
export async function writeArchiveWords(journalFolder: string, words: ArchiveWords): Promise<void> {
  const text = `${JSON.stringify(wordsSchema.parse(words), null, 2)}\n`;
  await writeWhole(pathOf(journalFolder), (file) => file.writeFile(text));
}

/** What the archive said of itself when it was harvested; undefined when it said nothing. */
export async function readArchiveWords(journalFolder: string): Promise<ArchiveWords | undefined> {
  try {
    return wordsSchema.parse(JSON.parse(await readFile(pathOf(journalFolder), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function pathOf(journalFolder: string): string {
  return join(journalFolder, 'archive.json');
}
