import { type FileHandle, open } from 'node:fs/promises';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ArchiveError } from '../errors/archive-errors.ts';

/** The first bytes of a journal of frames. A journal of version 1 has no frames: its lines are not compressed. */
export const FRAMES_MARK = Buffer.from('archive-journal 2\n');

/** Header of a frame: size and CRC-32 of the compressed bytes, four bytes each. */
const HEADER = 8;
/**
 * Compression options. The output buffer fits a whole frame: concatenating small ones takes longer than compressing. It runs in
 * this thread: another one takes 50 % more time, and its memory is freed only by a full garbage collection.
 */
const PACKING = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    // 20 % faster than the level's default, for files that are 7 % larger: records repeat long strings at short distances.
    [constants.ZSTD_c_minMatch]: 7,
    [constants.ZSTD_c_hashLog]: 13,
    [constants.ZSTD_c_windowLog]: 17,
  },
  chunkSize: 256 * 1024,
};
/**
 * Size of the decompression buffer: somewhat more than a frame of small pages. Larger frames are concatenated from several
 * buffers, which remain until garbage collection.
 */
const FIRST_UNPACKED_BYTES = 640 * 1024;

/** A journal is damaged. The first `intactBytes` bytes of the file are intact. */
export class JournalDamageError extends ArchiveError {
  override name = 'JournalDamageError';
  readonly intactBytes: number;

  constructor(path: string, intactBytes: number, what: string) {
    super(`${path}: ${what} after byte ${intactBytes}`);
    this.intactBytes = intactBytes;
  }
}

/** A part of a journal that was written at once: complete entries. */
export interface Frame {
  /** The lines of the frame. */
  plain: Buffer;
  /** Offset in the file, in bytes. */
  start: number;
  /** Offset of the next frame. */
  end: number;
}

/** A compressed frame, as in the file. */
interface PackedFrame extends Omit<Frame, 'plain'> {
  packed: Buffer;
}

/** Compresses lines to a frame. */
export function encodeFrame(plain: Uint8Array): Buffer {
  const packed = zstdCompressSync(plain, PACKING);
  const frame = Buffer.allocUnsafe(HEADER + packed.length);
  frame.writeUInt32BE(packed.length, 0);
  frame.writeUInt32BE(crc32(packed), 4);
  packed.copy(frame, HEADER);
  free(packed);
  return frame;
}

/** Whether a journal consists of frames; false if it is empty. */
export async function isFramed(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FRAMES_MARK.length), 0, FRAMES_MARK.length, 0);
  return buffer.subarray(0, bytesRead).equals(FRAMES_MARK);
}

/**
 * Reads the frames of a journal in order, the next one ahead.
 *
 * @param from offset of a frame, in bytes; the first by default
 * @throws JournalDamageError at the first truncated or damaged frame
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
      // A failure is thrown when the frame is used.
      coming?.catch(() => {});
      const { packed, start, end } = frame;
      const plain = zstdDecompressSync(packed, { chunkSize });
      // Most frames are about as large as the previous one.
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
  // Not from Node's buffer pool, whose memory could not be released.
  const packed = Buffer.allocUnsafeSlow(length);
  await file.read(packed, 0, length, start + HEADER);
  if (crc32(packed) !== header.readUInt32BE(4)) throw damage;
  return { packed, start, end };
}

/** Releases the memory of a frame's lines, which must no longer be used. */
export function freeFrame({ plain }: Frame): void {
  free(plain);
}

/** Releases memory immediately: external memory makes garbage collection run more often. */
function free({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
