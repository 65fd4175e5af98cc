import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A part of a body: text, or bytes that several parts share. */
export type Chunk = string | Buffer | PackedText;

/** A part of a long text, compressed or not. */
interface Block {
  bytes: Buffer;
  /** Its size in bytes without compression. */
  length: number;
}

/** Fast, as records repeat themselves at short distances. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Size of the longest text whose blocks are not compressed: the limit of the cache of locations. */
const LARGEST_PLAIN = 16 * 2 ** 20;

/** Size of the largest block: each client that is sent such a text has one of its own. */
const LARGEST_BLOCK = 2 ** 20;

/** A long text in blocks. If it is longer than many of them fit in memory, they are compressed, and unpacked as they are sent. */
export class PackedText {
  #blocks: Block[] = [];
  /** Size of the text in bytes. */
  length = 0;

  /** Size of the blocks in bytes. */
  get byteLength(): number {
    return this.#blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Adds a part of the text, as one block or several. */
  add(text: string): void {
    const all = Buffer.from(text);
    this.length += all.length;
    for (let at = 0; at < all.length; at += LARGEST_BLOCK) {
      const bytes = all.subarray(at, at + LARGEST_BLOCK);
      this.#blocks.push({ bytes, length: bytes.length });
    }
    if (this.length > LARGEST_PLAIN) this.#blocks = this.#blocks.map(pack);
  }

  *unpack(): Generator<Buffer, void, void> {
    for (const { bytes, length } of this.#blocks) {
      // Room for all of it at once: by default, Node puts together pieces of 16 kB.
      yield bytes.length < length
        ? zstdDecompressSync(bytes, { chunkSize: Math.max(64, length + 1) })
        : bytes;
    }
  }
}

function pack({ bytes, length }: Block): Block {
  const packed = bytes.length < length ? bytes : zstdCompressSync(bytes, PACKING);
  return { bytes: packed.length < length ? packed : bytes, length };
}

/** The text of chunks. */
export function textOf(chunks: readonly Chunk[]): string {
  return chunks
    .map((chunk) => (chunk instanceof PackedText ? Buffer.concat([...chunk.unpack()]) : chunk).toString())
    .join('');
}

/** Encodes chunks as UTF-8: adjacent texts become one buffer. Shared bytes are not copied, and what is packed stays so. */
export function* encodeTexts(chunks: readonly Chunk[]): Generator<Buffer | PackedText, void, void> {
  let text: string[] = [];
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      text.push(chunk);
      continue;
    }
    if (text.length > 0) yield Buffer.from(text.join(''));
    text = [];
    yield chunk;
  }
  if (text.length > 0) yield Buffer.from(text.join(''));
}

/** Encodes chunks as UTF-8, and unpacks what is packed when it is read. */
export function* encodeChunks(chunks: readonly Chunk[]): Generator<Buffer, void, void> {
  for (const part of encodeTexts(chunks)) {
    if (part instanceof PackedText) yield* part.unpack();
    else yield part;
  }
}
