import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Language } from '@archiefkast/types';
import type { Logger } from 'pino';
import { byteLengthOf, type Caches } from '../cache.ts';
import type { DerivedFiles, DumpIndex } from '../derived/derived-files.ts';
import { Gate } from '../gate.ts';
import type { EditionContents } from '../storage/edition.ts';
import { type Extent, fileMadeBy, type VirtualFile } from '../virtual-file.ts';
import { type BlockDump, createBlockDumps } from './block-dumps.ts';
import { type Dump, fileNameOf, SUPPLEMENT_DUMP } from './dump-names.ts';
import {
  createDumpParts,
  createSupplementParts,
  type DumpParts,
  type DumpSources,
  makeRange,
} from './dump-parts.ts';
import { createNameFinder } from './record-names.ts';

/** Memory of a dump index in bytes: per part, and in addition. */
const PART_BYTES = 8;
const OVERHEAD_BYTES = 1_024;

/** Incremented when the bytes of dumps change, which invalidates stored dump indexes of earlier releases. */
const REVISION = 3;

/** A dump as a file that is generated from its edition on every read. */
interface DumpFile extends VirtualFile {
  blocks?: undefined;
  /** Size, hash and part offsets. If they are unknown, generates the file once to measure it. */
  index(signal?: AbortSignal): Promise<DumpIndex>;
}

/** Opens the dumps of editions. */
export interface Dumps {
  /** A dump: in JSON Lines with its blocks, unless a release that stored none has published its edition. */
  open(edition: EditionContents, language: Language, dump: Dump): Promise<DumpFile | BlockDump>;
  /** The dump of supplements, which is the same in every language. */
  openSupplements(edition: EditionContents): Promise<DumpFile & { records: number }>;
  /** Some of the records of a dump as a file of the same format, in the given order. */
  openFound(edition: EditionContents, language: Language, dump: Dump, positions: Uint32Array): VirtualFile;
}

/** Dumps, whose indexes are stored as derived files of their edition. */
export function createDumps(
  { baseUrl, ...sources }: Omit<DumpSources, 'names'> & { baseUrl: string },
  files: DerivedFiles,
  log: Logger,
  caches: Caches,
): Dumps {
  const withNames = { ...sources, names: createNameFinder(sources.queries, caches) };
  const indexes = caches.open<DumpIndex>('outlines', ({ starts }) => bytesOfParts(starts.length));
  const measurements = caches.open<Measurement>('measurements', byteLengthOf);
  const blockDumps = createBlockDumps(sources.queries, baseUrl, caches);
  // Links are absolute, so the bytes depend on the base URL.
  const base = createHash('sha256').update(`${REVISION} ${baseUrl}`).digest('hex').slice(0, 8);

  /** Only one part is measured at a time, for all dumps together. */
  const measuring = new Gate({ underWay: 1 });

  /** A file whose index is measured on first use, and then stored under a name. */
  async function openMeasured(edition: EditionContents, name: string, parts: DumpParts): Promise<DumpFile> {
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
        if (!index) throw new Error(`${name}: generated, but not measured`);
        return index;
      },
      read(start = 0, end = kept?.bytes) {
        const known = indexes.find(id);
        if (known) return makeRange(parts, known, start, end ?? known.bytes);
        if (start === 0 && end === undefined) return makeAll(parts, keep);
        const measured = measurements.find(id);
        if (end !== undefined && measured && end <= measured.bytes) {
          return makeRange(parts, { starts: [...measured.starts] }, start, end);
        }
        throw new RangeError('a part of a dump can only be read after it has been measured');
      },
    };
  }

  return {
    async openSupplements(edition) {
      const records = await sources.queries.countSupplements(edition.id);
      const parts = createSupplementParts(sources.queries, edition, records);
      return { records, ...(await openMeasured(edition, SUPPLEMENT_DUMP.name, parts)) };
    },
    openFound(edition, language, dump, positions) {
      const parts = createDumpParts(withNames, edition, language, dump, positions);
      return fileMadeBy(() => makeAll(parts, async () => {}));
    },
    async open(edition, language, dump) {
      const parts = createDumpParts(withNames, edition, language, dump);
      const blockDump =
        dump.format === 'jsonl' ? await blockDumps.open(edition, language, dump.kind, parts) : undefined;
      if (blockDump) return blockDump;
      return openMeasured(edition, `${language}.${fileNameOf(dump)}.${base}`, parts);
    },
  };
}

/** The complete file; calls `onIndex` with its index at the end. */
async function* makeAll(
  parts: DumpParts,
  onIndex: (index: DumpIndex) => Promise<void>,
): AsyncGenerator<Buffer> {
  const measurement = new Measurement(parts);
  while (!measurement.isWhole) yield* await measurement.addPart();
  await onIndex(measurement.index());
}

function bytesOfParts(parts: number): number {
  return parts * PART_BYTES + OVERHEAD_BYTES;
}

/** Size, hash and part offsets of the first parts of a dump; grows part by part. */
class Measurement {
  readonly #parts: DumpParts;
  readonly #hash = createHash('sha256');
  readonly #starts: number[] = [];
  #bytes = 0;

  constructor(parts: DumpParts) {
    this.#parts = parts;
  }

  /** Memory when complete, in bytes. */
  get byteLength(): number {
    return bytesOfParts(this.#parts.count);
  }

  /** Size of the measured parts, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Offsets of the measured parts. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** Whether all parts have been measured. */
  get isWhole(): boolean {
    return this.#starts.length === this.#parts.count;
  }

  /** Generates and measures the next part, and returns its bytes. A failure leaves the state unchanged. */
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

  /** The index of the complete dump, once all parts have been measured. */
  index(): DumpIndex {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex'), starts: [...this.#starts] };
  }
}
