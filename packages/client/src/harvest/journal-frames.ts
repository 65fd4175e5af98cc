import { type FileHandle, open } from 'node:fs/promises';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ArchiveError } from '../errors/archive-errors.ts';

/** The first bytes of a journal of frames. A journal of version 1 has none of this: its entries are lines as they are. */
export const FRAMES_MARK = Buffer.from('archive-journal 2\n');

/** Before the compressed bytes of a frame stand their number and their CRC-32, in four bytes each. */
const HEADER = 8;
/**
 * A frame comes out in one piece: many small ones take longer to put together than to make. It is made in this thread:
 * another takes half as much time again to be handed the work, and its memory stays until the whole heap is collected.
 */
const PACKING = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    // A fifth faster than the level's own, for files that are a fifteenth larger: records repeat long pieces, and soon.
    [constants.ZSTD_c_minMatch]: 7,
    [constants.ZSTD_c_hashLog]: 13,
    [constants.ZSTD_c_windowLog]: 17,
  },
  chunkSize: 256 * 1024,
};
/**
 * What a frame is unpacked into: somewhat more than a harvest puts into one whose pages are small. What is larger comes out
 * in pieces that are put together, and lie about until the collector comes.
 */
const FIRST_UNPACKED_BYTES = 640 * 1024;

/** A journal holds something that was not written so. `intactBytes` of the file, from its start, are whole. */
export class JournalDamageError extends ArchiveError {
  override name = 'JournalDamageError';
  readonly intactBytes: number;

  constructor(path: string, intactBytes: number, what: string) {
    super(`${path}: ${what} after byte ${intactBytes}`);
    this.intactBytes = intactBytes;
  }
}

/** A part of a journal that was written at once: whole entries. */
export interface Frame {
  /** What it holds: lines. */
  plain: Buffer;
  /** Where it begins in the file, in bytes. */
  start: number;
  /** Where the next begins. */
  end: number;
}

/** A frame as it stands in the file. */
interface PackedFrame extends Omit<Frame, 'plain'> {
  packed: Buffer;
}

/** Makes a frame of lines. */
export function encodeFrame(plain: Uint8Array): Buffer {
  const packed = zstdCompressSync(plain, PACKING);
  const frame = Buffer.allocUnsafe(HEADER + packed.length);
  frame.writeUInt32BE(packed.length, 0);
  frame.writeUInt32BE(crc32(packed), 4);
  packed.copy(frame, HEADER);
  free(packed);
  return frame;
}

/** Whether a journal consists of frames; one that is empty does not yet consist of anything. */
export async function isFramed(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FRAMES_MARK.length), 0, FRAMES_MARK.length, 0);
  return buffer.subarray(0, bytesRead).equals(FRAMES_MARK);
}

/**
 * Reads the frames of a journal in order; while one is worked on, the next is read.
 *
 * @param from where a frame begins, in bytes; the first by default
 * @throws JournalDamageError at the first that is cut off or does not hold what was written
 */
export async function* readFrames(
  path: string,
  from = FRAMES_MARK.length,
): AsyncGenerator<Frame, void, void> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const read = (start: number) => (start < size ? readFrame(path, file, start, size) : undefined);
  let coming = read(Math.max(from, FRAMES_MARK.length));
  let chunkSize = FIRST_UNPACKED_BYTES;
  try {
    for (let frame = await coming; frame; frame = await coming) {
      coming = read(frame.end);
      // Its failure is told when its turn comes.
      coming?.catch(() => {});
      const { packed, start, end } = frame;
      const plain = zstdDecompressSync(packed, { chunkSize });
      // A frame is about as large as the one before it.
      chunkSize = Math.max(chunkSize, Math.ceil(1.25 * plain.length));
      free(packed);
      yield { plain, start, end };
    }
  } finally {
    await coming?.catch(() => {});
  }
}

async function readFrame(path: string, file: FileHandle, start: number, size: number): Promise<PackedFrame> {
  const damage = new JournalDamageError(path, start, 'an entry is cut off or damaged');
  const header = Buffer.alloc(HEADER);
  const { bytesRead } = await file.read(header, 0, HEADER, start);
  const length = header.readUInt32BE(0);
  const end = start + HEADER + length;
  if (bytesRead < HEADER || end > size) throw damage;
  // Of its own: memory of Node's pool could not be given back.
  const packed = Buffer.allocUnsafeSlow(length);
  await file.read(packed, 0, length, start + HEADER);
  if (crc32(packed) !== header.readUInt32BE(4)) throw damage;
  return { packed, start, end };
}

/** Gives back the memory of a frame's lines, which nothing may hold any more. */
export function freeFrame({ plain }: Frame): void {
  free(plain);
}

/** At once: the collector counts what lies outside its heap, and would run the more often for it. */
function free({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
