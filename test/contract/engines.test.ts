import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { startShared, type TestArchive } from '../support/api-server.ts';
import { listEveryPath } from '../support/every-path.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { needs } from '../support/programs.ts';
import { send } from '../support/send.ts';
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

/** Files of the results of a query. */
const FILES = [
  'dump/persons.csv?q=vries',
  'dump/locations.csv?q=name:e&sort=name',
  'dump/events.jsonl?sort=-date',
  'locations.geojson?q=leiden',
  'search.ris?q=leiden',
  'events.geojson?q=-nobody&sort=date',
];

const PERSON = uuidOf('person', 101);

/** Addresses other than one per route: other resources, files of results, and input that engines may interpret differently. */
const MORE = [
  ...FILES.map((file) => `/nl/api/${file}`),
  ...['feed.atom', 'personen/', 'zoeken/?q=vries', 'zoeken/?q=lastname:x'].map((page) => `/nl/${page}`),
  '/sitemap.xml',
  '/sitemap-persons-1.xml',
  '/en/api/facets?q=e&of=century,subject',
  '/nl/api/search?q=city:leiden&sort=name&fields=uuid,name',
  '/en/api/search?q=kind:event&sort=-date',
  '/en/api/persons?fields=uuid,events',
  ...['0', '-1', '99', '1e3', '9007199254740993', '99999999999999999999', '%27'].map(
    (page) => `/en/api/persons?page=${page}`,
  ),
  ...['0', '2', '99', '99999999999999999999', PERSON].map((edition) => `/en/api/persons?edition=${edition}`),
  ...[
    PERSON.toUpperCase(),
    `${PERSON}%20`,
    `${PERSON}%00`,
    `%20${PERSON}`,
    '%F0%9F%8F%9B',
    '%C3%A9',
    '%25',
  ].map((uuid) => `/en/api/persons/${uuid}`),
  `/en/api/persons/${uuidOf('subject', 1)}`,
  `/nl/personen/${PERSON.toUpperCase()}/`,
  '/en/api/changes?since=99',
  '/api/changes?since=1',
  '/api/dump/persons.jsonl',
];

/** The time at which an edition was published. */
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

const KEY = /"(?:key|archive)":"[0-9a-f-]{36}"/g;

const BOTH = ['sqlite', 'mysql'] as const;

describe('two servers of one bundle', needs('database-server'), () => {
  let archives: TestArchive[];
  beforeAll(async () => {
    archives = await Promise.all(BOTH.map((engine) => startShared('fixture', engine)));
  });

  const paths = LANGUAGES.flatMap((language) => [
    ...KINDS.map((kind) => `/${language}/api/${COLLECTIONS[kind]}`),
    `/${language}/api/search`,
    ...SEARCHES.map((q) => `/${language}/api/search?q=${encodeURIComponent(q)}`),
  ]);

  test.each(paths)(`${BOTH.join(' and ')} respond with the same bytes: every page of %s`, async (path) => {
    const [one = [], other = []] = await Promise.all(archives.map((archive) => walkTexts(archive, path)));
    expect(one.length).toBeGreaterThan(0);
    expect(other).toEqual(one);
  });

  test('respond to every address, valid or not, with the same status, type and text', async () => {
    const every = await listEveryPath(archives[0]?.origin ?? '');
    for (const path of [...every, ...MORE]) {
      const [one, other] = await Promise.all(archives.map((archive) => answerOf(archive, path)));
      expect(other, path).toEqual(one);
    }
  });
});

/** A response without the values that differ per publication of a bundle: its time, and the keys of its edition and archive. */
async function answerOf(archive: TestArchive, path: string) {
  const { status, headers, body } = await send(archive.origin, {}, 'GET', path);
  const {
    'content-type': type,
    'archive-edition': edition,
    'cache-control': cache,
    link,
    location,
  } = headers;
  const text = body.toString().replaceAll(MOMENT, 'moment').replaceAll(KEY, '"key":"key"');
  return { status, type, edition, cache, link, location, text };
}
