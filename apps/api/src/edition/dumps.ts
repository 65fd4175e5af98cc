import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordTable, withKnownDates } from '@archiefkast/formats/reading';
import { csvLine } from '@archiefkast/formats/write-csv';
import { COLLECTIONS, type DumpBlocks, type Kind, type Language } from '@archiefkast/types';
import { BLOCK_RECORDS } from '@archiefkast/types/internal';
import { positionsBetween } from '../batches.ts';
import type { Caches } from '../cache.ts';
import { createPause } from '../pause.ts';
import { ABBREVIATED_BLOCKS, type Block, findBlocks } from '../storage/blocks.ts';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';
import { MissingTextError, readSupplementLines, type TextQueries } from '../storage/texts.ts';
import { type Chunk, encodeChunks } from './chunks.ts';
import { type Dump, type DumpFormat, fileNameOf } from './dump-names.ts';
import { type EditionReader, InvalidTextError } from './edition-reader.ts';
import { createNameFinder, type NameFinder } from './record-names.ts';

/** A file that is generated when it is read, with the same bytes every time. */
export interface VirtualFile {
  /** Size in bytes; undefined if it is only known when the file has been generated. */
  size: number | undefined;
  /** Whether it is stored on disk rather than generated. */
  isStored?: true;
  /** The bytes from `start` to `end`, exclusive, of a file whose size is known; all by default. */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
}

/** A file of unknown size. */
export function fileMadeBy(read: () => AsyncIterable<Buffer>): VirtualFile {
  return { size: undefined, read };
}

/** Opens the dumps of editions: see `createDumps`. */
export type Dumps = ReturnType<typeof createDumps>;

/** Memory of a block in bytes, and of an entry besides. */
const BLOCK_BYTES = 100;
const OVERHEAD_BYTES = 500;

/**
 * Opens the dumps of editions: files that are generated on every read.
 *
 * @param baseUrl links are absolute, so sizes depend on it
 */
export function createDumps(
  { database, baseUrl, ...sources }: Omit<DumpSources, 'names'> & { database: Database; baseUrl: string },
  caches: Caches,
) {
  const { queries } = sources;
  const withNames = { ...sources, names: createNameFinder(queries, caches) };
  const indexes = caches.open<ReturnType<typeof indexBlocks>>(
    'blocks',
    ({ starts }) => starts.length * BLOCK_BYTES + OVERHEAD_BYTES,
  );
  const supplements = caches.open<{ records: number; bytes: number; sha256: string }>(
    'supplements',
    () => OVERHEAD_BYTES,
  );
  const baseBytes = Buffer.byteLength(baseUrl);

  /** Size and hashes of a dump in JSON Lines, which the publish stored. @throws MissingTextError */
  const readBlocks = (edition: EditionContents, language: Language, { kind, isAbbreviated }: Dump) => {
    const dump = isAbbreviated ? ABBREVIATED_BLOCKS : COLLECTIONS[kind];
    return indexes.fetch(`${edition.key} ${language} ${dump}`, async () => {
      const stored = await findBlocks(database, edition.id, language, dump, edition.counts[kind]);
      if (!stored) throw new MissingTextError(edition.id, `blocks of ${dump}`);
      return indexBlocks(stored, baseBytes);
    });
  };

  return {
    readBlocks,
    /** A dump; in JSON Lines, its size is known. */
    async open(edition: EditionContents, language: Language, dump: Dump): Promise<VirtualFile> {
      const index = dump.format === 'jsonl' ? await readBlocks(edition, language, dump) : {};
      return fileOfDump(withNames, edition, language, dump, index);
    },
    /** The dump of supplements, which is the same in every language. */
    openSupplements: (edition: EditionContents) =>
      fileMadeBy(async function* () {
        for await (const lines of readSupplementLines(queries, edition)) yield Buffer.from(lines.join(''));
      }),
    /** Some of the records of a dump as a file of the same format, in the given order. */
    openFound: (edition: EditionContents, language: Language, dump: Dump, positions: Uint32Array) =>
      fileOfDump(withNames, edition, language, dump, { found: positions }),
    /** Number, size and hash of the supplements. */
    measureSupplements: (edition: EditionContents) =>
      supplements.fetch(`${edition.key} `, async () => {
        const sha256 = createHash('sha256');
        const facts = { records: 0, bytes: 0 };
        for await (const lines of readSupplementLines(queries, edition)) {
          const text = lines.join('');
          sha256.update(text);
          facts.records += lines.length;
          facts.bytes += Buffer.byteLength(text);
        }
        return { ...facts, sha256: sha256.digest('hex') };
      }),
  };
}

