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
import { BASE_URL_MARK, SLOT_MARK } from '../storage/marks.ts';
import { isSupplementKind, type SupplementKind, type TextKind } from '../storage/stored-texts.ts';

/** What encloses the text kind of the texts to insert, and what is left of it without texts. */
const SLOT_BYTE = SLOT_MARK.charCodeAt(0);
const ARRAY_START = '['.charCodeAt(0);
const NULL = Buffer.from('null');

/** A rendered text, and the same as bytes with a line feed. */
interface EncodedText {
  text: string;
  line: Buffer;
}

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

/**
 * The blocks of the dumps of an edition, from the rendered texts of its records. No line is put together: its hash is
 * chained from the hash of its own text and those of the records that it embeds, and its size is the sum of theirs
 * (docs/decisions/0026). Texts of subjects and persons come before those of records that embed them.
 */
export class DumpBlocks {
  readonly #counts: Readonly<Record<Kind, number>>;
  readonly #isSorted: boolean;
  readonly #measures: Readonly<Record<Language, Readonly<Record<LineKind, Measures>>>>;
  readonly #pair = Buffer.alloc(2 * RECORD_HASH_BYTES);

  /**
   * @param counts number of records of each kind
   * @param isSorted whether events are added in the order of their positions: then locations embed each abbreviated event
   *   at once, and only one is kept
   */
  constructor(counts: Readonly<Record<Kind, number>>, isSorted: boolean) {
    const measuresOf = (): Record<LineKind, Measures> => ({
      person: createMeasures(counts.person),
      subject: createMeasures(counts.subject),
      location: createMeasures(counts.location),
      event: createMeasures(counts.event),
      abbreviated_event: createMeasures(isSorted ? 1 : counts.event),
    });
    this.#counts = counts;
    this.#isSorted = isSorted;
    this.#measures = { en: measuresOf(), nl: measuresOf() };
  }

  /** Adds the rendered text of a record at a position, and overwrites `line`; a supplement is no part of these dumps. */
  addText(language: Language, textKind: TextKind, position: number, { text, line }: EncodedText): void {
    if (isSupplementKind(textKind)) return;
    const { hashes, bytes, links } = this.#measures[language][textKind];
    const at = textKind === 'abbreviated_event' ? this.#abbreviatedAt(position) : position;
    const hasSlots = textKind === 'location' || textKind === 'event';
    const own = hasSlots ? emptySlots(line.subarray(0, -1)) : line.subarray(0, -1);
    const marks = countMarks(text);
    bytes[at - 1] = own.length - marks;
    links[at - 1] = marks;
    const plain = text.includes('/media/') ? withoutMediaHosts(own.toString()) : own;
    writeHash(plain, hashes, at);
  }

  /**
   * Adds the records that the record at a position embeds, after its text.
   *
   * @param targets their positions, in order
   */
  addEmbedded(kind: Kind, position: number, textKind: TextKind, targets: readonly number[]): void {
    const commas = Math.max(0, targets.length - 1);
    for (const language of LANGUAGES) {
      const measures = this.#measures[language];
      const { bytes } = measures[kind];
      if (textKind !== 'location') bytes[position - 1] = (bytes[position - 1] ?? 0) + commas;
      else if (this.#isSorted) this.#embedInLocation(language, position, targets[0] ?? 0);
      if (textKind !== 'subject' && textKind !== 'person') continue;
      for (const target of targets) this.#embed(measures[kind], position, measures[textKind], target);
    }
  }

  /**
   * The blocks, once all texts have been added.
   *
   * @param locations position of the location of each event; 0 for none
   */
  finish(locations: Uint32Array): PlacedBlock[] {
    return LANGUAGES.flatMap((language) => {
      const measures = this.#measures[language];
      const { location, event } = measures;
      // Locations embed events in the order of their positions, and only then are what events embed.
      if (!this.#isSorted)
        for (const [index, at] of locations.entries()) this.#embedInLocation(language, index + 1, at);
      for (const [index, at] of locations.entries()) {
        if (at === 0) continue;
        this.#embed(event, index + 1, location, at);
        event.bytes[index] = (event.bytes[index] ?? 0) - NULL.length;
      }
      return KINDS.flatMap((kind) => blocksOf(measures[kind], this.#counts[kind], language, kind));
    });
  }

  /** Where the measures of an abbreviated event are. */
  #abbreviatedAt(position: number): number {
    return this.#isSorted ? 1 : position;
  }

  /** @param at position of the location of the event; 0 for none */
  #embedInLocation(language: Language, event: number, at: number): void {
    const { location, abbreviated_event } = this.#measures[language];
    if (at > 0) this.#embed(location, at, abbreviated_event, this.#abbreviatedAt(event));
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

/** A rendered text with empty slots, as bytes; its memory is used again. */
function emptySlots(text: Buffer): Buffer {
  let opening = text.indexOf(SLOT_BYTE);
  let length = opening;
  while (opening !== -1) {
    const closing = text.indexOf(SLOT_BYTE, opening + 1);
    if (text[opening - 1] !== ARRAY_START) length += NULL.copy(text, length);
    opening = text.indexOf(SLOT_BYTE, closing + 1);
    const end = opening === -1 ? text.length : opening;
    text.copyWithin(length, closing + 1, end);
    length += end - closing - 1;
  }
  return length === -1 ? text : text.subarray(0, length);
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
