import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, type Kind } from '@archive/types';
import { parseRecord } from './parse-record.ts';
import { readLines } from './read-lines.ts';
import type { BundleRecord } from './record-schemas.ts';

/** The order in which files are read: what a record refers to comes before it. */
export const READING_ORDER = ['subject', 'person', 'location', 'event'] as const satisfies readonly Kind[];

/** The name of the file with a kind's records. */
export function fileOf(kind: Kind): string {
  return `${COLLECTIONS[kind]}.jsonl`;
}

/** The names of the bundle's files that are not there. */
export async function missingFiles(folder: string): Promise<string[]> {
  const names = READING_ORDER.map(fileOf);
  const found = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.isFile() ?? false),
  );
  return names.filter((_, index) => !found[index]);
}

/** The sum of the sizes of the bundle's files, in bytes. */
export async function bundleSize(folder: string): Promise<number> {
  const sizes = await Promise.all(
    READING_ORDER.map(async (kind) => (await stat(join(folder, fileOf(kind)))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * The records of one file of a bundle that has been checked before.
 *
 * @throws Error when a line is not what it was when the bundle was checked
 */
export async function* readRecords<K extends Kind>(folder: string, kind: K): AsyncGenerator<BundleRecord[K]> {
  for await (const line of readLines(join(folder, fileOf(kind)))) {
    const parsed = parseRecord(kind, line.text);
    if (!('record' in parsed))
      throw new Error(`${fileOf(kind)}:${line.number}: changed while it was being published`);
    yield parsed.record;
  }
}
