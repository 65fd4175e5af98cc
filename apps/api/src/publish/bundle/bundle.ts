import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readTextLines } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import type { ArchiveDescription } from '../../storage/edition.ts';
import { BundleError } from './faults.ts';
import { fileOf, type Origins } from './origins.ts';
import { parseRecord } from './parse-record.ts';
import type { RecordIndex } from './record-index.ts';
import type { BundleRecord } from './record-schemas.ts';

/** The order in which files are read: what a record refers to comes before it. */
export const READING_ORDER = ['subject', 'person', 'location', 'event'] as const satisfies readonly Kind[];

/** A bundle as files of JSON lines: as they were given, or made of tables. */
export interface Bundle {
  folder: string;
  /** What the archive is, where the bundle says it. */
  archive: ArchiveDescription | undefined;
  /** Where its records stand, as whoever made the bundle sees it. */
  origins: Origins;
}

/** What tells a line from what it was at the reading before. */
export function fingerprint(text: string | undefined): number {
  return crc32(text ?? '');
}

/**
 * The records of one file of a bundle that has been checked before.
 *
 * @throws BundleError when a line is not what it was when the bundle was checked, or is missing
 */
export async function* readRecords<K extends Kind>(
  { folder, archive, origins, index }: Bundle & { index: RecordIndex },
  kind: K,
): AsyncGenerator<BundleRecord[K]> {
  const { fingerprints } = index.kinds[kind];
  const reason = 'changed while it was being published; publish the bundle again';
  let row = 0;
  for await (const line of readTextLines(join(folder, fileOf(kind)))) {
    const parsed = parseRecord(kind, line.text, archive?.partial_dates);
    const isSame = fingerprints[row] === fingerprint(line.text);
    if (!isSame || !('record' in parsed)) {
      throw new BundleError([{ ...origins.at(kind, line.number), reason }], 1);
    }
    yield parsed.record;
    row += 1;
  }
  if (row !== fingerprints.length) throw new BundleError([{ file: origins.fileOf(kind), reason }], 1);
}
