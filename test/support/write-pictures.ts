import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of parts: texts byte by byte, numbers of two and four bytes. */
const bytes = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

function number(value: number, size: number, order: 'BE' | 'LE'): Buffer {
  const buffer = Buffer.alloc(size);
  if (order === 'BE') buffer.writeUIntBE(value, 0, size);
  else buffer.writeUIntLE(value, 0, size);
  return buffer;
}

const box = (name: string, ...parts: (string | Buffer)[]) => {
  const body = bytes(name, ...parts);
  return bytes(number(body.length + 4, 4, 'BE'), body);
};

/** The start of a file of each format, which is all that its size is read from. */
const FORMATS: readonly [ending: string, head: (width: number, height: number) => Buffer][] = [
  [
    'png',
    (width, height) =>
      bytes(
        '\x89PNG\r\n\x1a\n',
        number(13, 4, 'BE'),
        'IHDR',
        number(width, 4, 'BE'),
        number(height, 4, 'BE'),
        '\x08\x02\0\0\0',
      ),
  ],
  ['gif', (width, height) => bytes('GIF89a', number(width, 2, 'LE'), number(height, 2, 'LE'), '\0\0\0')],
  [
    'jpg',
    // On its side, as EXIF says: height and width change places.
    (width, height) => {
      const exif = bytes(
        'Exif\0\0',
        'MM\0*',
        number(8, 4, 'BE'),
        number(1, 2, 'BE'),
        '\x01\x12\0\x03\0\0\0\x01\0\x06\0\0',
        '\0\0\0\0',
      );
      const frame = bytes('\x08', number(width, 2, 'BE'), number(height, 2, 'BE'), '\x01\x01\x11\0');
      return bytes(
        ...['\xff\xd8', '\xff\xe1', number(exif.length + 2, 2, 'BE'), exif],
        ...['\xff\xc0', number(frame.length + 2, 2, 'BE'), frame, '\xff\xd9'],
      );
    },
  ],
  [
    'webp',
    (width, height) =>
      bytes(
        'RIFF',
        number(22, 4, 'LE'),
        'WEBPVP8X',
        number(10, 4, 'LE'),
        '\0\0\0\0',
        number(width - 1, 3, 'LE'),
        number(height - 1, 3, 'LE'),
      ),
  ],
  [
    'avif',
    (width, height) =>
      bytes(
        box('ftyp', 'avif', '\0\0\0\0', 'avif', 'mif1'),
        box(
          'meta',
          '\0\0\0\0',
          box('iprp', box('ipco', box('ispe', '\0\0\0\0', number(width, 4, 'BE'), number(height, 4, 'BE')))),
        ),
      ),
  ],
];

/**
 * Writes starts of pictures in five formats in turn to a folder: the first is 101 × 51, and each is one pixel larger than the one before.
 *
 * @returns their paths in it
 */
export async function writePictures(folder: string, count: number): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const [ending = '', head] = FORMATS[index % FORMATS.length] ?? [];
    const path = `picture-${index + 1}.${ending}`;
    if (head) await writeFile(join(folder, path), head(101 + index, 51 + index));
    paths.push(path);
  }
  return paths;
}
