import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { normalize } from '@iiif/parser';
import { presentation3StrictUpgrade } from '@iiif/parser/strict';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { type Settings, settingsFor } from '../support/api-process.ts';
import { BASE_URL, serveDatabase } from '../support/api-server.ts';
import { needs, placeOf } from '../support/programs.ts';
import { writeManyPictures } from '../support/real-pictures.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { writePictures } from '../support/write-pictures.ts';

/** The JSON schema of the validator of the Presentation API 3. */
const SCHEMA = join(placeOf('standards'), 'iiif/presentation-validator/schema/iiif_3_0.json');

type Server = Pick<Awaited<ReturnType<typeof serveDatabase>>, 'fetch'>;

interface Item {
  id: string;
  type: string;
}

type Manifest = Parameters<typeof presentation3StrictUpgrade>[0];

/** Whether a document says that it is a manifest, which the schema has checked. */
const isManifest = (document: Item): document is Manifest => document.type === 'Manifest';

async function publish(bundle: string, settings: Settings = {}) {
  const database = await createTestDatabase('sqlite');
  const publishing = await runApiHere(['publish', bundle], settingsFor(database, settings));
  expect([publishing.code, publishing.code === 0 ? '' : publishing.stderr]).toEqual([0, '']);
  return { database, server: await serveDatabase(database, settings) };
}

async function read(server: Server, path: string) {
  const response = await server.fetch(path);
  expect([path, response.status]).toEqual([path, 200]);
  return await response.json();
}

/** All manifests that the collection leads to, and the collections on the way. */
async function walk(server: Server, start = `${BASE_URL}/iiif/collection.json`) {
  const manifests: Item[] = [];
  const collections: Item[] = [];
  const waiting = [start];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    const found = await read(server, address);
    expect(found.id).toBe(address);
    (found.type === 'Manifest' ? manifests : collections).push(found);
    if (found.type === 'Collection') waiting.push(...found.items.map(({ id }: Item) => id));
  }
  return { manifests, collections };
}

/** What the schema and the strict reader of @iiif/parser say of documents. */
async function faultsIn(documents: readonly Item[]): Promise<unknown[]> {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(await readFile(SCHEMA, 'utf8')));
  return documents.flatMap((document) => {
    const { id, type } = document;
    const faults = validate(document) ? [] : [{ id, errors: validate.errors?.slice(0, 3) }];
    const warnings: string[] = [];
    if (isManifest(document)) presentation3StrictUpgrade(structuredClone(document), { warnings });
    expect(normalize(structuredClone(document)).resource).toEqual({ id, type });
    return [...faults, ...warnings];
  });
}

