import { describe, expect, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { randomQuery } from '../../apps/api/testing/random-query.ts';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { TOTAL } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { LARGEST_ID } from '../support/fixture/subjects.ts';
import { getJson, type Json, type Page, walkPages } from '../support/walk.ts';

/** A query, and the ids of its hits in order. */
const HITS: readonly [query: string, ids: readonly number[]][] = [
  ['last_name:Huygens', [101]],
  ['last_name:huygens', [101]],
  ['last_name:HUYG', [101]],
  ['last_name:Vries', [109, 110, 111]],
  ['last_name:Vries - Jansen', [110]],
  ['last_name:vries-jansen', [110]],
  ['last_name:"Vries - Jansen"', [110]],
  ['last_name:Bosch', [104, 103]],
  ['last_name:Bosch - Reitz', [103]],
  ['last_name:bosch-reitz', [103]],
  ['last_name:reitz', [103]],
  ['last_name:%', [112]],
  ['last_name:_', [112]],
  ['last_name:*', [112]],
  ['last_name:nobodyatall', []],
  ["last_name:' or 1=1 --", []],
  ['city:Leiden', [201, 205]],
  ['city:leid', [201, 205, 202]],
  ['city:Den Haag', [203]],
  ['city:huygens', []],
  ['id:101', [101]],
  [`id:${LARGEST_ID}`, [LARGEST_ID]],
  ['birth_date:1500-02-29', [104]],
  ['gender:male', [101]],
  ['kind:event person:101', [301, 305]],
  [`kind:event person:${uuidOf('person', 101).toUpperCase()} saturnus`, [301]],
  ['person:101 person:109', [301]],
  [`subject:${uuidOf('subject', 987654)}`, []],
];

describeFixture('search', (archive) => {
  const search = (q: string) => getJson<Page>(archive(), `/en/api/search?q=${encodeURIComponent(q)}`);

  test.each(HITS)('%s finds %j', async (q, ids) => {
    const page = await search(q);
    expect(page.results.map(({ instance }) => (instance as Json)['id'])).toEqual(ids);
    expect(page).toMatchObject({
      count: ids.length,
      total: TOTAL,
      language: 'en',
      next: null,
      previous: null,
    });
  });

  test('an entry has a type, the whole record of that type, and a score', async () => {
    const { results } = await search('last_name:huygens');
    expect(results.map((entry) => Object.keys(entry))).toEqual([['type', 'instance', 'score']]);
    const [person] = (await getJson<Page>(archive(), '/en/api/persons')).results.filter(
      ({ id }) => id === 101,
    );
    expect(results[0]).toMatchObject({ type: 'person', instance: person });
  });

  test('last_name finds persons only, city locations only', async () => {
    expect((await search('last_name:e')).results.map(({ type }) => type)).toContain('person');
    for (const { type } of (await search('last_name:e')).results) expect(type).toBe('person');
    for (const { type } of (await search('city:e')).results) expect(type).toBe('location');
  });

  test('scores with q are positive, descend and have a fraction; without q they are 0.0', async () => {
    for (const q of ['last_name:vries', 'city:leid', 'last_name:nummer', 'saturnus']) {
      const pages = await walkPages(archive(), `/en/api/search?q=${q}`);
      const scores = pages.flatMap(({ results }) => results.map(({ score }) => Number(score)));
      expect(scores.length).toBeGreaterThan(0);
      expect(Math.min(...scores)).toBeGreaterThan(0);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }
    const scored = await (await archive().fetch('/en/api/search?q=last_name:vries')).text();
    for (const score of scored.match(/"score":[^}]+/g) ?? []) expect(score).toMatch(/^"score":\d+\.\d+$/);
    const text = await (await archive().fetch('/en/api/search')).text();
    expect(text.match(/"score":[^}]+/g)).toEqual(Array.from({ length: 10 }, () => '"score":0.0'));
  });

  test('exclusions alone score 1, and a place the less the farther it is', async () => {
    const scores = async (q: string) => (await search(q)).results.map(({ score }) => Number(score));
    expect(new Set(await scores('-kind:person -kind:event'))).toEqual(new Set([1]));
    const near = await scores('near:52.160114,4.497010,50km');
    expect(near[0]).toBeCloseTo(1);
    expect(near.at(-1)).toBeLessThan(near[0] ?? 0);
  });

  test('a hit is served in the language of the request', async () => {
    const title = async (language: string) => {
      const page = await getJson<Page>(archive(), `/${language}/api/search?q=last_name:huygens`);
      return (page.results[0]?.['instance'] as Json | undefined)?.['title'];
    };
    expect(await title('en')).toBe('Christian Huygens');
    expect(await title('nl')).toBe('Christiaan Huygens');
  });

  test('the colon can be percent-encoded, and spaces written as +', async () => {
    const bodies = await Promise.all(
      ['q=last_name:bosch%20-%20reitz', 'q=last_name%3Abosch+-+reitz'].map(async (query) =>
        (await archive().fetch(`/en/api/search?${query}`)).text(),
      ),
    );
    expect(bodies[0]).toBe(bodies[1]);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ count: 1 });
  });

  test('an empty q is ignored', async () => {
    expect(await search('')).toMatchObject({ count: TOTAL });
    expect(await search('  ')).toMatchObject({ count: TOTAL });
  });

  describe('links', () => {
    const url = `${BASE_URL}/en/api/search`;

    test('repeat format, page and q, in that order, percent-encoded', async () => {
      const first = await getJson<Page>(archive(), '/en/api/search?q=last_name:Nummer');
      expect(first).toMatchObject({ count: 13, previous: null, next: `${url}?page=2&q=last_name%3ANummer` });
      const second = await getJson<Page>(archive(), first.next ?? '');
      expect(second).toMatchObject({ count: 13, previous: `${url}?q=last_name%3ANummer`, next: null });
      expect(second.results).toHaveLength(3);
    });

    test('with format and edition, in alphabetical order, also in the header Link', async () => {
      const path = '/en/api/search?q=last_name%3ANummer&page=2&format=api&edition=1';
      const response = await archive().fetch(path);
      const previous = `${url}?edition=1&format=api&q=last_name%3ANummer`;
      expect(await response.json()).toMatchObject({ previous, next: null });
      expect(response.headers.get('link')).toContain(`<${previous}>; rel="prev"`);
    });

    test('a query of any characters is repeated unchanged', async () => {
      const first = await search('title:"person" kind:person');
      expect(first.next).toBe(`${url}?page=2&q=title%3A%22person%22%20kind%3Aperson`);
      const second = await getJson<Page>(archive(), first.next ?? '');
      expect(second.count).toBe(first.count);
      expect(second.previous).toBe(`${url}?q=title%3A%22person%22%20kind%3Aperson`);
    });
  });

  test('no query causes a server error, and every correction is valid', async () => {
    const random = createRandom(11);
    const statuses = new Set<number>();
    for (let query = 0; query < 150; query += 1) {
      const q = encodeURIComponent(randomQuery(random).toWellFormed());
      const answer = await archive().fetch(`/en/api/search?q=${q}`);
      const { status, headers } = answer;
      expect([200, 400], q).toContain(status);
      expect(headers.get('content-type')).toBe(
        status === 200 ? 'application/json' : 'application/problem+json',
      );
      statuses.add(status);
      const { corrections = [] } = (await answer.json()) as { corrections?: string[] };
      for (const each of corrections) {
        const corrected = await archive().fetch(`/en/api/search?q=${encodeURIComponent(each)}`);
        expect(corrected.status, `${decodeURIComponent(q)} → ${each}`).toBe(200);
      }
    }
    expect(statuses.size).toBe(2);
  });
});
