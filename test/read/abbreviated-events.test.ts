import { KINDS } from '@archiefkast/types';
import { BRIEF_ABBREVIATED_FIELDS } from '@archiefkast/types/internal';
import { beforeAll, expect, test } from 'vitest';
import { ABBREVIATED_EVENT } from '../contract/tables.ts';
import { BASE_URL, startShared, type TestArchive } from '../support/api-server.ts';
import { describeEngines } from '../support/test-database.ts';
import {
  getJson,
  type Json,
  type Page,
  walkArchive,
  walkPages,
  walkRecords,
  walkTexts,
} from '../support/walk.ts';

const LIST = '/nl/api/events?events=abbreviated';

describeEngines('abbreviated events (%s)', (engine) => {
  let archive: TestArchive;
  let records: Awaited<ReturnType<typeof walkArchive>>;
  let listed: Json[];
  beforeAll(async () => {
    archive = await startShared('fixture', engine);
    records = await walkArchive(archive, 'nl');
    listed = await walkRecords(archive, LIST);
  });

  const uuidAt = (reference: unknown) => String(reference).split('/').at(-1);

  test('are those of locations, and full events with what their addresses lead to', () => {
    const atLocations = records.location.flatMap(({ events }) => events as Json[]);
    expect(atLocations.length).toBeGreaterThan(5);
    for (const event of atLocations)
      expect(JSON.stringify(listed.find(({ uuid }) => uuid === event['uuid']))).toBe(JSON.stringify(event));
    const byUuid = new Map(KINDS.flatMap((kind) => records[kind]).map((record) => [record['uuid'], record]));
    const expanded = listed.map(({ subjects: _, ...event }) => ({
      ...event,
      persons: (event['persons'] as string[]).map((person) => byUuid.get(uuidAt(person))),
      location: event['location'] === null ? null : byUuid.get(uuidAt(event['location'])),
    }));
    expect(expanded).toEqual(records.event);
    expect(listed.map((event) => Object.keys(event))).toEqual(records.event.map(() => ABBREVIATED_EVENT));
  });

  test('next, previous and Link keep the parameter, with all others', async () => {
    const path = '/en/api/search?sort=id&edition=1&events=abbreviated&fields=uuid';
    const { next } = await getJson<Page>(archive, `${path}&page=2`);
    const same = 'edition=1&events=abbreviated&fields=uuid';
    expect(next).toBe(`${BASE_URL}/en/api/search?${same}&page=3&sort=id`);
    const response = await archive.fetch(next ?? '');
    expect(((await response.json()) as Page).previous).toBe(
      `${BASE_URL}/en/api/search?${same}&page=2&sort=id`,
    );
    expect(response.headers.get('link')).toContain(`?${same}&sort=id>; rel="first"`);
  });

  test('events=full is the list without the parameter; the other form has its own ETag', async () => {
    const [plain, full, abbreviated] = await Promise.all(
      ['', '?events=full', '?events=abbreviated'].map(async (query) => {
        const response = await archive.fetch(`/en/api/events${query}`);
        return { tag: response.headers.get('etag'), text: await response.text() };
      }),
    );
    expect(full).toEqual(plain);
    expect(abbreviated?.tag).not.toBe(plain?.tag);
    const held = await archive.fetch('/en/api/events', {
      headers: { 'if-none-match': abbreviated?.tag ?? '' },
    });
    expect(held.status).toBe(200);
  });

  test('details, search and dumps have them too', async () => {
    for (const event of listed.slice(0, 3))
      expect(await getJson(archive, `/nl/api/events/${event['uuid']}?events=abbreviated`)).toEqual(event);
    const pages = await walkPages(archive, '/nl/api/search?events=abbreviated');
    const found = pages.flatMap(({ results }) => results.map(({ instance }) => instance));
    expect(found).toEqual([...records.person, ...records.subject, ...records.location, ...listed]);
    const dump = await (await archive.fetch('/nl/api/dump/events.jsonl?events=abbreviated')).text();
    const texts = await walkTexts(archive, LIST);
    const results = texts.map((page) => page.slice(page.indexOf('"results":[') + 11, -2));
    expect(dump).toBe(`${results.join(',').replaceAll('},{"id":3', '}\n{"id":3')}\n`);
    const some = await (
      await archive.fetch('/nl/api/dump/events.jsonl?events=abbreviated&sort=id&q=e')
    ).text();
    for (const line of some.trimEnd().split('\n')) expect(dump).toContain(`${line}\n`);
  });

  test('fields= selects of their fields; brief has the address of the location', async () => {
    const of = (fields: string) => walkRecords(archive, `${LIST}&fields=${fields}`);
    const pick = (names: readonly string[]) =>
      listed.map((event) => Object.fromEntries(names.map((name) => [name, event[name]])));
    expect(await of('location,subjects,persons')).toEqual(pick(['subjects', 'persons', 'location']));
    const brief = await of('brief');
    expect(brief.map(({ main_image: _, ...event }) => event)).toEqual(
      pick(BRIEF_ABBREVIATED_FIELDS.filter((name) => !name.startsWith('main_image.'))),
    );
    expect(brief.map(({ main_image: image }) => image && Object.keys(image))).toEqual(
      listed.map(({ main_image: image }) => image && ['title', 'alt', 'url', 'path']),
    );
  });

  test.each([
    [`${LIST}&fields=location.name`, 'invalid-fields', 'Unknown field "location.name"'],
    ['/en/api/events?events=short', 'invalid-events', 'Unknown form of events "short".'],
    ['/en/api/search?events=', undefined, undefined],
    ['/en/api/persons?events=short', undefined, undefined],
  ])('%s: %s', async (path, problem, detail) => {
    const response = await archive.fetch(path);
    const body = (await response.json()) as Json;
    expect(response.status).toBe(problem === undefined ? 200 : 400);
    expect(body['type']).toBe(problem && `${BASE_URL}/problems/${problem}`);
    if (detail) expect(body['detail']).toContain(detail);
    if (problem === 'invalid-events') expect(body['forms']).toEqual(['full', 'abbreviated']);
  });
});