async function readLines(folder: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, name), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const writeLines = (folder: string, name: string, records: readonly object[]) =>
  writeFile(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const EVENT = uuid(1);
const HOSTED = 200;

/** An archive of hosted pictures in five formats, and of pictures elsewhere whose size is known, or is not. */
async function makePictured(write = writePictures): Promise<{ bundle: string; media: string }> {
  const folder = await temporaryFolder();
  const [bundle, media] = [join(folder, 'bundle'), join(folder, 'media')];
  await mkdir(bundle);
  const names = await write(media, HOSTED);
  const file = (number: number, more: object) => ({
    ...{ id: number, uuid: uuid(9_000 + number), filetype: 'image' },
    ...more,
  });
  const elsewhere = [
    file(901, {
      url: 'https://x.test/zoë{1}.JPG',
      width: 300,
      height: 200,
      copyright: 'https://creativecommons.org/licenses/by/4.0/deed.nl',
    }),
    file(902, {
      url: 'https://x.test/iiif/3/scan/full/^800,600/0/default.jpg',
      title: 'Kaart',
      alt: 'A. Maker',
    }),
    file(903, { url: 'https://x.test/iiif/3/scan/full/max/0/default.jpg' }),
    file(904, { url: 'https://x.test/unknown.jpg' }),
    file(905, { url: 'https://x.test/minutes.pdf', filetype: 'document', width: 10, height: 10 }),
  ];
  const persons = names.map((path, index) => ({
    ...{ id: index + 1, uuid: uuid(100 + index), title_nl: `Persoon ${index + 1}` },
    image: file(index + 1, { path }),
  }));
  const unseen = { id: 900, uuid: uuid(900), title_nl: 'Zonder maat', image: elsewhere[3] };
  const event = {
    ...{ id: 1, uuid: EVENT, name_nl: 'Optocht', name_en: 'Procession', summary_nl: 'Een optocht.' },
    ...{ date: '1647-04-02', main_image: file(950, { path: names[0], alt: 'A. Maker', author: 'CC0' }) },
    ...{ files: elsewhere, persons: [uuid(100)], location: uuid(2) },
  };
  await writeLines(bundle, 'persons.jsonl', [...persons, unseen]);
  await writeLines(bundle, 'subjects.jsonl', []);
  await writeLines(bundle, 'locations.jsonl', [{ id: 1, uuid: uuid(2), name_nl: 'Markt', city: 'Delft' }]);
  await writeLines(bundle, 'events.jsonl', [event]);
  const description = {
    title: { nl: 'Proef', en: 'Trial' },
    publisher: { nl: 'Uitgever', en: 'Publisher' },
    ...{
      homepage: 'https://x.test/',
      licence: { name: 'CC BY', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
    },
    replaced: { [uuid(800)]: EVENT },
  };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify(description));
  return { bundle, media };
}

describe('pictures as IIIF manifests', needs('standards'), () => {
  let archive: Awaited<ReturnType<typeof publish>>;
  let made: Awaited<ReturnType<typeof makePictured>>;
  beforeAll(async () => {
    made = await makePictured();
    archive = await publish(made.bundle, { MEDIA_DIR: made.media });
  });
  const status = async (path: string) => {
    const response = await archive.server.fetch(path, { redirect: 'manual' });
    const { status, headers } = response;
    return { status, location: headers.get('location'), body: await response.text() };
  };

  test('every record with a picture of a known size has a valid one, in five formats', async () => {
    const { manifests, collections } = await walk(archive.server);
    expect([manifests.length, collections.length]).toEqual([HOSTED + 1, 5]);
    expect(await faultsIn([...manifests, ...collections])).toEqual([]);
  });

  test('it has the pictures whose size is known, the main one first, with credits and rights', async () => {
    const path = `/iiif/${EVENT}/manifest.json`;
    const response = await archive.server.fetch(path);
    expect(response.headers.get('content-type')).toMatch(/^application\/ld\+json;profile=/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const manifest = await response.json();
    expect(manifest).toMatchObject({
      id: BASE_URL + path,
      label: { nl: ['Optocht'], en: ['Procession'] },
      summary: { nl: ['Een optocht.'] },
      navDate: '1647-04-02T00:00:00Z',
      rights: 'http://creativecommons.org/licenses/by-sa/4.0/',
      requiredStatement: {
        value: { none: ['A. Maker', 'CC0', 'https://creativecommons.org/licenses/by/4.0/deed.nl'] },
      },
      provider: [{ id: `${BASE_URL}/dataset#publisher`, homepage: [{ id: 'https://x.test/' }] }],
      homepage: [
        { id: `${BASE_URL}/en/gebeurtenissen/${EVENT}/`, language: ['en'] },
        { id: `${BASE_URL}/nl/gebeurtenissen/${EVENT}/`, language: ['nl'] },
      ],
      seeAlso: [{ id: `${BASE_URL}/id/${EVENT}.jsonld` }, {}, {}],
    });
    const metadata = manifest.metadata.map(({ label, value }: Record<string, Record<string, string[]>>) => [
      label?.['en']?.[0],
      ...(value?.['none'] ?? value?.['nl'] ?? []),
    ]);
    expect(metadata).toEqual([
      ['Date', '1647-04-02'],
      ['Locations', 'Markt'],
      ['Persons', 'Persoon 1'],
      ['Permanent address', `${BASE_URL}/id/${EVENT}`],
    ]);
    expect(
      manifest.items.map(({ width, height, rights, label }: Record<string, unknown>) => [
        width,
        height,
        rights,
        label,
      ]),
    ).toEqual([
      [101, 51, undefined, manifest.label],
      [300, 200, 'http://creativecommons.org/licenses/by/4.0/', manifest.label],
      [800, 600, undefined, { none: ['Kaart'] }],
    ]);
    expect(manifest.items[1].items[0].items[0].body).toEqual({
      ...{
        id: 'https://x.test/zo%C3%AB%7B1%7D.JPG',
        type: 'Image',
        format: 'image/jpeg',
        width: 300,
        height: 200,
      },
    });
    // The pictures of the server itself are there.
    expect((await archive.server.fetch(manifest.thumbnail[0].id)).status).toBe(200);
  });

  test('a record without one is 404, an unknown one too, a replaced one leads to the other', async () => {
    const { status: code, body } = await status(`/iiif/${uuid(900)}/manifest.json`);
    expect([code, JSON.parse(body)]).toMatchObject([404, { type: `${BASE_URL}/problems/no-pictures` }]);
    expect(await status(`/iiif/${uuid(777)}/manifest.json`)).toMatchObject({ status: 404 });
    expect(await status('/iiif/nonsense/manifest.json')).toMatchObject({ status: 404 });
    expect(await status(`/iiif/${uuid(800)}/manifest.json?edition=1`)).toMatchObject({
      status: 301,
      location: `../${EVENT}/manifest.json?edition=1`,
    });
  });

  test('a search finds manifests, and an invalid one says why', async () => {
    const found = await read(archive.server, '/iiif/search.json?q=optocht&edition=1');
    expect(found.items).toEqual([
      {
        id: `${BASE_URL}/iiif/${EVENT}/manifest.json?edition=1`,
        type: 'Manifest',
        label: { nl: ['Optocht'], en: ['Procession'] },
      },
    ]);
    expect(await faultsIn([found])).toEqual([]);
    const all = await read(archive.server, '/iiif/search.json');
    expect(all.items).toHaveLength(HOSTED + 1);
    const { status: code, body } = await status('/iiif/search.json?q=nofield:x');
    expect([code, JSON.parse(body)]).toMatchObject([400, { type: `${BASE_URL}/problems/invalid-query` }]);
    expect(await status('/iiif/search.json?q=optocht&page=2')).toMatchObject({ status: 404 });
    expect(await status('/iiif/persons.json?page=9')).toMatchObject({ status: 404 });
  });

  test('linked data and pages link to it, and nothing of a record without one', async () => {
    const manifest = `${BASE_URL}/iiif/${EVENT}/manifest.json`;
    const linked = await archive.server.fetch(`/id/${EVENT}.jsonld`);
    expect(linked.headers.get('link')).toContain(`<${manifest}>; rel="alternate"`);
    expect((await linked.json()).associatedMedia).toMatchObject({ '@id': manifest });
    const page = await (await archive.server.fetch(`/nl/gebeurtenissen/${EVENT}/?edition=1`)).text();
    expect(page).toContain(`href="${manifest}?edition=1"`);
    const viewer = `../../../iiif/${EVENT}/manifest.json?edition=1&amp;manifest=${encodeURIComponent(`${manifest}?edition=1`)}`;
    expect(page).toContain(`href="${viewer}"`);
    for (const path of [`/id/${uuid(900)}.jsonld`, `/en/personen/${uuid(900)}/`]) {
      const response = await archive.server.fetch(path);
      expect(await response.text()).not.toContain('/iiif/');
      expect(response.headers.get('link')).not.toContain('iiif');
    }
  });

  test('without pages it has no homepage; in a copy its addresses are of the copy, the permanent one of the original', async () => {
    const server = await serveDatabase(archive.database, {
      PAGES: 'off',
      IDENTITY_URL: 'https://original.test',
    });
    const manifest = await read(server, `/iiif/${EVENT}/manifest.json`);
    expect(manifest).not.toHaveProperty('homepage');
    expect(manifest.id).toBe(`${BASE_URL}/iiif/${EVENT}/manifest.json`);
    expect(manifest.metadata.at(-1).value).toEqual({ none: [`https://original.test/id/${EVENT}`] });
  });

  test('tables say the same sizes, and an invalid one is refused by cell', async () => {
    const tables = join(await temporaryFolder(), 'tables');
    expect(await runApiHere(['convert', made.bundle, tables])).toMatchObject({ code: 0 });
    const { server } = await publish(tables, { MEDIA_DIR: made.media });
    const path = `/iiif/${EVENT}/manifest.json`;
    expect(await read(server, path)).toEqual(await read(archive.server, path));
    const file = join(tables, 'files.csv');
    const text = await readFile(file, 'utf8');
    expect(text).toContain(',300,200');
    await writeFile(file, text.replace(',300,200', ',300,high'));
    const { code, stderr } = await runApiHere(['check', tables]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/files\.csv:\d+: height: expected a whole number of pixels/),
    ]);
  });

  test('a list of more than a thousand goes on in another collection', async () => {
    const bundle = await temporaryFolder();
    const image = (number: number) => ({
      ...{ id: number, uuid: uuid(5_000 + number), filetype: 'image', url: `https://x.test/${number}.jpg` },
      ...{ width: 3, height: 2 },
    });
    const persons = Array.from({ length: 1_001 }, (_, at) => ({
      ...{ id: at + 1, uuid: uuid(1_000 + at), title_nl: `Persoon ${at}`, image: image(at + 1) },
    }));
    await writeLines(bundle, 'persons.jsonl', persons);
    for (const name of ['subjects', 'locations', 'events']) await writeLines(bundle, `${name}.jsonl`, []);
    const { server } = await publish(bundle);
    for (const path of ['/iiif/persons.json', '/iiif/search.json?q=persoon']) {
      const first = await read(server, path);
      const next = first.items.at(-1);
      const second = await read(server, next.id);
      expect([first.items.length, next.type, second.items.length]).toEqual([1_001, 'Collection', 1]);
      expect(second).toMatchObject({ id: next.id, partOf: [{ id: BASE_URL + path, type: 'Collection' }] });
      expect(await faultsIn([first, second])).toEqual([]);
      const listed = [...first.items.slice(0, -1), ...second.items].map(({ id }: Item) => id);
      expect(new Set(listed).size).toBe(1_001);
    }
  });

  test('a record that is gone is 410', async () => {
    const folder = await temporaryFolder();
    const bundle = join(folder, 'bundle');
    await cp(made.bundle, bundle, { recursive: true });
    const settings = { MEDIA_DIR: made.media };
    const before = await publish(bundle, settings);
    await writeLines(bundle, 'persons.jsonl', (await readLines(bundle, 'persons.jsonl')).slice(0, -1));
    expect(await runApiHere(['publish', bundle], settingsFor(before.database, settings))).toMatchObject({
      code: 0,
    });
    const address = `/iiif/${uuid(900)}/manifest.json`;
    const status = async () => (await before.server.fetch(address)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(410);
  });
});

/** The addresses of the image services that manifests name. */
const servicesIn = (manifests: readonly Item[]) =>
  new Set(JSON.stringify(manifests).match(/http[^"]+(?=","type":"ImageService3")/g));

describe('manifests that name image services', needs('standards'), () => {
  const elsewhere = 'https://images.test/scans';

  test.each([
    ['200 hosted pictures in five formats', () => makePictured(writeManyPictures), HOSTED],
    ['the sample', async () => ({ bundle: SAMPLE, media: SAMPLE_MEDIA }), 12],
  ])('are valid: those of %s, with services here and on another server', async (_, make, services) => {
    const { bundle, media } = await make();
    const folder = { PICTURES_DIR: join(await temporaryFolder(), 'pictures') };
    const { server, database } = await publish(bundle, { MEDIA_DIR: media, ...folder });
    const other = await serveDatabase(database, { IIIF_IMAGES: elsewhere });
    for (const [each, base] of [
      [server, `${BASE_URL}/iiif/images`],
      [other, elsewhere],
    ] as const) {
      const { manifests, collections } = await walk(each);
      expect(manifests.length).toBeGreaterThanOrEqual(services);
      const named = servicesIn(manifests);
      expect([named.size, [...named].every((id) => id.startsWith(`${base}/`))]).toEqual([services, true]);
      expect(await faultsIn([...manifests, ...collections])).toEqual([]);
    }
  });
});

describe('the manifests of the sample archive', needs('standards'), () => {
  test('are valid', async () => {
    const { server } = await publish(SAMPLE, { MEDIA_DIR: SAMPLE_MEDIA });
    const { manifests, collections } = await walk(server);
    expect(manifests.length).toBeGreaterThan(10);
    expect(await faultsIn([...manifests, ...collections])).toEqual([]);
  });
});

describe('the manifests of the archive of Amsterdam', needs('standards', 'real-archive'), () => {
  test('are valid for every picture, once sizes are given', async () => {
    const bundle = await temporaryFolder();
    let pictured = 0;
    for (const name of ['persons', 'subjects', 'locations', 'events']) {
      const records = await readLines(placeOf('real-archive'), `${name}.jsonl`);
      const sized = (file: unknown) => (file ? { ...Object(file), width: 640, height: 480 } : file);
      const lines = records.map(({ image, main_image, files, ...record }) => {
        if (image || main_image) pictured += 1;
        return {
          ...record,
          image: sized(image),
          main_image: sized(main_image),
          files: [files ?? []].flat().map(sized),
        };
      });
      const kept =
        name === 'events' || name === 'locations'
          ? lines.map(({ image, ...record }) => record)
          : lines.map(({ main_image, ...record }) => record);
      await writeLines(bundle, `${name}.jsonl`, kept);
    }
    const { server } = await publish(bundle);
    const { manifests, collections } = await walk(server);
    expect(manifests.length).toBeGreaterThanOrEqual(pictured);
    expect(await faultsIn([...manifests, ...collections])).toEqual([]);
  });
});
