import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** The colour of plain pictures. */
export const GREEN = { r: 0, g: 200, b: 0 };

/** A picture without a pattern, which compresses well. */
export const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: GREEN } });

/** A picture with noise, which compresses as a photograph does. */
export const photograph = (width: number, height: number) =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: '#000' },
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  }).jpeg({ quality: 90 });

/** What a camera writes in a picture, among it where it was taken. */
const CAMERA = {
  IFD0: { Make: 'Camera of the archive' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 9/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '4/1 29/1 0/1',
  },
};

/** How a picture is written in each of the five formats. */
const FORMATS = ['png', 'gif', 'jpg', 'webp', 'avif'] as const;

/**
 * Writes pictures in five formats in turn to a folder: the first is 201 × 101, and each is one pixel larger than the one before.
 *
 * @returns their paths in it
 */
export async function writeManyPictures(folder: string, count: number): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths = Array.from({ length: count }, (_, at) => `picture-${at + 1}.${FORMATS[at % FORMATS.length]}`);
  for (const [at, path] of paths.entries()) await plain(201 + at, 101 + at).toFile(join(folder, path));
  return paths;
}

/** Pictures of which sizes can be made, with their width and height as they are shown. */
export const GOOD = {
  // On its side: its file has 1501 × 1003.
  'scans/lying.jpg': [1_003, 1_501],
  'seal.png': [1_024, 1_024],
  'small.webp': [150, 100],
  'map.avif': [900, 300],
  'still.gif': [401, 33],
  // Forms that are not read by lines, and the colours of print.
  'interlaced.png': [600, 400],
  'progressive.jpg': [600, 400],
  'print.jpg': [600, 400],
} as const;

/** A colour that print has too. */
export const SAGE = { r: 120, g: 160, b: 140 };

/** Pictures of which none can be made, and why. */
export const HOSTILE = {
  'bomb.png': /pixel limit/,
  'cut.jpg': /premature end|VipsJpeg/i,
  'drawing.jpg': /not of the type that its name says/,
  'minutes.jpg': /not of the type that its name says/,
} as const;

/** Writes them to a folder. */
export async function writeRealPictures(folder: string): Promise<void> {
  await mkdir(join(folder, 'scans'), { recursive: true });
  const file = (name: string) => join(folder, name);
  await photograph(1_501, 1_003)
    .withExif(CAMERA)
    .withMetadata({ orientation: 6 })
    .toFile(file('scans/lying.jpg'));
  const half = { create: { width: 512, height: 1_024, channels: 3, background: '#00f' } } as const;
  await sharp({ create: { width: 1_024, height: 1_024, channels: 4, background: '#0000' } })
    .composite([{ input: half, gravity: 'west' }])
    .png()
    .toFile(file('seal.png'));
  await plain(150, 100).webp().toFile(file('small.webp'));
  await plain(900, 300).withIccProfile('p3').avif({ effort: 0 }).toFile(file('map.avif'));
  await plain(401, 33).gif().toFile(file('still.gif'));
  const sage = { create: { width: 600, height: 400, channels: 3, background: SAGE } } as const;
  await sharp(sage).png({ progressive: true }).toFile(file('interlaced.png'));
  await sharp(sage).jpeg({ progressive: true }).toFile(file('progressive.jpg'));
  await sharp(sage).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toFile(file('print.jpg'));
  const jpeg = await photograph(800, 600).toBuffer();
  await writeFile(file('cut.jpg'), jpeg.subarray(0, jpeg.length / 2));
  await writeFile(file('drawing.jpg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await writeFile(file('minutes.jpg'), '%PDF-1.7 minutes');
  // The start of the file of a small one, which says that it has 50,000 × 50,000.
  await plain(1, 1).png().toFile(file('bomb.png'));
  const bomb = await readFile(file('bomb.png'));
  bomb.writeUInt32BE(50_000, 16);
  bomb.writeUInt32BE(50_000, 20);
  await writeFile(file('bomb.png'), bomb);
}
