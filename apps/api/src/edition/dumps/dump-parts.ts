import type { Kind, Language } from '@archiefkast/types';
import type { EditionContents } from '../../storage/edition.ts';
import { encodeChunks } from '../encode-chunks.ts';
import { positionsOf } from '../places.ts';
import type { Dump } from './dump-names.ts';
import { createDumpWriter, type DumpSources } from './dump-writer.ts';
import { UnwritableRecordError } from './unwritable-record-error.ts';

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
  /** The bytes of a part, from 0. @throws UnwritableRecordError naming the record that cannot be written */
  make(part: number): Promise<Buffer[]>;
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

  /** What went wrong with some records: names the first that cannot be written by itself, where there is one. */
  async function findUnwritable(positions: readonly number[], error: unknown): Promise<unknown> {
    for (const position of positions) {
      try {
        encodeChunks(await write([position], false));
      } catch (cause) {
        if (!isOfContent(cause)) return cause;
        const { id, uuid } = await sources.queries.nameAt(edition.id, dump.kind, position);
        return new UnwritableRecordError(dump, { kind: dump.kind, id, uuid }, cause);
      }
    }
    return error;
  }
  const records = found?.length ?? edition.counts[dump.kind];
  const size = PART_RECORDS[dump.kind];
  const count = Math.max(1, Math.ceil(records / size));
  return {
    count,
    async make(part) {
      const start = part * size;
      const end = Math.min(start + size, records);
      const positions = found ? [...found.subarray(start, end)] : positionsOf({ start, end });
      try {
        const content = end > start ? await write(positions, start === 0) : [];
        return encodeChunks([part === 0 ? head : '', ...content, part === count - 1 ? tail : '']);
      } catch (error) {
        throw isOfContent(error) ? await findUnwritable(positions, error) : error;
      }
    },
  };
}

/** Whether an error comes of what a record holds: text that is no JSON, a string too long, a field of another type. */
function isOfContent(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError;
}
