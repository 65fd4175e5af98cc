import type { Kind, Language } from '@archiefkast/types';
import type { EditionContents } from '../../editions/edition.ts';
import type { Chunk } from '../assemble.ts';
import { positionsOf } from '../places.ts';
import type { Dump } from './dump-names.ts';
import { createDumpWriter, type DumpSources } from './dump-writer.ts';

/** Records in a part: what is in memory at a time, and made without a pause. Events embed the most. */
export const PART_RECORDS: Readonly<Record<Kind, number>> = {
  person: 100,
  subject: 100,
  location: 40,
  event: 20,
};

/** A file as parts, each of which can be made alone. */
export interface DumpParts {
  count: number;
  /** The content of a part, from 0. */
  make(part: number): Promise<Chunk[]>;
}

/**
 * Records of an edition as a file in parts.
 *
 * @param found the positions of the records, in the order of the file; all of the kind by id, if not given
 */
export function createDumpParts(
  sources: DumpSources,
  edition: EditionContents,
  language: Language,
  dump: Dump,
  found?: Uint32Array,
): DumpParts {
  const { head, tail, write } = createDumpWriter(sources, edition, language, dump);
  const records = found?.length ?? edition.counts[dump.kind];
  const size = PART_RECORDS[dump.kind];
  const count = Math.max(1, Math.ceil(records / size));
  return {
    count,
    async make(part) {
      const start = part * size;
      const end = Math.min(start + size, records);
      const positions = found ? [...found.subarray(start, end)] : positionsOf({ start, end });
      const content = end > start ? await write(positions, start === 0) : [];
      return [part === 0 ? head : '', ...content, part === count - 1 ? tail : ''];
    },
  };
}
