import { createHash, hash } from 'node:crypto';
import {
  BLOCK_RECORDS,
  COLLECTIONS,
  KINDS,
  type Kind,
  LANGUAGES,
  type Language,
  RECORD_HASH_BYTES,
  withoutMediaHosts,
} from '@archiefkast/types';
import type { PlacedBlock } from '../storage/blocks.ts';
import { BASE_URL_MARK, withoutSlots } from '../storage/marks.ts';
import { SUPPLEMENTS, type SupplementKind, type TextKind } from '../storage/text-kinds.ts';

/** The text kinds of which dumps of records consist. */
type LineKind = Exclude<TextKind, SupplementKind>;

/** The lines of one text kind in one language: 24 bytes per position. */
interface Measures {
  hashes: Buffer;
  /** Size without base URLs. */
  bytes: Uint32Array;
  /** Number of base URLs. */
  links: Uint32Array;
}

/** Bytes of a hash, a size and a number of links. */
const MEASURE_BYTES = RECORD_HASH_BYTES + 8;

/** Size of the `null` that a rendered event has in place of its location. */
const NULL_BYTES = 4;

/**
 * The hash and size of each text of a record, but its supplement, in base64: what its lines in dumps are measured from,
 * without the records that it embeds.
 */
export function measureTexts(texts: readonly { textKind: TextKind; text: string }[]): string {
  const lines = texts.filter(({ textKind }) => !Object.values<string>(SUPPLEMENTS).includes(textKind));
  const measures = Buffer.alloc(lines.length * MEASURE_BYTES);
  for (const [index, { text }] of lines.entries()) {
    const own = withoutSlots(text);
    const marks = countMarks(own);
    const at = index * MEASURE_BYTES;
    writeHash(own.includes('/media/') ? withoutMediaHosts(own) : own, measures, at);
    measures.writeUInt32LE(Buffer.byteLength(own) - marks, at + RECORD_HASH_BYTES);
    measures.writeUInt32LE(marks, at + RECORD_HASH_BYTES + 4);
  }
  return measures.toString('base64');
}

/**
 * The blocks of the dumps of an edition, from the measures of its records. No line is put together: its hash is
 * chained from the hash of its own text and those of the records that it embeds, and its size is the sum of theirs
 * (docs/decisions/0026). Subjects and persons come before the records that embed them.
 */
export class DumpBlocks {
  readonly #counts: Readonly<Record<Kind, number>>;
  readonly #measures: Readonly<Record<Language, Readonly<Record<LineKind, Measures>>>>;
  /** Position of the location of each event; 0 for none. */
  readonly #locations: Uint32Array;
  readonly #pair = Buffer.alloc(2 * RECORD_HASH_BYTES);

  /** @param counts number of records of each kind */
  constructor(counts: Readonly<Record<Kind, number>>) {
    const measuresOf = (): Record<LineKind, Measures> => ({
      person: createMeasures(counts.person),
      subject: createMeasures(counts.subject),
      location: createMeasures(counts.location),
      event: createMeasures(counts.event),
      abbreviated_event: createMeasures(counts.event),
    });
    this.#counts = counts;
    this.#measures = { en: measuresOf(), nl: measuresOf() };
    this.#locations = new Uint32Array(counts.event);
  }

  /** Adds a record at a position. @param encoded its measures: see `measureTexts` */
  add(kind: Kind, position: number, encoded: string): void {
    const measured = Buffer.from(encoded, 'base64');
    let at = 0;
    for (const textKind of linesOf(kind)) {
      for (const language of LANGUAGES) {
        const { hashes, bytes, links } = this.#measures[language][textKind];
        measured.copy(hashes, (position - 1) * RECORD_HASH_BYTES, at, at + RECORD_HASH_BYTES);
        bytes[position - 1] = measured.readUInt32LE(at + RECORD_HASH_BYTES);
        links[position - 1] = measured.readUInt32LE(at + RECORD_HASH_BYTES + 4);
        at += MEASURE_BYTES;
      }
    }
  }

