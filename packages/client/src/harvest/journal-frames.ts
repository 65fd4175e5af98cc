import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress } from 'node:zlib';
import { JournalDamageError } from './journal-damage-error.ts';

/** The first bytes of a journal of frames. A journal of version 1 has none of this: its entries are lines as they are. */
export const FRAMES_MARK = Buffer.from('archive-journal 2\n');

/** Before the compressed bytes of a frame stand their number and their CRC-32, in four bytes each. */
const HEADER = 8;
/** In threads of their own, beside the one that reads and checks records. */
const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);
/** A frame comes out in one piece: many small ones take longer to put together than to make. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 256 * 1024 };
const UNPACKING = { chunkSize: 1024 * 1024 };

/** A part of a journal that was written at once: whole entries. */
export interface Frame {
  /** What it holds: lines. */
  plain: Buffer;
  /** Where it begins in the file, in bytes. */
  start: number;
  /** Where the next begins. */
  end: number;
}

/** Makes a frame of lines, which must stay as they are until it is made. */
export async function encodeFrame(plain: Uint8Array): Promise<Buffer> {
  const packed = await pack(plain, PACKING);
  const frame = Buffer.allocUnsafe(HEADER + packed.length);
  frame.writeUInt32BE(packed.length, 0);
  frame.writeUInt32BE(crc32(packed), 4);
  packed.copy(frame, HEADER);
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
  try {
    for (let frame = await coming; frame; frame = await coming) {
      coming = read(frame.end);
      // Its failure is told when its turn comes.
      coming?.catch(() => {});
      yield frame;
    }
  } finally {
    await coming?.catch(() => {});
  }
}

async function readFrame(path: string, file: FileHandle, start: number, size: number): Promise<Frame> {
  const damage = new JournalDamageError(path, start, 'an entry is cut off or damaged');
  const header = Buffer.alloc(HEADER);
  const { bytesRead } = await file.read(header, 0, HEADER, start);
  const length = header.readUInt32BE(0);
  const end = start + HEADER + length;
  if (bytesRead < HEADER || end > size) throw damage;
  const packed = Buffer.allocUnsafe(length);
  await file.read(packed, 0, length, start + HEADER);
  if (crc32(packed) !== header.readUInt32BE(4)) throw damage;
  return { plain: await unpack(packed, UNPACKING), start, end };
}
