import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { BRIEF_FIELDS } from '@archiefkast/types/internal';
import { describe, expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { getJson, type Json, type Page, walkPages } from '../support/walk.ts';

/** Fields of each kind, in the order of the contract. */
const FIELDS: Readonly<Record<Kind, readonly (readonly string[])[]>> = {
  person: [
    ['uuid'],
    ['id', 'subjects', 'title'],
    ['image.alt', 'image.url', 'files.name'],
    BRIEF_FIELDS.person,
  ],
  subject: [['name', 'parent'], ['image', 'same_as', 'files'], BRIEF_FIELDS.subject],
  location: [
    ['latitude', 'longitude'],
    ['events.date', 'subjects.name', 'related_locations', 'name'],
    ['events', 'location_events'],
    ['subjects', 'uuid'],
    BRIEF_FIELDS.location,
  ],
  event: [
    ['uuid', 'date'],
    ['persons.title', 'uuid'],
    ['location', 'name'],
    ['persons', 'location.name'],
    ['files.url', 'location.events.name', 'location.subjects.name', 'location.city'],
    ['main_image.title', 'location.events', 'location.subjects'],
    BRIEF_FIELDS.event,
  ],
};

/** The fields `names` of a record, which are in the order of its fields. */
function pick(value: unknown, names: readonly string[]): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => pick(each, names));
  const record = value as Json;
  const tops = [...new Set(names.map((name) => name.split('.')[0] ?? ''))];
  return Object.fromEntries(
    tops
      .filter((top) => top in record)
      .map((top) => {
        const below = names
          .filter((name) => name.startsWith(`${top}.`))
          .map((name) => name.slice(top.length + 1));
        return [top, names.includes(top) ? record[top] : pick(record[top], below)];
      }),
  );
}

describeFixture('fields', (archive) => {
  const walked = new Map<string, Promise<Page[]>>();
  /** The pages of a list with all fields, read once. */
  const walkWhole = (path: string) => {
    const pages = walked.get(path) ?? walkPages(archive(), path);
    walked.set(path, pages);
    return pages;
  };

  describe.each(KINDS)('of %ss', (kind) => {
    const list = `api/${COLLECTIONS[kind]}`;

    test.each(FIELDS[kind].map((names) => [names.join(',')]))('with fields=%s', async (fields) => {
      for (const language of ['en', 'nl']) {
        const whole = await walkWhole(`/${language}/${list}`);
        const some = await walkPages(archive(), `/${language}/${list}?fields=${fields}`);
        const expected = whole.map(({ results }) => pick(results, fields.split(',')));
        expect(JSON.stringify(some.map(({ results }) => results))).toBe(JSON.stringify(expected));
        expect(some.map(({ count, total }) => [count, total])).toEqual(
          whole.map(({ count, total }) => [count, total]),
        );
      }
    });

    test('are a short set with fields=brief', async () => {
      const brief = await (await archive().fetch(`/en/${list}?fields=brief`)).text();
      const named = await (
        await archive().fetch(`/en/${list}?fields=${BRIEF_FIELDS[kind].join(',')}`)
      ).text();
      expect(JSON.parse(brief).results).toEqual(JSON.parse(named).results);
    });

    test('of the short set and others with fields=brief,…', async () => {
      const other = FIELDS[kind][0]?.[0] === 'uuid' ? 'files' : 'same_as';
      const names = [...BRIEF_FIELDS[kind], other];
      const [both, named] = await Promise.all(
        [`${other},brief`, names.join(',')].map((fields) =>
          getJson<Page>(archive(), `/en/${list}?fields=${fields}`),
        ),
      );
      expect(both?.results).toEqual(named?.results);
      const next = both?.next ?? `fields=brief%2C${other}`;
      expect(next).toContain(`fields=brief%2C${other}`);
    });

    test('of a single record', async () => {
      const { results } = await getJson<Page>(archive(), `/nl/${list}`);
      for (const names of FIELDS[kind]) {
        const text = await archive().fetch(`/nl/${list}/${results[0]?.['uuid']}?fields=${names.join(',')}`);
        expect(await text.text()).toBe(JSON.stringify(pick(results[0], names)));
      }
    });
  });

  test('of search are those that each kind has; type, score and envelope are always there', async () => {
    const fields = 'title,uuid,name,location.name,subjects.name';
    for (const query of ['q=e', 'sort=name', '']) {
      const whole = await walkPages(archive(), `/en/api/search?${query}`);
      const some = await walkPages(archive(), `/en/api/search?${query}&fields=${fields}`);
      for (const [index, page] of some.entries()) {
        expect(page.count).toBe(whole[index]?.count);
        for (const [place, { type, instance, score }] of page.results.entries()) {
          const entry = whole[index]?.results[place];
          expect([type, score]).toEqual([entry?.['type'], entry?.['score']]);
          const record = entry?.['instance'] as Json;
          const { title, uuid, name } = record;
          const subjects = type === 'location' ? pick(record['subjects'], ['name']) : undefined;
          expect(instance).toEqual({
            uuid,
            ...(title !== undefined && { title }),
            ...(name !== undefined && { name }),
            ...(type === 'event' && { location: pick(record['location'], ['name']) }),
            ...(subjects !== undefined && { subjects }),
          });
        }
      }
    }
  });

  test('are normalized in links: in order, without duplicates, and without fields of an included object', async () => {
    const forms = ['name,uuid,location.city,location', 'uuid, location,name,name', 'location,uuid,name'];
    const pages = await Promise.all(
      forms.map((form) => getJson<Page>(archive(), `/en/api/events?format=api&fields=${form}`)),
    );
    for (const { next } of pages) {
      expect(next).toBe(`${BASE_URL}/en/api/events?fields=uuid%2Cname%2Clocation&format=api&page=2`);
    }
    const tags = await Promise.all(
      forms.map(async (form) => (await archive().fetch(`/en/api/events?fields=${form}`)).headers.get('etag')),
    );
    expect(new Set(tags).size).toBe(1);
  });

  test.each([
    ['/en/api/persons?fields=titl', 'titl', 'title'],
    ['/en/api/persons?fields=uuid,name', 'name', undefined],
    ['/en/api/persons?fields=uuid,', '', undefined],
    ['/en/api/persons?fields=uuid,brieff', 'brieff', undefined],
    ['/en/api/persons?fields=title.nl', 'title.nl', 'title_nl'],
    ['/en/api/events?fields=location.events.persons.title', 'location.events.persons.title', undefined],
    ['/en/api/search?fields=colour', 'colour', undefined],
    ['/en/api/persons?fields=__proto__', '__proto__', undefined],
  ])('%s is refused', async (path, name, nearest) => {
    const response = await archive().fetch(path);
    expect(response.status).toBe(400);
    const problem = (await response.json()) as Json;
    expect(problem['type']).toBe(`${BASE_URL}/problems/invalid-fields`);
    expect(problem['detail']).toContain(`Unknown field "${name}"`);
    expect(problem['fields']).toContain('uuid');
    if (nearest) expect(problem['nearest']).toBe(nearest);
  });
});
