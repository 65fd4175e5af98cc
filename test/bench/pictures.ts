import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProcess } from '../support/api-process.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { peakMemory } from '../support/memory.ts';
import { photograph } from '../support/real-pictures.ts';

/*
 * node test/bench/pictures.ts [--count 100] [--width 4000] [--height 3000]
 *
 * Publishes an archive with so many different pictures of this size and PICTURES_DIR, and then again. Prints how long that takes, the
 * most memory of the process, and what is written.
 */

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    width: { type: 'string', default: '4000' },
    height: { type: 'string', default: '3000' },
  },
});
const [count, width, height] = [values.count, values.width, values.height].map(Number);

const folder = await mkdtemp(join(tmpdir(), 'bench-pictures-'));
try {
  const media = join(folder, 'media');
  await mkdir(media);
  const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const person = Array.from({ length: count ?? 0 }, (_, at) => {
    const image = {
      id: at,
      uuid: uuid(100_000 + at),
      filetype: 'image',
      path: `${at}.jpg`,
      alt: 'x',
      author: 'CC0',
    };
    return { id: at, uuid: uuid(at), title_nl: `Persoon ${at}`, title_en: `Person ${at}`, image };
  });
  const jpeg = await photograph(width ?? 0, height ?? 0).toBuffer();
  for (const { id, image } of person) {
    // A comment (COM) makes each another file.
    const comment = Buffer.from(`\xff\xfe\0\x08${String(id).padStart(6, '0')}`, 'latin1');
    await writeFile(join(media, image.path), Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]));
  }
  const bundle = await writeBundle(join(folder, 'bundle'), { person });
  const settings = {
    ...{ DATABASE_URL: `sqlite:${join(folder, 'archive.sqlite')}`, DERIVED_DIR: join(folder, 'derived') },
    ...{ MEDIA_DIR: media, PICTURES_DIR: join(folder, 'pictures') },
  };
  for (const run of ['first', 'again']) {
    const started = performance.now();
    const publishing = startProcess(['publish', bundle], settings);
    let peak = 0;
    let hasEnded = false;
    void publishing.ended.then(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      peak = Math.max(peak, peakMemory(publishing.pid));
      await sleep(50);
    }
    const { code, stderr } = await publishing.ended;
    if (code !== 0) throw new Error(stderr);
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(`${run}: ${seconds.toFixed(1)} s, ${peak.toFixed(0)} MB of memory\n`);
  }
  for (const [name, path] of [
    ['originals', media],
    ['PICTURES_DIR', settings.PICTURES_DIR],
  ] as const) {
    const { files, bytes } = await measure(path);
    process.stdout.write(`${name}: ${files} files, ${(bytes / 1e6).toFixed(0)} MB\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The files below a folder and their size on disk, those of two names once. */
async function measure(path: string): Promise<{ files: number; bytes: number }> {
  const found = new Map<number, number>();
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { ino, blocks } = await stat(join(entry.parentPath, entry.name));
    found.set(ino, blocks * 512);
  }
  return { files: found.size, bytes: [...found.values()].reduce((sum, bytes) => sum + bytes, 0) };
}