  /**
   * Adds the records that the record at a position embeds, after its text.
   *
   * @param targets their positions, in order
   */
  addEmbedded(kind: Kind, position: number, textKind: TextKind, targets: readonly number[]): void {
    if (textKind === 'location') this.#locations[position - 1] = targets[0] ?? 0;
    for (const language of LANGUAGES) {
      const measures = this.#measures[language];
      const { bytes } = measures[kind];
      bytes[position - 1] = (bytes[position - 1] ?? 0) + Math.max(0, targets.length - 1);
      if (textKind !== 'subject' && textKind !== 'person') continue;
      for (const target of targets) this.#embed(measures[kind], position, measures[textKind], target);
    }
  }

  /** The blocks, once all texts have been added. */
  finish(): PlacedBlock[] {
    return LANGUAGES.flatMap((language) => {
      const measures = this.#measures[language];
      const { location, event, abbreviated_event } = measures;
      // Locations embed events in the order of their positions, and only then are what events embed.
      for (const [index, at] of this.#locations.entries())
        if (at > 0) this.#embed(location, at, abbreviated_event, index + 1);
      for (const [index, at] of this.#locations.entries()) {
        if (at === 0) continue;
        this.#embed(event, index + 1, location, at);
        event.bytes[index] = (event.bytes[index] ?? 0) - NULL_BYTES;
      }
      return KINDS.flatMap((kind) => blocksOf(measures[kind], this.#counts[kind], language, kind));
    });
  }

  /** Chains the hash of an embedded record, and adds its size. */
  #embed(source: Measures, position: number, target: Measures, at: number): void {
    const [own, other] = [(position - 1) * RECORD_HASH_BYTES, (at - 1) * RECORD_HASH_BYTES];
    source.hashes.copy(this.#pair, 0, own, own + RECORD_HASH_BYTES);
    target.hashes.copy(this.#pair, RECORD_HASH_BYTES, other, other + RECORD_HASH_BYTES);
    writeHash(this.#pair, source.hashes, own);
    source.bytes[position - 1] = (source.bytes[position - 1] ?? 0) + (target.bytes[at - 1] ?? 0);
    source.links[position - 1] = (source.links[position - 1] ?? 0) + (target.links[at - 1] ?? 0);
  }
}

/** The text kinds of the lines of a kind, in the order in which they are rendered. */
function linesOf(kind: Kind): readonly LineKind[] {
  return kind === 'event' ? ['event', 'abbreviated_event'] : [kind];
}

/** Writes the hash of a text, or of two hashes, at an offset. As a string it takes a quarter of the time of a buffer. */
function writeHash(of: string | Buffer, target: Buffer, at: number): void {
  target.write(hash('sha256', of, 'binary'), at, RECORD_HASH_BYTES, 'latin1');
}

/** Number of marks for the base URL. */
function countMarks(text: string): number {
  let marks = 0;
  for (let at = text.indexOf(BASE_URL_MARK); at !== -1; at = text.indexOf(BASE_URL_MARK, at + 1)) marks += 1;
  return marks;
}

function createMeasures(count: number): Measures {
  return {
    hashes: Buffer.alloc(count * RECORD_HASH_BYTES),
    bytes: new Uint32Array(count),
    links: new Uint32Array(count),
  };
}

function blocksOf(
  { hashes, bytes, links }: Measures,
  count: number,
  language: Language,
  kind: Kind,
): PlacedBlock[] {
  const sum = (values: Uint32Array) => values.reduce((total, value) => total + value, 0);
  return Array.from({ length: Math.ceil(count / BLOCK_RECORDS) }, (_, block) => {
    const start = block * BLOCK_RECORDS;
    const end = Math.min(start + BLOCK_RECORDS, count);
    return {
      language,
      dump: COLLECTIONS[kind],
      block,
      // A line feed after each line.
      bytes: sum(bytes.subarray(start, end)) + end - start,
      links: sum(links.subarray(start, end)),
      sha256: createHash('sha256')
        .update(hashes.subarray(start * RECORD_HASH_BYTES, end * RECORD_HASH_BYTES))
        .digest('hex'),
    };
  });
}
