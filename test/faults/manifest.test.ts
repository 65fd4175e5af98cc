import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FIXTURE } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../support/spoiled-archive.ts';
import { runHere } from './run-here.ts';
import { type Lifetime, temporaryFolder } from './temporary-folder.ts';

let archive: SpoiledArchive;
beforeAll(async () => {
  const more = Array.from({ length: 200 }, (_, index) => ({
    id: 1000 + index,
    uuid: uuidOf('person', 1000 + index),
    title_nl: `Persoon ${index}`,
  }));
  archive = await startSpoiledArchive({ ...FIXTURE, person: [...FIXTURE.person, ...more] });
});
beforeEach(() => {
  archive.proxy.requests.length = 0;
  archive.proxy.spoil = () => undefined;
});
afterAll(() => archive?.stop());

const isForManifest = (url: string) => url.includes('/dump/manifest.json');

/** Harvests all; returns which edition its proof names, and where the manifest stands among what was asked. */
async function harvest(context: Lifetime, ...more: string[]) {
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.baseUrl, '--out', folder, ...more];
  expect(await runHere(command)).toMatchObject({ code: 0 });
  const { published_as: publishedAs } = JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8'));
  const { requests } = archive.proxy;
  const places = requests.flatMap((url, place) => (isForManifest(url) ? [place] : []));
  const lastPage = requests.findLastIndex((url) => url.includes('page='));
  return { publishedAs, places, lastPage };
}

test('the manifest is asked for while pages are walked, once', async (context) => {
  const { publishedAs, places, lastPage } = await harvest(context);
  expect(publishedAs).toBe('1');
  expect(places).toHaveLength(1);
  expect(places[0]).toBeLessThan(lastPage);
});

test('one that could not be had is asked for at the end', async (context) => {
  archive.proxy.spoil = ({ url }) => {
    const isFirst = isForManifest(url) && archive.proxy.requests.filter(isForManifest).length === 1;
    return isFirst ? { status: 404, body: '{}' } : undefined;
  };
  const { publishedAs, places, lastPage } = await harvest(context);
  expect(publishedAs).toBe('1');
  expect(places).toHaveLength(2);
  expect(places[1]).toBeGreaterThan(lastPage);
});

test('where a rate has to be kept, it waits for its turn', async (context) => {
  const { publishedAs, places, lastPage } = await harvest(context, '--rate', '200');
  expect(publishedAs).toBe('1');
  expect(places).toHaveLength(1);
  expect(places[0]).toBeGreaterThan(lastPage);
});
