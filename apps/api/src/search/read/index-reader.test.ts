import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildSearchIndex,
  FACETS,
  type IndexedRecord,
  openSearchIndex,
  parseQuery,
  type Query,
  type SearchIndex,
} from '../index.ts';

type Fields = Record<string, unknown>;

const uuid = (digit: number, id: number) => `${digit}0000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const subjects = (...ids: number[]) => ids.map((id) => uuid(2, id));

const ARCHIVE: Record<Kind, Fields[]> = {
  person: [
    {
      id: 1,
      title_nl: 'Jan de Vries',
      first_name: 'Jan',
      last_name: 'Vries',
      gender: 'male',
      birth_date: '1599-01-01',
      death_date: '1700-12-31',
      subjects: subjects(3),
    },
    {
      id: 4,
      title_nl: 'Anna Vries',
      first_name: 'Anna',
      last_name: 'Vries',
      gender: 'female',
      birth_date: '1600-05-05',
      image: { id: 1 },
    },
    {
      id: 5,
      title_nl: 'Compagnie',
      first_name: 'Compagnie',
      last_name: '',
      gender: '',
      subjects: subjects(2, 3),
    },
    {
      id: 9,
      title_nl: 'Émile',
      first_name: 'x',
      last_name: 'Emile',
      gender: 'male',
      birth_date: null,
      death_date: '1601-01-01',
    },
  ],
  subject: [
    { id: 1, name_nl: 'Kunst', name_en: 'Art', description_nl: '<p>Gouden werken</p>', parent: null },
    { id: 2, name_nl: 'Handel', name_en: '', parent: null },
    { id: 3, name_nl: 'Schilderkunst', name_en: 'Painting', parent: 1, summary_nl: 'Over gouden lijsten' },
  ],
  location: [
    {
      id: 1,
      name_nl: 'Dam',
      name_en: 'Dam',
      city: 'Amsterdam',
      latitude: '52.3731',
      longitude: '4.8922',
      subjects: subjects(2),
    },
    {
      id: 2,
      name_nl: 'Westerkerk',
      city: 'amsterdam',
      latitude: '52.3744',
      longitude: '4.8839',
      content_nl: '<p>De gouden kroon.</p>',
    },
    { id: 3, name_nl: 'Elders', city: 'Den "Haag"', latitude: '-17.8', longitude: '178.5' },
    { id: 7, name_nl: '', city: 'Nergens', latitude: '', longitude: '' },
  ],
  event: [
    {
      id: 2,
      name_nl: 'Brand',
      name_en: 'Fire',
      date: '1652-07-07',
      subjects: subjects(3),
      main_image: { id: 2 },
    },
    {
      id: 3,
      name_nl: 'Reis',
      date_start: '1598-01-01',
      date_end: '1603-01-01',
      content_nl: '<p>Gouden eeuw</p><section class="footnotes">kroon</section>',
    },
    { id: 8, name_nl: 'Ongedateerd', summary_nl: 'Zonder kroon' },
  ],
};

const DIGITS: Record<Kind, number> = { person: 1, subject: 2, location: 3, event: 4 };

async function* archive(): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    for (const fields of ARCHIVE[kind])
      yield { kind, record: { uuid: uuid(DIGITS[kind], Number(fields['id'])), ...fields } };
  }
}

let folder: string;
let index: SearchIndex;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-find-'));
  await buildSearchIndex(join(folder, 'index.sqlite'), archive());
  index = await openSearchIndex(join(folder, 'index.sqlite'));
});

afterAll(async () => {
  await index.close();
  await rm(folder, { recursive: true });
});

async function find(query: Query): Promise<string[]> {
  const { hits, count } = await index.search(query, 0, 100);
  expect(hits).toHaveLength(count);
  return hits.map(({ kind, position }) => `${kind} ${ARCHIVE[kind][position - 1]?.['id']}`);
}

const ALL: Query = { clauses: [], excluded: [] };

describe('search', () => {
  it.each<[q: string, ...found: string[]]>([
    ['gender:male', 'person 1', 'person 9'],
    ['gender:FEMALE', 'person 4'],
    ['century:16', 'person 1', 'person 4', 'event 3'],
    ['century:17', 'person 1', 'person 9', 'event 2', 'event 3'],
    ['century:18'],
    ['has:image', 'person 4', 'event 2'],
    ['has:coordinates', 'location 1', 'location 2', 'location 3'],
    ['has:english', 'subject 1', 'subject 3', 'location 1', 'event 2'],
    ['content:gouden', 'subject 1', 'location 2', 'event 3'],
    ['content:kroon', 'location 2', 'event 3'],
    ['content:"gouden kroon"', 'location 2'],
    ['content:gouden kroon', 'location 2', 'event 3'],
    ['content:zonder'],
    ['summary:kroon', 'event 8'],
    ['summary:gouden', 'subject 3'],
    ['near:52.3731,4.8922,100m', 'location 1'],
    ['near:52.3731,4.8922,1km', 'location 1', 'location 2'],
    ['near:52.3744,4.8839,0.6km', 'location 2', 'location 1'],
    ['near:-17.8,-179,300km', 'location 3'],
    ['within:52,4,53,5', 'location 1', 'location 2'],
    ['within:-20,178,-10,-170', 'location 3'],
    ['within:-90,-180,90,180', 'location 1', 'location 2', 'location 3'],
    ['last_name:=vries', 'person 1', 'person 4'],
    ['name:=kunst', 'subject 1'],
    ['name:=art', 'subject 1'],
    ['city:=amster'],
    ['-kind:person -kind:event -has:coordinates', 'subject 1', 'subject 2', 'subject 3', 'location 7'],
    ['kind:person -vries', 'person 5', 'person 9'],
    ['kind:person -"jan de" -gender:male', 'person 4', 'person 5'],
    ['last_name:vries -first_name:jan', 'person 4'],
    ['kind:location -near:52.3731,4.8922,1km', 'location 3', 'location 7'],
    ['-subject:3 kind:person', 'person 4', 'person 9'],
    ['under:1', 'person 1', 'person 5', 'event 2'],
  ])('finds by %j', async (q, ...found) => {
    const hits = await find(parseQuery(q));
    const isRelevance = /content:|summary:|near:/.test(q);
    expect(isRelevance ? hits.toSorted() : hits).toEqual(isRelevance ? found.toSorted() : found);
  });

  it('scores 1 if only exclusions are given, and by distance with near', async () => {
    const scores = async (q: string) =>
      (await index.search(parseQuery(q), 0, 9)).hits.map(({ score }) => score);
    expect(await scores('-kind:person -kind:location -kind:event')).toEqual([1, 1, 1]);
    const [near = 0, far = 0] = await scores('near:52.3731,4.8922,1km');
    expect(near).toBe(1);
    expect(far).toBeGreaterThan(0.3);
    expect(far).toBeLessThan(0.5);
  });
});

describe('facets', () => {
  it('count all records, most frequent values first', async () => {
    const { count, facets } = await index.facets(ALL, FACETS, 'en', 20);
    expect(count).toBe(14);
    const shown = facets.map(({ facet, values }) => [
      facet,
      ...values.map((each) => `${each.name ?? each.value}: ${each.count}`),
    ]);
    expect(shown).toEqual([
      ['kind', 'location: 4', 'person: 4', 'event: 3', 'subject: 3'],
      ['century', '17: 4', '16: 3'],
      ['city', 'Amsterdam: 2', 'Den "Haag": 1', 'Nergens: 1'],
      ['subject', 'Painting: 3', 'Handel: 2'],
      ['gender', 'male: 2', 'female: 1'],
    ]);
  });

  it('respect the limit, and have names in the language', async () => {
    const { facets } = await index.facets(ALL, ['subject', 'kind'], 'nl', 1);
    expect(facets).toEqual([
      { facet: 'subject', values: [{ value: uuid(2, 3), count: 3, name: 'Schilderkunst' }] },
      { facet: 'kind', values: [{ value: 'location', count: 4 }] },
    ]);
  });
});
