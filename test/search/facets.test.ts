import { type Facets, facetsSchema } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED, TOTAL } from '../support/fixture/fixture-bundle.ts';
import { getJson, type Page } from '../support/walk.ts';

describeFixture('facets', (archive) => {
  const ask = async (query: string, language = 'en'): Promise<Facets> =>
    facetsSchema.parse(await getJson(archive(), `/${language}/api/facets?${query}`));

  test('count the whole archive by kind, century, city, subject and gender', async () => {
    const { count, facets } = await ask('');
    expect(count).toBe(TOTAL);
    expect(Object.keys(facets)).toEqual(['kind', 'century', 'city', 'subject', 'gender']);
    expect(facets.kind).toEqual([
      { value: 'person', label: 'Persons', count: SERVED.person, q: 'kind:person' },
      { value: 'event', label: 'Events', count: SERVED.event, q: 'kind:event' },
      { value: 'subject', label: 'Subjects', count: SERVED.subject, q: 'kind:subject' },
      { value: 'location', label: 'Locations', count: SERVED.location, q: 'kind:location' },
    ]);
    expect(facets.city).toContainEqual({ value: 'Leiden', label: 'Leiden', count: 2, q: 'city:="Leiden"' });
    expect(facets.gender).toEqual([{ value: 'male', label: 'Male', count: 1, q: 'gender:male' }]);
    expect(facets.century).toContainEqual({ value: '17', label: '17th century', count: 3, q: 'century:17' });
    expect(facets.subject?.length).toBeGreaterThan(2);
  });

  test('are labelled in the language of the request', async () => {
    const { facets } = await ask('of=gender,kind,century,subject', 'nl');
    expect(Object.keys(facets)).toEqual(['kind', 'century', 'subject', 'gender']);
    expect(facets.kind?.[0]).toMatchObject({ value: 'person', label: 'Personen' });
    expect(facets.century?.map(({ label }) => label)).toContain('17e eeuw');
    expect(facets.gender?.[0]).toMatchObject({ value: 'male', label: 'Man' });
    for (const language of ['en', 'nl']) {
      const subjects = (await ask('of=subject', language)).facets.subject ?? [];
      expect(subjects.length).toBeGreaterThan(2);
      for (const { value, label } of subjects) {
        const subject = await getJson(archive(), `/${language}/api/subjects/${value}`);
        expect(label).toBe(subject['name']);
      }
    }
  });

  test.each([
    '',
    'e',
    'kind:person',
    'last_name:nummer',
    'has:coordinates -city:leiden',
    '"de ring',
    'qqq',
    'kind:event',
    'NOT de',
    'place:leiden',
  ])('the query of each value of %j finds exactly its count', async (q) => {
    const { count, facets } = await ask(`q=${encodeURIComponent(q)}`);
    const counted = async (query: string) =>
      (await getJson<Page>(archive(), `/en/api/search?q=${encodeURIComponent(query)}`)).count;
    expect(await counted(q)).toBe(count);
    for (const values of Object.values(facets).map((each) => each ?? [])) {
      const counts = values.map((value) => value.count);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      for (const value of values) {
        expect(value.q, value.value).not.toBeNull();
        expect(await counted(value.q ?? ''), String(value.q)).toBe(value.count);
      }
    }
  });

  test('of events are by the city of their location', async () => {
    const { facets } = await ask('q=kind:event&of=city');
    expect(facets.city?.[0]?.q).toMatch(/^city:="[^"]+" kind:event$/);
  });

  test('in use have the query itself, and those that would mean something else have none', async () => {
    const used = await ask('q=kind:person%20gender:male&of=kind,gender');
    expect([used.facets.kind, used.facets.gender].flat().map((value) => value?.q)).toEqual([
      'kind:person gender:male',
      'kind:person gender:male',
    ]);
    const { facets } = await ask('q=-city:leiden&of=kind');
    const queries = Object.fromEntries((facets.kind ?? []).map(({ value, q }) => [value, q]));
    expect(queries).toMatchObject({ person: 'kind:person -city:leiden', event: null });
  });

  test('without room for another clause, there is no query', async () => {
    const q = Array.from({ length: 16 }, (_, i) => `-x${i}`).join(' ');
    const { facets } = await ask(`q=${encodeURIComponent(q)}&of=kind`);
    expect(facets.kind?.map((value) => value.q)).toEqual([null, null, null, null]);
  });

  describe('requested facets', () => {
    test('in any order, with spaces or repeated, have one canonical address', async () => {
      const tags = await Promise.all(
        ['of=city,kind', 'of=kind,city,kind', 'of=kind,%20city'].map(async (query) =>
          (await archive().fetch(`/en/api/facets?${query}`)).headers.get('etag'),
        ),
      );
      expect(new Set(tags).size).toBe(1);
    });

    test.each([
      ['of=colour', 'invalid-facet', 'Unknown facet "colour".'],
      ['of=kind,', 'invalid-facet', 'Unknown facet "".'],
      ['q=colour:red', 'invalid-query', undefined],
    ])('%s is refused', async (query, problem, detail) => {
      const response = await archive().fetch(`/en/api/facets?${query}`);
      expect(response.status).toBe(400);
      const body = (await response.json()) as Record<string, unknown>;
      expect(body['type']).toMatch(new RegExp(`/problems/${problem}$`));
      if (detail) expect(body['detail']).toBe(detail);
    });
  });
});
