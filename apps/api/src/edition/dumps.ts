import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Language } from '@archiefkast/types';
import type { Logger } from 'pino';
import { byteLengthOf, type Caches } from '../cache.ts';
import type { DerivedFiles, DumpIndex } from '../derived/derived-files.ts';
import { Gate } from '../gate.ts';
import type { EditionContents } from '../storage/edition.ts';
import { type Extent, fileMadeBy, type VirtualFile } from '../virtual-file.ts';
import { type Dump, fileNameOf } from './dump-names.ts';
import { createDumpParts, type DumpParts, type DumpSources } from './dump-parts.ts';
import { createNameFinder } from './record-names.ts';

/** Bytes that an index takes in memory for each part, and beside. */
const PART_BYTES = 8;
const OVERHEAD_BYTES = 1_024;

/** Rises when the bytes of dumps are made otherwise: outlines that an earlier release has stored do not fit then. */
const REVISION = 2;

/** A dump as a file that is made from its edition whenever it is read. */
interface DumpFile extends VirtualFile {
  /** Size, hash and where the parts start; makes the file, without keeping it, where that is not known yet. */
  index(signal?: AbortSignal): Promise<DumpIndex>;
}

/** Opens the dumps of editions. */
export interface Dumps {
  open(edition: EditionContents, language: Language, dump: Dump): Promise<DumpFile>;
  /** Some of the records of a dump as a file of the same form, in the order of their positions as given. */
  openFound(edition: EditionContents, language: Language, dump: Dump, positions: Uint32Array): VirtualFile;
}

/** Dumps whose outlines are kept among the derived files of their edition. */
export function createDumps(
  { baseUrl, ...sources }: Omit<DumpSources, 'names'> & { baseUrl: string },
  files: DerivedFiles,
  log: Logger,
  caches: Caches,
): Dumps {
  const withNames = { ...sources, names: createNameFinder(sources.queries, caches) };
  const indexes = caches.open<DumpIndex>('outlines', ({ starts }) => bytesOfParts(starts.length));
  const measurements = caches.open<Measurement>('measurements', byteLengthOf);
  // Links are absolute, so that another base URL gives other bytes.
  const base = createHash('sha256').update(`${REVISION} ${baseUrl}`).digest('hex').slice(0, 8);

  /** One part is measured at a time, of whatever dump. */
  const measuring = new Gate({ underWay: 1 });

  return {
    openFound(edition, language, dump, positions) {
      const parts = createDumpParts(withNames, edition, language, dump, positions);
      return fileMadeBy(() => makeAll(parts, async () => {}));
    },
    async open(edition, language, dump) {
      const parts = createDumpParts(withNames, edition, language, dump);
      const name = `${language}.${fileNameOf(dump)}.${base}`;
      const id = `${edition.key} ${name}`;
      const kept = indexes.find(id) ?? (await files.readDumpIndex(edition, name));
      if (kept) indexes.keep(id, kept);

      const keep = async (index: DumpIndex) => {
        indexes.keep(id, index);
        measurements.drop(id);
        try {
          await files.writeDumpIndex(edition, name, index);
        } catch (error) {
          log.warn({ err: error, edition: edition.id, name }, 'the index of a dump cannot be stored');
        }
      };
      const measurePart = async () => {
        if (indexes.find(id)) return;
        const measurement = measurements.find(id) ?? new Measurement(parts);
        measurements.keep(id, measurement);
        await measurement.addPart();
        if (measurement.isWhole) await keep(measurement.index());
      };
      const measure = async (end: number, signal?: AbortSignal): Promise<Extent> => {
        for (;;) {
          const bytes = indexes.find(id)?.bytes;
          if (bytes !== undefined) return { bytes, isWhole: true };
          const measured = measurements.find(id)?.bytes ?? 0;
          if (measured >= end) return { bytes: measured, isWhole: false };
          signal?.throwIfAborted();
          await measuring.pass(measurePart);
        }
      };
      return {
        size: kept?.bytes,
        measure,
        async index(signal) {
          await measure(Number.POSITIVE_INFINITY, signal);
          const index = indexes.find(id);
          if (!index) throw new Error(`${fileNameOf(dump)}: it was made, but not measured`);
          return index;
        },
        read(start = 0, end = kept?.bytes) {
          const known = indexes.find(id);
          if (known) return makeRange(parts, known.starts, start, end ?? known.bytes);
          if (start === 0 && end === undefined) return makeAll(parts, keep);
          const measured = measurements.find(id);
          if (end !== undefined && measured && end <= measured.bytes) {
            return makeRange(parts, [...measured.starts], start, end);
          }
          throw new RangeError('a part of a dump is read when the dump has been measured so far');
        },
      };
    },
  };
}

/** The whole file; calls `onIndex` with its index when it has been read to the end. */
async function* makeAll(
  parts: DumpParts,
  onIndex: (index: DumpIndex) => Promise<void>,
): AsyncGenerator<Buffer> {
  const measurement = new Measurement(parts);
  while (!measurement.isWhole) yield* await measurement.addPart();
  await onIndex(measurement.index());
}

/** The bytes from `start` up to `end`; parts that hold none of them are not made. */
async function* makeRange(
  parts: DumpParts,
  starts: readonly number[],
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  const first = starts.findLastIndex((offset) => offset <= start);
  let at = starts[first] ?? 0;
  for (let part = first; part < parts.count && at < end; part += 1) {
    await nextTurn();
    for (const buffer of await parts.make(part)) {
      const wanted = buffer.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += buffer.length;
      if (wanted.length > 0) yield wanted;
    }
  }
}

function bytesOfParts(parts: number): number {
  return parts * PART_BYTES + OVERHEAD_BYTES;
}

/** What is known of a dump from its beginning up to some part; it grows part by part. */
class Measurement {
  readonly #parts: DumpParts;
  readonly #hash = createHash('sha256');
  readonly #starts: number[] = [];
  #bytes = 0;

  constructor(parts: DumpParts) {
    this.#parts = parts;
  }

  /** What it takes in memory when it is whole. */
  get byteLength(): number {
    return bytesOfParts(this.#parts.count);
  }

  /** Bytes of the parts that have been made. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Where the parts that have been made start. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** Whether all parts have been made. */
  get isWhole(): boolean {
    return this.#starts.length === this.#parts.count;
  }

  /** Makes the next part, and gives its bytes. When that fails, nothing has changed. */
  async addPart(): Promise<Buffer[]> {
    await nextTurn();
    const buffers = await this.#parts.make(this.#starts.length);
    this.#starts.push(this.#bytes);
    for (const buffer of buffers) {
      this.#hash.update(buffer);
      this.#bytes += buffer.length;
    }
    return buffers;
  }

  /** What is known of the whole, once all parts have been made. */
  index(): DumpIndex {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex'), starts: [...this.#starts] };
  }
}
