import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvLine } from '@archiefkast/formats/csv';
import { recordTable, withKnownDates } from '@archiefkast/formats/reading';
import { BLOCK_RECORDS, type Kind, type Language } from '@archiefkast/types';
import { createPause } from '../pause.ts';
import { positionsBetween } from '../storage/batches.ts';
import type { EditionContents } from '../storage/edition.ts';
import type { TextQueries } from '../storage/texts.ts';
import type { VirtualFile } from '../virtual-file.ts';
import { type Chunk, encodeChunks } from './chunks.ts';
import { type Dump, type DumpFormat, fileNameOf } from './dump-names.ts';
import type { EditionReader } from './edition-reader.ts';
import type { NameFinder } from './record-names.ts';

/** Identifies a record outside the database. */
interface RecordName {
  kind: Kind;
  id: number;
  uuid: string;
}

/** A dump cannot be generated, because a record cannot be written in its format; see `cause`. */
export class UnwritableRecordError extends Error {
  override name = 'UnwritableRecordError';
  /** File name of the dump. */
  readonly file: string;
  readonly record: RecordName;

  constructor(dump: Pick<Dump, 'kind' | 'format'>, record: RecordName, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { kind, id, uuid } = record;
    super(`${fileNameOf(dump)}: the ${kind} ${id} (${uuid}) cannot be written: ${reason}`, {
      cause,
    });
    this.file = fileNameOf(dump);
    this.record = record;
  }
}

/** Records per part, which is in memory as a whole. Events embed the most. */
export const PART_RECORDS: Readonly<Record<Kind, number>> = {
  person: 100,
  subject: 100,
  location: 40,
  event: 20,
};

/** What is known of a file before it is generated. */
interface KnownParts {
  /** Positions of its records, in order; by default all records of the kind, by id. */
  found?: Uint32Array;
  /** Its size. */
  bytes?: number;
  /** Offsets of its blocks: to read from an offset, only the parts from the last one before it on are generated. */
  starts?: readonly number[];
}

/** A file with records of an edition. Reading throws an UnwritableRecordError for a record that cannot be written. */
export function fileOfDump(
  sources: DumpSources,
  edition: EditionContents,
  language: Language,
  dump: Dump,
  { found, bytes, starts = [0] }: KnownParts = {},
): VirtualFile {
  const { kind } = dump;
  const { head, tail, write } = createDumpWriter(sources, edition, language, dump);
  const records = found?.length ?? edition.counts[kind];
  const size = PART_RECORDS[kind];
  const count = Math.max(1, Math.ceil(records / size));

  async function makePart(part: number): Promise<Buffer[]> {
    const start = part * size;
    const end = Math.min(start + size, records);
    const positions = found ? [...found.subarray(start, end)] : positionsBetween(start, end);
    try {
      const content = end > start ? await write(positions, start === 0) : [];
      return encodeChunks([part === 0 ? head : '', ...content, part === count - 1 ? tail : '']);
    } catch (error) {
      throw isContentError(error) ? await findUnwritable(positions, error) : error;
    }
  }

  /** Finds the first record that cannot be written, to report it; without one, returns the original error. */
  async function findUnwritable(positions: readonly number[], error: unknown): Promise<unknown> {
    for (const position of positions) {
      try {
        encodeChunks(await write([position], false));
      } catch (cause) {
        if (!isContentError(cause)) return cause;
        const [record] = await sources.queries.findRecords(edition.id, kind, 'position', [position]);
        return record ? new UnwritableRecordError(dump, { kind, ...record }, cause) : cause;
      }
    }
    return error;
  }

  return {
    size: bytes,
    async *read(start = 0, end = Number.POSITIVE_INFINITY) {
      // A file without records has no blocks.
      const block = Math.max(
        0,
        starts.findLastIndex((offset) => offset <= start),
      );
      let at = starts[block] ?? 0;
      for (let part = (block * BLOCK_RECORDS) / size; part < count && at < end; part += 1) {
        await nextTurn();
        for (const buffer of await makePart(part)) {
          const wanted = buffer.subarray(Math.max(0, start - at), Math.max(0, end - at));
          at += buffer.length;
          if (wanted.length > 0) yield wanted;
        }
      }
    },
  };
}

/** Whether an error is caused by the content of a record: invalid JSON, a string that is too long, an invalid type. */
function isContentError(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError;
}

/** The readers that dumps are generated with. */
export interface DumpSources {
  reader: EditionReader;
  queries: TextQueries;
  names: NameFinder;
}

/** Writes records of one kind in one format. */
interface DumpWriter {
  /** Text before the first record. */
  head: string;
  /** Text after the last record. */
  tail: string;
  /**
   * The records at positions, in order.
   *
   * @param isFirst whether these are the first records of the file
   */
  write(positions: readonly number[], isFirst: boolean): Promise<Chunk[]>;
}

/** The writer for a dump of an edition. */
function createDumpWriter(
  sources: DumpSources,
  edition: EditionContents,
  language: Language,
  { kind, format }: Dump,
): DumpWriter {
  const { columns, rows } = recordTable(kind);
  const writers: Record<DumpFormat, DumpWriter> = {
    jsonl: {
      head: '',
      tail: '',
      async write(positions) {
        const keys = positions.map((position) => ({ kind, position }));
        const records = await sources.reader.read(edition, language, keys);
        return records.flatMap((record) => [...record, '\n']);
      },
    },
    csv: {
      head: csvLine(columns.map(({ name }) => name)),
      tail: '',
      async write(positions) {
        const dates = await sources.queries.fetchDates(edition.id, kind, positions);
        const read = await sources.reader.readFields(edition, language, kind, positions);
        const some = read.map((record, index) => withKnownDates(record, dates.get(positions[index] ?? 0)));
        const context = { language, names: await sources.names.find(edition, language, some) };
        const pause = createPause();
        const lines: string[] = [];
        for (const record of some) {
          lines.push(...rows(kind, record, context).map(csvLine));
          await pause();
        }
        return lines;
      },
    },
    geojson: {
      head: '{"type":"FeatureCollection","features":[',
      tail: '\n]}\n',
      async write(positions, isFirst) {
        const mapped = kind === 'event' ? kind : 'location';
        const written = await sources.reader.readFeatures(edition, language, mapped, positions);
        return written.map((feature, index) => `${isFirst && index === 0 ? '' : ','}\n${feature}`);
      },
    },
  };
  return writers[format];
}
