import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareManifest, hashOfRecord } from '@archiefkast/client/internal/node';
import { recordTable } from '@archiefkast/formats';
import { COLLECTIONS, KINDS, type Kind, LANGUAGES, manifestSchema } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateBundle } from '../bench/generate-bundle.ts';
import { publishHere } from '../support/api-here.ts';
import { BASE_URL, startApi, type TestArchive, untilServed } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED, TOTAL } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { needs } from '../support/programs.ts';
import { readCsv } from '../support/read-csv.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { getJson, type Json, walkTexts } from '../support/walk.ts';

describeFixture('dumps', (archive) => {
  const CASES = LANGUAGES.flatMap((language) => KINDS.map((kind) => ({ language, kind })));

  test.each(CASES)(
    '$language: the $kind dumps have the records of the list: jsonl byte for byte, csv a row for each',
    async (of) => {
      const list = `/${of.language}/api/${COLLECTIONS[of.kind]}`;
      const response = await archive().fetch(`/${of.language}/api/dump/${COLLECTIONS[of.kind]}.jsonl`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/jsonl');
      const lines = (await response.text()).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines).toHaveLength(SERVED[of.kind]);
      const pages = await walkTexts(archive(), list);
      const results = pages.map((page) => page.slice(page.indexOf('"results":[') + 11, -2));
      expect(lines.join(',')).toBe(results.join(','));

      const csv = await archive().fetch(`/${of.language}/api/dump/${COLLECTIONS[of.kind]}.csv`);
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const text = await csv.text();
      expect(text.endsWith('\r\n')).toBe(true);
      const [header, ...rows] = readCsv(text);
      expect(header).toEqual(recordTable(of.kind).columns.map(({ name }) => name));
      const records: Json[] = lines.map((line) => JSON.parse(line));
      for (const field of ['uuid', 'id', 'summary', 'url']) {
        const values = rows.map((row) => row[header?.indexOf(field) ?? -1]);
        expect(values).toEqual(records.map((record) => String(record[field]).toWellFormed()));
      }
    },
  );

  test('the geojson has a feature for every location, with numbers for coordinates', async () => {
    const response = await archive().fetch('/en/api/locations.geojson');
    expect(response.headers.get('content-type')).toBe('application/geo+json');
    const collection: FeatureCollection = JSON.parse(await response.text());
    expect(collection.type).toBe('FeatureCollection');
    expect(collection.features).toHaveLength(SERVED.location);
    const [building] = collection.features;
    expect(building).toEqual({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [4.49701, 52.160114] },
      properties: {
        uuid: expect.any(String),
        id: 201,
        url: expect.stringMatching(/^https:\/\/archive\.test\/base\/en\/locaties\/.*\/$/),
        name: 'Academy building',
        name_nl: 'Academiegebouw',
        name_en: 'Academy building',
        summary: 'University',
        street: 'Rapenburg 73',
        zipcode: '2311 GJ',
        city: 'Leiden',
        state: 'Zuid-Holland',
        land: 'Nederland',
      },
    });
    const byId = new Map(collection.features.map((feature) => [feature.properties['id'], feature.geometry]));
    expect(byId.get(205)).toEqual({ type: 'Point', coordinates: [-151.2, -33.9] });
    expect(byId.get(204)).toBeNull();
    expect(byId.get(206)).toBeNull();
  });

  test.each(['/en/api/dump/manifest.json', '/nl/api/dump/manifest.json', '/api/dump/manifest.json'])(
    '%s has every file, with the size and blocks of JSON Lines',
    async (path) => {
      const manifest = manifestSchema.parse(await getJson(archive(), path));
      const language = path.startsWith('/nl') ? 'nl' : 'en';
      expect(manifest).toMatchObject({ edition: { id: 1 }, language, licence: null });
      expect(manifest.dumps.map(({ name }) => name)).toEqual([
        ...KINDS.flatMap((kind) => [`${COLLECTIONS[kind]}.jsonl`, `${COLLECTIONS[kind]}.csv`]),
        'locations.geojson',
        'events.geojson',
        'events-abbreviated.jsonl',
        'supplement.jsonl',
        'archive.nt.gz',
      ]);
      for (const file of manifest.dumps) {
        expect(file.url).toContain(`/${language}/api/`);
        expect(file.url).toMatch(/\?edition=1(&events=abbreviated)?$/);
        const body = Buffer.from(await (await archive().fetch(file.url)).arrayBuffer());
        if (file.name === 'archive.nt.gz') {
          expect([file.records, file.media_type]).toEqual([TOTAL, 'application/gzip']);
          continue;
        }
        if (file.kind === undefined) {
          const sha256 = createHash('sha256').update(body).digest('hex');
          const records = body.toString().split('\n').length - 1;
          expect(file).toMatchObject({ bytes: body.length, sha256, records });
          continue;
        }
        expect(file.records).toBe(SERVED[file.kind]);
        const isLines = file.name.endsWith('.jsonl');
        expect(file.bytes).toBe(isLines ? body.length : undefined);
        expect(file.blocks !== undefined).toBe(isLines);
        if (!file.blocks || file.bytes === undefined) continue;
        const hashes = body
          .toString()
          .trimEnd()
          .split('\n')
          .map((line) => ({ hash: hashOfRecord(JSON.parse(line)) }));
        const isAbbreviated = file.name.includes('abbreviated');
        const events = isAbbreviated ? ('abbreviated' as const) : ('full' as const);
        const served = { events, records: () => hashes, bytes: () => body.length };
        expect(compareManifest(manifest, [file.kind], served)).toEqual([]);
      }
    },
  );

  test('four jsonl dumps are a bundle: a mirror of it has the same dumps, and the same blocks', async () => {
    const folder = await temporaryFolder();
    const read = (from: TestArchive) =>
      Promise.all(KINDS.map(async (kind) => (await from.fetch(dumpOf(kind))).text()));
    const dumps = await read(archive());
    for (const [index, kind] of KINDS.entries())
      await writeFile(join(folder, `${COLLECTIONS[kind]}.jsonl`), dumps[index] ?? '');
    const baseUrl = 'https://mirror.example/media/of/another';
    const mirror = await startApi({
      engine: archive().engine,
      bundle: folder,
      settings: { BASE_URL: baseUrl },
    });
    expect((await read(mirror)).map((dump) => dump.replaceAll(baseUrl, BASE_URL))).toEqual(dumps);
    const blocksOf = async (from: TestArchive, language: string) => {
      const manifest = manifestSchema.parse(await getJson(from, `/${language}/api/dump/manifest.json`));
      return manifest.dumps.flatMap(({ blocks }) => blocks ?? []);
    };
    for (const language of LANGUAGES) {
      const blocks = await blocksOf(mirror, language);
      expect(blocks).toHaveLength(KINDS.length + 1);
      expect(blocks).toEqual(await blocksOf(archive(), language));
    }
  });
});

