import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { FaultList } from './faults.ts';

const bilingual = z.strictObject({ nl: z.string(), en: z.string() });
const url = z.string().regex(/^https?:\/\/\S+$/, { error: 'expected an absolute http or https URL' });

/** What `archive.json` of a bundle says of the archive as a whole. */
export const archiveDescriptionSchema = z.strictObject({
  title: bilingual.meta({ description: 'Name of the archive.' }),
  description: bilingual.optional().meta({ description: 'What the archive is.' }),
  publisher: bilingual.optional().meta({ description: 'Who publishes it.' }),
  licence: z.strictObject({ name: z.string(), url }).optional().meta({ description: 'Terms of use.' }),
  homepage: url.optional().meta({ description: 'Web site of the archive.' }),
});

/** What `archive.json` of a bundle says of the archive as a whole. */
export type ArchiveDescription = z.infer<typeof archiveDescriptionSchema>;

const FILE = 'archive.json';

/** Reads a bundle's `archive.json`; undefined when it has none. Adds what is wrong with it to `faults`. */
export async function readArchiveDescription(
  folder: string,
  faults: FaultList,
): Promise<ArchiveDescription | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    faults.add({
      file: FILE,
      reason: `is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    });
    return undefined;
  }
  const parsed = archiveDescriptionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    faults.add({ file: FILE, field: issue.path.join('.') || '(the whole file)', reason: issue.message });
  }
  return undefined;
}
