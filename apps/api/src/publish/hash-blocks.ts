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
import { isSupplementKind, type SupplementKind, type TextKind } from '../storage/text-kinds.ts';

/** The text kinds of which dumps of records consist. */
type LineKind = Exclude<TextKind, SupplementKind>;

/** The texts of one text kind in one language: 24 bytes per position. */
interface Measures {
  hashes: Buffer;
  /** Size without base URLs. */
  bytes: Uint32Array;
  /** Number of base URLs. */
  links: Uint32Array;
}

/** Size of the `null` that a rendered event has in place of its location. */
const NULL_BYTES = 4;

/**
 * The blocks of the dumps of an edition, from the rendered texts of its records. No line is put together: its hash is
 * chained from the hash of its own text and those of the records that it embeds, and its size is the sum of theirs
 * (docs/decisions/0026). Texts of subjects and persons come before those of records that embed them.
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

  /** Adds the rendered text of a record at a position; a supplement is no part of these dumps. */
  addText(language: Language, textKind: TextKind, position: number, text: string): void {
    if (isSupplementKind(textKind)) return;
    const { hashes, bytes, links } = this.#measures[language][textKind];
    const own = withoutSlots(text);
    const marks = countMarks(own);
    bytes[position - 1] = Buffer.byteLength(own) - marks;
    links[position - 1] = marks;
    writeHash(own.includes('/media/') ? withoutMediaHosts(own) : own, hashes, position);
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
    writeHash(this.#pair, source.hashes, position);
    source.bytes[position - 1] = (source.bytes[position - 1] ?? 0) + (target.bytes[at - 1] ?? 0);
    source.links[position - 1] = (source.links[position - 1] ?? 0) + (target.links[at - 1] ?? 0);
  }
}

/** Writes the hash of a text, or of two hashes, for a position. As a string it takes a quarter of the time of a buffer. */
function writeHash(of: string | Buffer, hashes: Buffer, position: number): void {
  hashes.write(hash('sha256', of, 'binary'), (position - 1) * RECORD_HASH_BYTES, RECORD_HASH_BYTES, 'latin1');
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
