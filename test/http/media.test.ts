import { chmod, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { BASE_URL, startApi, type TestArchive } from '../support/api-server.ts';
import { startCountedApi } from '../support/counted-api.ts';
import { send } from '../support/send.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { getJson, type Page } from '../support/walk.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const bytes = (text: string) => Buffer.from(text, 'latin1');
const AVIF = bytes('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf and more');

/** Served files, and their types. */
const SERVED: Readonly<Record<string, [type: string, body: Buffer]>> = {
  'point.png': ['image/png', PNG],
  'portraits/Anna Vos #1?.JPG': ['image/jpeg', bytes('\xff\xd8\xff\xe0 a photograph')],
  'a/b/c.jpeg': ['image/jpeg', bytes('\xff\xd8\xff\xdb')],
  'moving.gif': ['image/gif', bytes('GIF89a and more')],
  'small.webp': ['image/webp', bytes('RIFF\x04\0\0\0WEBPVP8 ')],
  'new.avif': ['image/avif', AVIF],
  'inventory.pdf': ['application/pdf', bytes('%PDF-1.7 pages')],
  'linked.png': ['image/png', PNG],
  'caf\u00e9/Zo\u00eb.png': ['image/png', PNG],
};

/** Paths below `/media/` without a file: by their form, by what stands there, and by its content. */
const ABSENT = [
  ...['', 'nothing.png', 'portraits', 'portraits/', 'point.png/', 'point.png/x.png', './point.png'],
  ...[
    '../outside.png',
    'portraits/../point.png',
    '%2e%2e/outside.png',
    '%2e%2e%2foutside.png',
    '..%5coutside.png',
  ],
  ...['%252e%252e%252foutside.png', 'a%5cb.png', 'point.png%00', 'point.png%00.png', '%ff.png'],
  ...['.hidden.png', '.git/point.png', 'out.png', 'outside/outside.png', 'round.png', 'folder.png', 'point'],
  ...['drawing.svg', 'page.html', 'page.png', 'point.jpg', 'empty.gif', `${'x'.repeat(300)}.png`],
];

const PERSON = '0b5e8a3c-6d1f-4c7e-9a2b-3f4d5e6a7b8c';
const image = { id: 1, uuid: PERSON, filetype: 'image', title: 'Anna Vos', alt: 'Us', copyright: 'CC0' };

async function makeFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const media = join(folder, 'media');
  for (const [name, [, body]] of Object.entries(SERVED)) {
    await mkdir(join(media, name, '..'), { recursive: true });
    if (name !== 'linked.png') await writeFile(join(media, name), body);
  }
  await mkdir(join(media, '.git'));
  await mkdir(join(media, 'folder.png'));
  for (const name of ['.hidden.png', '.git/point.png', '../outside.png', 'point.jpg', 'point']) {
    await writeFile(join(media, name), PNG);
  }
  await writeFile(join(media, 'empty.gif'), '');
  for (const name of ['drawing.svg', 'page.html', 'page.png']) {
    await writeFile(join(media, name), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  }
  await symlink('point.png', join(media, 'linked.png'));
  await symlink('../outside.png', join(media, 'out.png'));
  await symlink('..', join(media, 'outside'));
  await symlink('round.png', join(media, 'round.png'));
  return folder;
}

async function makeBundle(folder: string): Promise<string> {
  const bundle = join(folder, 'bundle');
  await mkdir(bundle);
  const person = {
    id: 1,
    uuid: PERSON,
    title_nl: 'Anna Vos',
    image: { ...image, path: 'portraits/Anna Vos #1?.JPG' },
    files: [{ ...image, id: 2, path: 'point.png' }],
  };
  await writeFile(join(bundle, 'persons.jsonl'), JSON.stringify(person));
  for (const name of ['subjects', 'locations', 'events']) await writeFile(join(bundle, `${name}.jsonl`), '');
  return bundle;
}

const encoded = (name: string) => name.split('/').map(encodeURIComponent).join('/');

describe('files of MEDIA_DIR', () => {
  let folder: string;
  let archive: TestArchive;
  beforeAll(async () => {
    folder = await makeFolder();
    const settings = { MEDIA_DIR: join(folder, 'media') };
    archive = await startApi({ engine: 'sqlite', bundle: await makeBundle(folder), settings });
  });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(archive.origin, headers, method, `/media/${path}`);

  test.each(Object.entries(SERVED))('%s is served with its type', async (name, [type, body]) => {
    const answer = await get(encoded(name), { 'accept-encoding': 'gzip, br, zstd' });
    expect(answer.status).toBe(200);
    expect(answer.body.equals(body)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-length': String(body.length),
      'accept-ranges': 'bytes',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none';.*sandbox/),
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"/),
      'last-modified': expect.any(String),
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-disposition']).toBe(type === 'application/pdf' ? 'attachment' : undefined);
  });

  test.each(['cafe\u0301/Zoe\u0308.png', 'cafe\u0301/Zo\u00eb.png', 'caf\u00e9/Zoe\u0308.png'])(
    '%j is found, whose name is stored in another Unicode form',
    async (name) => {
      const answer = await get(encoded(name));
      expect([answer.status, answer.body.equals(PNG)]).toEqual([200, true]);
    },
  );

  test.each(ABSENT)('%j is not found', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(answer.body.toString())).toMatchObject({ type: `${BASE_URL}/problems/not-found` });
  });

  test('a browser gets a page for a wrong address', async () => {
    const { status, headers } = await get('nothing.png', { accept: 'text/html' });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('HEAD has the headers and no body', async () => {
    const { headers: asked } = await get('point.png');
    const { status, headers, body } = await get('point.png', {}, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    for (const name of ['etag', 'content-length', 'content-type', 'last-modified']) {
      expect(headers[name]).toBe(asked[name]);
    }
  });

  test.each([
    ['bytes=0-7', 206, PNG.subarray(0, 8)],
    ['bytes=8-', 206, PNG.subarray(8)],
    ['bytes=-4', 206, PNG.subarray(-4)],
    ['bytes=-1000', 206, PNG],
    ['BYTES= 60-1000', 206, PNG.subarray(60)],
    ...['bytes=9-2', 'bytes=-', 'bytes=a-b', 'lines=0-5', 'bytes'].map((range) => [range, 200, PNG] as const),
    ['bytes=1-2,4-5', 200, PNG],
  ] as const)('Range: %s', async (range, status, part) => {
    const answer = await get('point.png', { range });
    expect(answer.status).toBe(status);
    expect(answer.body.equals(part)).toBe(true);
  });

  test('a range out of bounds is rejected, and If-Range with another version gets the whole file', async () => {
    for (const range of ['bytes=9999-', `bytes=${PNG.length}-`, 'bytes=-0']) {
      const beyond = await get('point.png', { range });
      expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${PNG.length}`]);
    }
    const other = await get('point.png', { range: 'bytes=0-7', 'if-range': '"other"' });
    expect([other.status, other.body.length]).toEqual([200, PNG.length]);
  });

  test('an unchanged file gets a 304, a changed one is sent', async () => {
    const { headers } = await get('point.png');
    const tag = { 'if-none-match': headers.etag ?? '' };
    expect((await get('point.png', tag)).status).toBe(304);
    expect((await get('point.png', { 'if-modified-since': headers['last-modified'] ?? '' })).status).toBe(
      304,
    );
    await utimes(join(folder, 'media', 'point.png'), new Date(), new Date(2_000_000_000_000));
    const changed = await get('point.png', tag);
    expect(changed.status).toBe(200);
    expect(changed.headers['last-modified']).toBe(new Date(2_000_000_000_000).toUTCString());
  });

  test('other methods are rejected, OPTIONS lists the allowed ones', async () => {
    expect((await get('point.png', {}, 'PUT')).status).toBe(405);
    expect(JSON.parse((await get('point.png', {}, 'OPTIONS')).body.toString())).toMatchObject({
      name: 'Media',
      parameters: {},
    });
  });

  test('pictures do not count against the limit of downloads', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => get('small.webp')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('records have their addresses, and pages show them', async () => {
    const { results } = await getJson<Page>(archive, '/en/api/persons');
    const { path, url } = (results[0] as { image: { path: string; url: string } }).image;
    expect({ path, url }).toEqual({
      path: `${BASE_URL}/media/portraits/Anna%20Vos%20%231%3F.JPG`,
      url: '',
    });
    expect((await archive.fetch(path)).headers.get('content-type')).toBe('image/jpeg');
    const page = await archive.fetch(`/en/personen/${PERSON}/`);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("img-src 'self' https: http: data:;");
    expect(policy).not.toMatch(/unsafe|\*/);
    const html = await page.text();
    expect(html).toContain('<img src="../../../media/portraits/Anna%20Vos%20%231%3F.JPG"');
    expect(html).toContain(`<meta property="og:image" content="${path}"/>`);
  });

  test('an export has their paths', async () => {
    const out = join(folder, 'exported');
    expect(await runApiHere(['extract', out], settingsFor(archive.database, { BASE_URL }))).toMatchObject({
      code: 0,
    });
    const exported = await readFile(join(out, 'persons.jsonl'), 'utf8');
    expect(JSON.parse(exported)).toMatchObject({
      image: { path: 'portraits/Anna Vos #1?.JPG' },
      files: [{ path: 'point.png' }],
    });
  });
});

test('an unreadable file is 503, not 404', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'secret.png'), PNG);
  await chmod(join(folder, 'secret.png'), 0);
  const api = await startCountedApi({ engine: 'sqlite', mediaFolder: folder });
  const { getuid = () => 1, seteuid = () => {} } = process;
  const isRoot = getuid() === 0;
  try {
    // Root can read every file.
    if (isRoot) seteuid(65_534);
    const { status, headers, body } = await send(`${api.origin}/media/secret.png`);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(body.toString())).toMatchObject({ type: `${BASE_URL}/problems/file-unavailable` });
  } finally {
    if (isRoot) seteuid(0);
    await api.stop();
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['/nowhere/at/all', 'ENOENT'],
  [new URL(import.meta.url).pathname, 'ENOTDIR'],
])('MEDIA_DIR=%s is rejected at start-up', async (path, reason) => {
  const { code, stderr } = await runApiHere(['serve'], { MEDIA_DIR: path, PORT: '0', BASE_URL });
  expect(code).toBe(2);
  expect(stderr).toContain(`MEDIA_DIR: expected a readable folder, got "${path}": ${reason}`);
});
