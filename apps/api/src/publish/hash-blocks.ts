import { createHash, hash } from 'node:crypto';
import { COLLECTIONS, forKinds, KINDS, type Kind, LANGUAGES, type Language } from '@archiefkast/types';
import { BLOCK_RECORDS, RECORD_HASH_BYTES, withoutMediaHosts } from '@archiefkast/types/internal';
import { ABBREVIATED_BLOCKS, type PlacedBlock } from '../storage/blocks.ts';
import {
  BASE_URL_MARK,
  SUPPLEMENTS,
  type SupplementKind,
  type TextKind,
  withoutSlots,
} from '../storage/stored-texts.ts';

/** The text kinds of which dumps of records consist. */
type LineKind = Exclude<TextKind, SupplementKind>;

/** Bytes of the measures of a line: its hash, its size without base URLs, and the number of base URLs. */
const MEASURE_BYTES = RECORD_HASH_BYTES + 8;
const SIZE = RECORD_HASH_BYTES;
const LINKS = RECORD_HASH_BYTES + 4;

/** Size of the `null` that a rendered event has in place of its location. */
const NULL_BYTES = 4;

/**
 * The hash and size of each text of a record, but its supplement, in base64: what its lines in dumps are measured from,
 * without the records that it embeds.
 *
 * @returns also the texts that may differ though these are the same: supplements, and those with addresses of media
 */
export function measureTexts(texts: readonly { textKind: TextKind; text: string }[]) {
  const lines = texts.filter(({ textKind }) => !Object.values<string>(SUPPLEMENTS).includes(textKind));
  const rest = texts.filter((each) => !lines.includes(each)).map(({ text }) => text);
  const measures = Buffer.alloc(lines.length * MEASURE_BYTES);
  for (const [index, { text }] of lines.entries()) {
    const own = withoutSlots(text);
    const hashed = own.includes('/media/') ? withoutMediaHosts(own) : own;
    if (hashed !== own) rest.push(own);
    const marks = own.split(BASE_URL_MARK).length - 1;
    const at = index * MEASURE_BYTES;
    writeHash(hashed, measures, at);
    measures.writeUInt32LE(Buffer.byteLength(own) - marks, at + SIZE);
    measures.writeUInt32LE(marks, at + LINKS);
  }
  return { measures: measures.toString('base64'), rest };
}

/**
 * The blocks of the dumps of an edition, from the measures of its records. No line is put together: its hash is
 * chained from the hash of its own text and those of the records that it embeds, and its size is the sum of theirs
 * (docs/decisions/0026). Subjects and persons come before the records that embed them.
 */
export class DumpBlocks {
  readonly #counts: Readonly<Record<Kind, number>>;
  /** The measures of the lines of each text kind, in order of position. */
  readonly #measures: Readonly<Record<Language, Readonly<Record<LineKind, Buffer>>>>;
  /** Position of the location of each event; 0 for none. */
  readonly #locations: Uint32Array;
  readonly #pair = Buffer.alloc(2 * RECORD_HASH_BYTES);

  /** @param counts number of records of each kind */
  constructor(counts: Readonly<Record<Kind, number>>) {
    const measuresOf = () => ({
      ...forKinds((kind) => Buffer.alloc(counts[kind] * MEASURE_BYTES)),
      abbreviated_event: Buffer.alloc(counts.event * MEASURE_BYTES),
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
        measured.copy(this.#measures[language][textKind], offsetOf(position), at, at + MEASURE_BYTES);
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
      // A comma between two of them.
      increase(measures[kind], offsetOf(position) + SIZE, Math.max(0, targets.length - 1));
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
        increase(event, offsetOf(index + 1) + SIZE, -NULL_BYTES);
      }
      return [
        ...KINDS.flatMap((kind) =>
          blocksOf(measures[kind], this.#counts[kind], { language, dump: COLLECTIONS[kind] }),
        ),
        ...blocksOf(abbreviated_event, this.#counts.event, { language, dump: ABBREVIATED_BLOCKS }),
      ];
    });
  }

  /** Size of a record with all that it embeds, in bytes without base URLs, and their number; once all is finished. */
  sizeOf(kind: Kind, position: number): { bytes: number; links: number } {
    const measures = this.#measures[LANGUAGES[0]][kind];
    const at = offsetOf(position);
    return { bytes: measures.readUInt32LE(at + SIZE), links: measures.readUInt32LE(at + LINKS) };
  }

  /** Chains the hash of an embedded record, and adds its size. */
  #embed(source: Buffer, position: number, target: Buffer, at: number): void {
    const [own, other] = [offsetOf(position), offsetOf(at)];
    source.copy(this.#pair, 0, own, own + RECORD_HASH_BYTES);
    target.copy(this.#pair, RECORD_HASH_BYTES, other, other + RECORD_HASH_BYTES);
    writeHash(this.#pair, source, own);
    for (const figure of [SIZE, LINKS]) increase(source, own + figure, target.readUInt32LE(other + figure));
  }
}

/** Offset of the measures at a position. */
function offsetOf(position: number): number {
  return (position - 1) * MEASURE_BYTES;
}

function increase(measures: Buffer, at: number, by: number): void {
  measures.writeUInt32LE(measures.readUInt32LE(at) + by, at);
}

/** The text kinds of the lines of a kind, in the order in which they are rendered. */
function linesOf(kind: Kind): readonly LineKind[] {
  return kind === 'event' ? ['event', 'abbreviated_event'] : [kind];
}

/** Writes the hash of a text, or of two hashes, at an offset. As a string it takes a quarter of the time of a buffer. */
function writeHash(of: string | Buffer, target: Buffer, at: number): void {
  target.write(hash('sha256', of, 'binary'), at, RECORD_HASH_BYTES, 'latin1');
}

function blocksOf(
  measures: Buffer,
  count: number,
  of: Pick<PlacedBlock, 'language' | 'dump'>,
): PlacedBlock[] {
  return Array.from({ length: Math.ceil(count / BLOCK_RECORDS) }, (_, block) => {
    const end = Math.min((block + 1) * BLOCK_RECORDS, count);
    const sha256 = createHash('sha256');
    let [bytes, links] = [0, 0];
    for (let position = block * BLOCK_RECORDS + 1; position <= end; position += 1) {
      const at = offsetOf(position);
      sha256.update(measures.subarray(at, at + RECORD_HASH_BYTES));
      // A line feed after each line.
      bytes += measures.readUInt32LE(at + SIZE) + 1;
      links += measures.readUInt32LE(at + LINKS);
    }
    return { ...of, block, bytes, links, sha256: sha256.digest('hex') };
  });
}
