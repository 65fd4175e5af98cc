import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../support/api-server.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { needs } from '../support/programs.ts';
import { walkTexts } from '../support/walk.ts';

const SEARCHES = [
  'last_name:vries',
  'last_name:bosch - reitz',
  'last_name:nummer',
  'last_name:a',
  'city:leid',
  'title:person',
  'name:e',
  'name_nl:plaats',
  'id:1',
  'uuid:abcd',
  'birth_date:1500-02-29',
  'saturnus',
  'huygens',
  'nederlands',
  'nobody',
];

/** Files of what a query finds. */
const FILES = [
  'dump/persons.csv?q=vries',
  'dump/locations.csv?q=name:e&sort=name',
  'dump/events.jsonl?sort=-date',
  'locations.geojson?q=leiden',
  'events.geojson?q=-nobody&sort=date',
];

const BOTH = ['sqlite', 'mysql'] as const;

describe('two servers of one bundle', needs('database-server'), () => {
  let folder: string;
  let archives: TestArchive[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-engines-'));
    const bundle = await writeFixture(folder);
    archives = await Promise.all(BOTH.map((engine) => startApi({ engine, bundle })));
  });
  afterAll(async () => {
    await Promise.all((archives ?? []).map((archive) => archive.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  const paths = LANGUAGES.flatMap((language) => [
    ...KINDS.map((kind) => `/${language}/api/${COLLECTIONS[kind]}`),
    `/${language}/api/search`,
    ...SEARCHES.map((q) => `/${language}/api/search?q=${encodeURIComponent(q)}`),
  ]);

  test.each(paths)(`${BOTH.join(' and ')} answer byte by byte the same: every page of %s`, async (path) => {
    const [one = [], other = []] = await Promise.all(archives.map((archive) => walkTexts(archive, path)));
    expect(one.length).toBeGreaterThan(0);
    expect(other).toEqual(one);
  });

  test.each(FILES)('answer byte by byte the same: /nl/api/%s', async (file) => {
    const [one = '', other] = await Promise.all(
      archives.map(async (archive) => (await archive.fetch(`/nl/api/${file}`)).text()),
    );
    expect(one.length).toBeGreaterThan(300);
    expect(other).toBe(one);
  });
});
