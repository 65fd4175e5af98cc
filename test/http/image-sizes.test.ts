import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { runApiHere } from '../support/api-here.ts';
import { runApi, settingsFor } from '../support/api-process.ts';
import { type ApiServer, BASE_URL, ITSELF, serveDatabase } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { freePort } from '../support/free-port.ts';
import { endAtLast } from '../support/leftovers.ts';
import { readTables } from '../support/read-tables.ts';
import { GOOD, GREEN, HOSTILE, SAGE, writeRealPictures } from '../support/real-pictures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const NAMES = [...Object.keys(GOOD), ...Object.keys(HOSTILE)];

/** A person for each picture. */
const persons = (names: readonly string[]) =>
  names.map((path) => {
    const number = NAMES.indexOf(path) + 1;
    const image = { id: number, uuid: uuid(100 + number), filetype: 'image', path, alt: 'A. Maker' };
    return { id: number, uuid: uuid(number), title_nl: `Persoon ${number}`, image };
  });

const uuidOf = (name: string) => uuid(NAMES.indexOf(name) + 1);

/** The addresses of all files of a service by its description: its sizes, and its tiles as viewers ask for them. */
function addressesOf({ id, width, height, sizes, tiles }: Info): string[] {
  const whole = sizes.map((size) => `${id}/full/${size.width},${size.height}/0/default.jpg`);
  const [{ width: tile, scaleFactors }] = tiles;
  const pieces = scaleFactors.flatMap((factor) => {
    const step = tile * factor;
    const starts = (length: number) => Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step);
    return starts(width).flatMap((x) =>
      starts(height).map((y) => {
        const [w, h] = [Math.min(step, width - x), Math.min(step, height - y)];
        const isWhole = w === width && h === height;
        const size = `${Math.ceil(w / factor)},${Math.ceil(h / factor)}`;
        return `${id}/${isWhole ? 'full' : `${x},${y},${w},${h}`}/${size}/0/default.jpg`;
      }),
    );
  });
  return [...new Set([`${id}/full/max/0/default.jpg`, ...whole, ...pieces])];
}

interface Info {
  id: string;
  width: number;
  height: number;
  sizes: { width: number; height: number }[];
  tiles: [{ width: number; scaleFactors: number[] }];
}