/** Size of a dump in JSON Lines, and offset and hash of each block. */
function indexBlocks(stored: readonly Block[], baseBytes: number) {
  let bytes = 0;
  const starts = stored.map((block) => {
    const start = bytes;
    bytes += block.bytes + block.links * baseBytes;
    return start;
  });
  const hashes = stored.map(({ sha256 }) => sha256);
  const sha256 = createHash('sha256').update(hashes.join('')).digest('hex');
  const blocks: DumpBlocks = { records: BLOCK_RECORDS, sha256, hashes };
  return { bytes, starts, blocks };
}

/** A dump cannot be generated, because a record cannot be written in its format; see `cause`. */
export class UnwritableRecordError extends Error {
  override name = 'UnwritableRecordError';
  /** File name of the dump. */
  readonly file: string;
  readonly record: { kind: Kind; id: number; uuid: string };

  constructor(file: string, record: UnwritableRecordError['record'], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { kind, id, uuid } = record;
    super(`${file}: the ${kind} ${id} (${uuid}) cannot be written: ${reason}`, { cause });
    this.file = file;
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

/** Abbreviated events per part: these embed nothing. */
const ABBREVIATED_RECORDS = 100;

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
function fileOfDump(
  sources: DumpSources,
  edition: EditionContents,
  language: Language,
  dump: Dump,
  { found, bytes, starts = [0] }: KnownParts = {},
): VirtualFile {
  const { kind, isAbbreviated } = dump;
  const { head, tail, write } = createDumpWriter(sources, edition, language, dump);
  const records = found?.length ?? edition.counts[kind];
  const size = isAbbreviated ? ABBREVIATED_RECORDS : PART_RECORDS[kind];
  const count = Math.max(1, Math.ceil(records / size));

  async function makePart(part: number): Promise<Iterable<Buffer>> {
    const start = part * size;
    const end = Math.min(start + size, records);
    const positions = found ? [...found.subarray(start, end)] : positionsBetween(start, end);
    try {
      const content = end > start ? await write(positions, start === 0) : [];
      return encodeChunks([part === 0 ? head : '', ...content, part === count - 1 ? tail : '']);
    } catch (error) {
      throw error instanceof InvalidTextError ? await findUnwritable(positions, error) : error;
    }
  }

  /** Finds the first record that cannot be written, to report it; without one, returns the original error. */
  async function findUnwritable(positions: readonly number[], error: unknown): Promise<unknown> {
    for (const position of positions) {
      try {
        await write([position], false);
      } catch (cause) {
        if (!(cause instanceof InvalidTextError)) return cause;
        const [record] = await sources.queries.listRecords(edition.id, kind, 'position', [position]);
        return record ? new UnwritableRecordError(fileNameOf(dump), { kind, ...record }, cause) : cause;
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

/** The readers that dumps are generated with. */
interface DumpSources {
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
  { kind, format, isAbbreviated }: Dump,
): DumpWriter {
  const { columns, rows } = recordTable(kind);
  const writers: Record<DumpFormat, DumpWriter> = {
    jsonl: {
      head: '',
      tail: '',
      async write(positions) {
        const keys = positions.map((position) => ({ kind, position }));
        const records = await sources.reader.read(edition, language, keys, { isAbbreviated });
        return records.flatMap((record) => [...record, '\n']);
      },
    },
    csv: {
      head: csvLine(columns.map(({ name }) => name)),
      tail: '',
      async write(positions) {
        const supplements = await sources.queries.supplementsAt(edition.id, kind, positions);
        const read = await sources.reader.readFields(edition, language, kind, positions);
        const some = read.map((record, index) =>
          withKnownDates(record, supplements.get(positions[index] ?? 0)?.dates),
        );
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