describe('dumps of several parts and blocks', () => {
  let archive: TestArchive;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await generateBundle({ folder, records: 600, busyPlace: 20 });
    const subjects = Array.from({ length: 1_000 }, (_, index) => 9_000 + index);
    const lines = subjects.map((id) => `${JSON.stringify({ id, uuid: uuidOf('subject', id) })}\n`);
    await appendFile(join(folder, 'subjects.jsonl'), lines.join(''));
    archive = await startApi({ engine: 'sqlite', bundle: folder });
  });

  describe('the definition of a hash in the documentation', needs('python3'), () => {
    test('gives the blocks of the manifest', async () => {
      const docs = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
      const [, program = ''] = /```python\n(import hashlib.*?)```/s.exec(docs) ?? [];
      const manifest = manifestSchema.parse(await getJson(archive, '/nl/api/dump/manifest.json'));
      const dumps = manifest.dumps.filter(({ blocks }) => blocks);
      const print = dumps.map(({ name }) => {
        const file = join(folder, 'dumps', name);
        return `print(*block_hashes(open(${JSON.stringify(file)}, encoding='utf-8')))`;
      });
      await mkdir(join(folder, 'dumps'));
      for (const { name, url } of dumps)
        await writeFile(join(folder, 'dumps', name), await (await archive.fetch(url)).text());
      const { stdout } = await promisify(execFile)('python3', ['-c', [program, ...print].join('\n')]);
      expect(stdout.trim().split('\n')).toEqual(dumps.map(({ blocks }) => blocks?.hashes.join(' ')));
      expect(Math.max(...dumps.map(({ blocks }) => blocks?.hashes.length ?? 0))).toBe(2);
    });
  });

  test('JSON Lines are sent with their size from the first request, also to HEAD', async () => {
    const path = '/en/api/dump/subjects.jsonl';
    const head = await archive.fetch(path, { method: 'HEAD', headers: identity });
    expect(head.headers.get('accept-ranges')).toBe('bytes');
    const response = await archive.fetch(path, { headers: identity });
    const { length } = Buffer.from(await response.arrayBuffer());
    expect(Number(response.headers.get('content-length'))).toBe(length);
    expect(Number(head.headers.get('content-length'))).toBe(length);
  });

  test('the size of CSV is not known, and ranges of it are ignored', async () => {
    const headers = { ...identity, range: 'bytes=0-9' };
    const response = await archive.fetch('/en/api/dump/subjects.csv', { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBeNull();
    expect(response.headers.get('accept-ranges')).toBeNull();
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10);
  });

  test.each([
    ['persons.jsonl', 'from the first byte', 0, 1],
    ['persons.jsonl', 'within a part', 1000, 2000],
    ['events.jsonl', 'over all parts', 1, undefined],
    ['events.jsonl', 'over several parts', 5000, 90_000],
    ['locations.jsonl', 'at the end', -1000, undefined],
  ])('of %s, a range %s is that part of the file', async (name, _where, start, end) => {
    const path = `/en/api/dump/${name}`;
    const range = start < 0 ? `bytes=${start}` : `bytes=${start}-${end === undefined ? '' : end - 1}`;
    const part = await archive.fetch(path, { headers: { ...identity, range } });
    const bytes = Buffer.from(await part.arrayBuffer());
    const whole = Buffer.from(await (await archive.fetch(path)).arrayBuffer());
    const from = start < 0 ? whole.length + start : start;
    expect(part.status).toBe(206);
    // Varnish refuses a range of an unknown size.
    expect(part.headers.get('content-range')).toBe(
      `bytes ${from}-${(end ?? whole.length) - 1}/${whole.length}`,
    );
    expect(part.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.equals(whole.subarray(from, end))).toBe(true);
  });

  test('its edition can be pinned while another is published, so that its ranges fit together', async () => {
    const path = '/en/api/dump/events.jsonl?edition=1';
    const before = Buffer.from(await (await archive.fetch(path)).arrayBuffer());
    await generateBundle({ folder: join(folder, 'other'), records: 20, seed: 2 });
    await publishHere(archive.database, join(folder, 'other'));
    await untilServed(archive, 2);
    const part = await archive.fetch(path, { headers: { ...identity, range: 'bytes=5000-' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(before.subarray(5000))).toBe(true);
    const now = await archive.fetch('/en/api/dump/events.jsonl');
    expect(now.headers.get('archive-edition')).toBe('2');
    expect((await now.text()).split('\n')).toHaveLength(20 * 0.35 + 1);
    const manifest = manifestSchema.parse(await getJson(archive, '/en/api/dump/manifest.json?edition=1'));
    expect(manifest.edition.id).toBe(1);
    expect(manifest.dumps.find(({ name }) => name === 'events.jsonl')?.bytes).toBe(before.length);
  });
});

const identity = { 'accept-encoding': 'identity' };

function dumpOf(kind: Kind): string {
  return `/en/api/dump/${COLLECTIONS[kind]}.jsonl`;
}

interface FeatureCollection {
  type: string;
  features: { type: string; geometry: object | null; properties: Record<string, unknown> }[];
}