/** Every file below a folder with its bytes. */
async function contentOf(folder: string): Promise<Map<string, string>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length), (await readFile(path)).toString('latin1')] as const;
  });
  return new Map((await Promise.all(read)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describeEngines('sizes and tiles of pictures (%s)', (engine) => {
  let folder: string;
  let database: TestDatabase;
  let server: ApiServer;
  let settings: Record<string, string>;
  let said: string;
  const pictures = () => join(folder, 'pictures');
  const publish = async (names: readonly string[], ...options: string[]) => {
    const bundle = await writeBundle(join(folder, 'bundle'), { person: persons(names) });
    const ended = await runApiHere(['publish', bundle, ...options], settingsFor(database, settings));
    expect([ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([0, '']);
    return ended;
  };
  const readJson = async (address: string) => {
    const response = await server.fetch(address);
    expect([address, response.status]).toEqual([address, 200]);
    return await response.json();
  };
  const serviceOf = async (name: string): Promise<string> => {
    const manifest = await readJson(`/iiif/${uuidOf(name)}/manifest.json`);
    return manifest.items[0].items[0].items[0].body.service?.[0].id;
  };
  const infoOf = async (name: string): Promise<Info> => readJson(`${await serviceOf(name)}/info.json`);

  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase(engine);
    const media = join(folder, 'media');
    await writeRealPictures(media);
    settings = { BASE_URL, MEDIA_DIR: media, PICTURES_DIR: pictures() };
    said = (await publish(NAMES)).stderr;
    server = await serveDatabase(database, settings);
  });

  test('are made of pictures in five formats at publish, and each file that the description names is served', async () => {
    for (const [name, [width, height]] of Object.entries(GOOD)) {
      const info = await infoOf(name);
      expect(info).toMatchObject({
        ...{
          '@context': 'http://iiif.io/api/image/3/context.json',
          type: 'ImageService3',
          profile: 'level0',
        },
        ...{ protocol: 'http://iiif.io/api/image', id: await serviceOf(name), width, height },
      });
      const longest = info.sizes.map((size) => Math.max(size.width, size.height));
      expect(longest).toEqual([
        ...[200, 400, 640, 1_000].filter((side) => side < Math.max(width, height)),
        Math.max(width, height),
      ]);
      for (const address of addressesOf(info)) {
        const response = await server.fetch(address);
        expect([address, response.status]).toEqual([address, 200]);
        const shown = await sharp(await response.arrayBuffer()).metadata();
        const [, w, h] = /\/(\d+),(\d+)\/0\//.exec(address) ?? ['', width, height];
        expect([address, shown.format, shown.width, shown.height]).toEqual([
          address,
          'jpeg',
          Number(w),
          Number(h),
        ]);
      }
    }
  });

  test('are upright, in the colours of screens, on white, and without metadata', async () => {
    expect((await sharp(join(folder, 'media/scans/lying.jpg')).metadata()).exif).toBeDefined();
    for (const [name, bytes] of await contentOf(pictures())) {
      if (name.endsWith('.json')) continue;
      const { exif, icc, iptc, xmp, orientation } = await sharp(Buffer.from(bytes, 'latin1')).metadata();
      expect([name, exif, icc, iptc, xmp, orientation]).toEqual([name, ...Array(5).fill(undefined)]);
    }
    const colourAt = async (name: string, left: number, top: number) => {
      const address = `${await serviceOf(name)}/full/max/0/default.jpg`;
      const picture = await (await server.fetch(address)).arrayBuffer();
      return [...(await sharp(picture).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
    };
    const metadataOf = (name: string) => sharp(join(folder, 'media', name)).metadata();
    // A file with a wider profile, of which the numbers are others for the same colour.
    expect((await metadataOf('map.avif')).icc).toBeDefined();
    expect(await metadataOf('print.jpg')).toMatchObject({ space: 'cmyk', hasProfile: true });
    expect([
      (await metadataOf('interlaced.png')).isProgressive,
      (await metadataOf('progressive.jpg')).isProgressive,
    ]).toEqual([true, true]);
    for (const [name, colour] of [
      ['map.avif', GREEN],
      ['print.jpg', SAGE],
      ['interlaced.png', SAGE],
      ['progressive.jpg', SAGE],
    ] as const) {
      const shown = await colourAt(name, 450, 150);
      const off = Object.values(colour).map((part, at) => Math.abs(part - (shown[at] ?? 0)));
      expect([name, shown, Math.max(...off) < 8]).toEqual([name, shown, true]);
    }
    expect((await colourAt('seal.png', 900, 500)).every((part) => part > 250)).toBe(true);
    expect((await colourAt('seal.png', 100, 500))[2]).toBeGreaterThan(240);
  });

  test('are not made of hostile pictures, which publish names', async () => {
    for (const [name, reason] of Object.entries(HOSTILE)) {
      const line = said.split('\n').find((each) => each.startsWith(`${name}: no smaller sizes`));
      expect(line).toMatch(reason);
      const response = await server.fetch(`/iiif/${uuidOf(name)}/manifest.json`);
      const text = await response.text();
      expect(text).not.toContain('ImageService3');
    }
    expect(await readdir(pictures())).toHaveLength(Object.keys(GOOD).length);
  });

  test('are served as files are: to any origin, in ranges, with validators, for a year', async () => {
    const id = await serviceOf('seal.png');
    const address = `${id}/0,0,512,512/512,512/0/default.jpg`;
    const whole = await server.fetch(address);
    const body = Buffer.from(await whole.arrayBuffer());
    const etag = whole.headers.get('etag') ?? '';
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      ...{ 'access-control-allow-origin': '*', 'content-type': 'image/jpeg', 'accept-ranges': 'bytes' },
      ...{ 'cache-control': 'public, max-age=31536000, immutable', 'content-length': String(body.length) },
    });
    expect((await server.fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const part = await server.fetch(address, { headers: { range: 'bytes=2-9' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, body.subarray(2, 10)]);
    const base = await server.fetch(id, { redirect: 'manual' });
    expect(base.status).toBe(303);
    expect(new URL(base.headers.get('location') ?? '', id).href).toBe(`${id}/info.json`);
    expect((await server.fetch(`${id}/info.json`)).headers.get('content-type')).toMatch(
      /^application\/ld\+json;profile=/,
    );
  });

  test.each([
    ...[
      '',
      '/',
      '/nonsense',
      '/full/max/0/default.png',
      '/full/max/90/default.jpg',
      '/full/201,200/0/default.jpg',
    ],
    ...[
      '/full',
      '/full/max',
      '/../../media/seal.png',
      '/%2e%2e/info.json',
      '/info.json/',
      '/full/max/0/default.jpg/x',
    ],
  ])('have no %s', async (path) => {
    const name = path === '' ? 'a'.repeat(64) : ((await serviceOf('seal.png')).split('/').at(-1) ?? '');
    expect((await server.fetch(`/iiif/images/${name}${path}`, { redirect: 'manual' })).status).toBe(404);
  });

  test('are not made again, the same when they are, and a node says which it lacks', async () => {
    const before = await contentOf(pictures());
    const times = async () =>
      Promise.all(
        (await readdir(pictures())).map(async (name) => (await stat(join(pictures(), name))).mtimeMs),
      );
    const made = await times();
    const tables = await readTables(database);
    const again = await publish(NAMES);
    expect(again.stdout).toContain('Unchanged');
    expect(await times()).toEqual(made);
    // No lease was taken, and no picture was read: the hostile ones would be named.
    expect([await readTables(database), again.stderr]).toEqual([tables, '']);
    const lacking = async () => (await (await server.admin('/ready')).json()).pictures;
    await expect.poll(lacking, { timeout: 20_000 }).toEqual({ missing: 0, first: [] });
    const sha256 = (await serviceOf('small.webp')).split('/').at(-1) ?? '';
    await rm(join(pictures(), sha256), { recursive: true });
    expect(await lacking()).toEqual({ missing: 1, first: ['small.webp'] });
    expect((await publish(NAMES)).stdout).toContain('Unchanged');
    expect(await lacking()).toEqual({ missing: 0, first: [] });
    await rm(join(pictures(), sha256), { recursive: true });
    // What a killed process leaves is not in the way, nor is what belongs to no edition.
    await mkdir(join(pictures(), '.tmp-0123456789ab'));
    await mkdir(join(pictures(), 'f'.repeat(64)));
    await writeFile(join(pictures(), 'kept.txt'), '');
    const { code, stdout } = await runApiHere(['pictures'], settingsFor(database, settings));
    expect([code, stdout]).toEqual([0, '1 picture lacking: made 1, not made 0; deleted 1.\n']);
    expect(await lacking()).toEqual({ missing: 0, first: [] });
    await rm(join(pictures(), '.tmp-0123456789ab'), { recursive: true });
    await rm(join(pictures(), 'kept.txt'));
    expect(await contentOf(pictures())).toEqual(before);
  });

  test('a node whose files are others says so', async () => {
    const media = join(folder, 'other-media');
    await cp(join(folder, 'media'), media, { recursive: true });
    await cp(join(media, 'still.gif'), join(media, 'scans/copy.gif'));
    await rm(join(media, 'small.webp'));
    await sharp(join(media, 'still.gif')).resize(300, 30).toFile(join(media, 'other.gif'));
    await cp(join(media, 'other.gif'), join(media, 'still.gif'));
    const own = { ...settings, MEDIA_DIR: media, PICTURES_DIR: join(folder, 'other-pictures') };
    const { code, stderr, stdout } = await runApiHere(['pictures'], settingsFor(database, own));
    expect(code).toBe(1);
    expect(stdout).toBe('8 pictures lacking: made 6, not made 2; deleted 1.\n');
    expect(stderr).toContain('small.webp: MEDIA_DIR does not have it\n');
    expect(stderr).toContain('still.gif: MEDIA_DIR has another file\n');
  });

  test('another server has the same files, which manifests then name', async () => {
    const port = await freePort();
    const own = {
      ...settings,
      PICTURES_DIR: join(folder, 'elsewhere'),
      IIIF_IMAGES: `http://127.0.0.1:${port}/scans`,
    };
    const files = createServer((request, response) => {
      const file = join(folder, 'elsewhere', (request.url ?? '').replace('/scans', ''));
      response.writeHead(existsSync(file) ? 200 : 404);
      if (existsSync(file)) createReadStream(file).pipe(response);
      else response.end();
    });
    await new Promise<void>((resolve) => files.listen(port, '127.0.0.1', resolve));
    endAtLast(() => new Promise((resolve) => files.close(resolve)));
    expect(await runApiHere(['pictures'], settingsFor(database, own))).toMatchObject({ code: 0 });
    const other = await serveDatabase(database, { BASE_URL, IIIF_IMAGES: own.IIIF_IMAGES });
    const manifest = await (await other.fetch(`/iiif/${uuidOf('seal.png')}/manifest.json`)).json();
    const { id } = manifest.items[0].items[0].items[0].body.service[0];
    const info = await (await fetch(`${id}/info.json`)).json();
    expect(info.id).toBe(id);
    for (const address of addressesOf(info))
      expect([address, (await fetch(address)).status]).toEqual([address, 200]);
    expect((await other.fetch(`/iiif/images/${id.split('/').at(-1)}/info.json`)).status).toBe(404);
    await other.stop();
  });

  test('another picture under the same name is another service', async () => {
    const before = await serviceOf('still.gif');
    const file = join(folder, 'media/still.gif');
    const old = await readFile(file);
    await writeFile(file, await sharp(old).resize(300, 30).gif().toBuffer());
    await publish(NAMES);
    await expect.poll(() => serviceOf('still.gif'), { timeout: 20_000 }).not.toBe(before);
    expect(await infoOf('still.gif')).toMatchObject({ width: 300, height: 30 });
    await writeFile(file, old);
    await publish(NAMES);
    await expect.poll(() => serviceOf('still.gif'), { timeout: 20_000 }).toBe(before);
  });

  test('a copy says the same sizes, and names services once it hosts the files and makes them', async () => {
    const original = await serveDatabase(database, { ...settings, BASE_URL: ITSELF });
    const harvested = join(folder, 'harvest');
    const args = [
      'harvest',
      '--base-url',
      original.origin,
      '--out',
      harvested,
      '--format',
      'jsonl',
      '--media',
    ];
    expect(await runHere(args)).toMatchObject({ code: 0 });
    const itemsOf = async (copied: Record<string, string>) => {
      const place = await createTestDatabase(engine);
      const ended = await runApiHere(['publish', harvested], settingsFor(place, { BASE_URL, ...copied }));
      expect([ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([0, '']);
      const copy = await serveDatabase(place, copied);
      const manifest = await (await copy.fetch(`/iiif/${uuidOf('scans/lying.jpg')}/manifest.json`)).json();
      const [{ width, height, items }] = manifest.items;
      const [{ id } = { id: '' }] = items[0].items[0].body.service ?? [];
      const found = id && (await copy.fetch(`${id}/full/max/0/default.jpg`)).status;
      await copy.stop();
      return [width, height, id.replace(/^.*\//, ''), found];
    };
    const plainly = [1_003, 1_501, '', ''];
    const sha256 = (await serviceOf('scans/lying.jpg')).split('/').at(-1);
    expect(await itemsOf({})).toEqual(plainly);
    const hosting = { MEDIA_DIR: join(harvested, 'media') };
    expect(await itemsOf(hosting)).toEqual(plainly);
    const making = { ...hosting, PICTURES_DIR: join(folder, 'copied-pictures') };
    expect(await itemsOf(making)).toEqual([1_003, 1_501, sha256, 200]);
    await original.stop();
  });

  test('of a record that is taken down, nothing is left', async () => {
    const sha256 = (await serviceOf('seal.png')).split('/').at(-1) ?? '';
    expect(await readdir(pictures())).toContain(sha256);
    await publish(
      NAMES.filter((name) => name !== 'seal.png'),
      '--keep',
      '1',
    );
    expect(await readdir(pictures())).not.toContain(sha256);
    expect((await server.fetch(`/iiif/images/${sha256}/full/max/0/default.jpg`)).status).toBe(404);
  });
});

describe('without what they are made with', () => {
  test.each([
    ['PICTURES_DIR: expected a folder', { MEDIA_DIR: '/tmp' }],
    ['MEDIA_DIR: expected a folder', { PICTURES_DIR: '/nowhere' }],
  ])('the command says %s', async (reason, settings) => {
    const database = await createTestDatabase('sqlite');
    const { code, stderr } = await runApiHere(['pictures'], settingsFor(database, settings));
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  test('a publish says how to get the package, and where it cannot write', async () => {
    const folder = await temporaryFolder();
    const database = await createTestDatabase('sqlite');
    const media = join(folder, 'media');
    await writeRealPictures(media);
    const bundle = await writeBundle(join(folder, 'bundle'), { person: persons(['small.webp']) });
    const hidden = join(folder, 'hide.mjs');
    await writeFile(
      hidden,
      `import { registerHooks } from 'node:module';
       const resolve = (name, context, next) => next(name === 'sharp' ? 'sharp-that-is-not-installed' : name, context);
       registerHooks({ resolve });`,
    );
    const settings = { MEDIA_DIR: media, PICTURES_DIR: join(folder, 'pictures') };
    const without = { ...settings, NODE_OPTIONS: `--import=${hidden}` };
    const ended = await runApi(['publish', bundle], settingsFor(database, without));
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('npm install sharp')]);
    await writeFile(join(folder, 'file'), '');
    const { code, stderr } = await runApiHere(
      ['publish', bundle],
      settingsFor(database, { ...settings, PICTURES_DIR: join(folder, 'file/pictures') }),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('file cannot be written')]);
  });
});
