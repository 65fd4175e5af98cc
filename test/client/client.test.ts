import { join } from 'node:path';
import { type Client, createClient, type Listing, StatusError } from '@archiefkast/client';
import { contractSchemas } from '@archiefkast/client/node';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { ITSELF, startApi, type TestArchive, untilServed } from '../support/api-server.ts';
import { FIXTURE, SERVED, TOTAL, writeBundle, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { walkRecords } from '../support/walk.ts';

describe('the client', () => {
  let folder: string;
  let archive: TestArchive;
  let client: Client;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const bundle = await writeFixture(join(folder, 'one'));
    archive = await startApi({ engine: 'sqlite', bundle, settings: { BASE_URL: ITSELF } });
    const person = FIXTURE.person
      .filter(({ id }) => id !== 119)
      .map((line) => (line.id === 120 ? { ...line, gender: 'x' } : line));
    const added = { id: 999, uuid: uuidOf('person', 999), title_nl: 'Nieuw' };
    const two = await writeBundle(join(folder, 'two'), { ...FIXTURE, person: [...person, added] });
    await publishHere(archive.database, two);
    await untilServed(archive, 2);
    client = createClient({ baseUrl: archive.origin, retries: 0, schemas: contractSchemas });
  });

  test('walks every list, and gets all its records', async () => {
    for (const kind of KINDS) {
      const records = await Array.fromAsync(client.records(kind).records());
      expect(records).toEqual(await walkRecords(archive, `/en/api/${COLLECTIONS[kind]}`));
      expect(await client.records(kind).get(records[0]?.uuid ?? '')).toEqual(records[0]);
    }
  });

  test('selects fields, with types', async () => {
    const events = await Array.fromAsync(
      client.events.select('date', 'uuid', 'location.name', 'persons.title').records(),
    );
    type Selected = {
      uuid: string;
      date: string | null;
      location: { name: string } | null;
      persons: { title: string }[];
    };
    expectTypeOf(events).toEqualTypeOf<Selected[]>();
    expect(events).toHaveLength(SERVED.event);
    expect(Object.keys(events[0] ?? {})).toEqual(['persons', 'location', 'uuid', 'date']);
    const one = await client.locations.select('events.date', 'city').get(uuidOf('location', 201));
    expectTypeOf(one).toEqualTypeOf<{ events: { date: string | null }[]; city: string }>();
    expect(one.city).toBe('Leiden');
    const hits = await Array.fromAsync(
      client.search('kind:person', { sort: 'name' }).select('title', 'name').records(),
    );
    expect(hits).toHaveLength(SERVED.person);
    for (const hit of hits) {
      if (hit.type === 'person') expectTypeOf(hit.instance).toEqualTypeOf<{ title: string }>();
      expect(Object.keys(hit.instance)).toEqual(['title']);
    }
  });

  test('an unknown field is refused by the server', async () => {
    const select = client.persons.select as (...fields: string[]) => Listing<unknown>;
    const unknown = expect.objectContaining({ status: 400, detail: expect.stringContaining('colour') });
    await expect(Array.fromAsync(select('uuid', 'colour').records())).rejects.toEqual(unknown);
  });

  test('suggests, counts, and describes the archive', async () => {
    const { values } = await client.suggest('chr');
    expect(values[0]).toMatchObject({ value: 'Christian Huygens', kind: 'person' });
    expect((await client.suggest('hu', 'last_name')).values).toMatchObject([{ value: 'Huygens', count: 1 }]);
    const { count, facets } = await client.facets('kind:event', ['kind']);
    expect(facets).toEqual({
      kind: [{ value: 'event', label: 'Events', count, q: 'kind:event' }],
    });
    expect((await client.facets()).count).toBe(TOTAL);
    expect(await client.index()).toMatchObject({ total: TOTAL, title: null });
    expect(await client.editions()).toMatchObject({ served: 2, editions: [{ id: 2 }, { id: 1 }] });
  });

  test('reads the records that match a query as a file, and maps', async () => {
    const found = await Array.fromAsync(client.dump('person', { query: 'last_name:huygens', sort: 'name' }));
    expect(found.map(({ last_name }) => last_name)).toEqual(['Huygens']);
    const all = await client.features('location');
    expect(all.features.length).toBeGreaterThan(1);
    const placed = all.features.find(({ geometry }) => geometry);
    const [longitude = 0, latitude = 0] = placed?.geometry?.coordinates ?? [];
    const near = await client.features('event', {
      bbox: [longitude - 0.01, latitude - 0.01, longitude + 0.01, latitude + 0.01],
    });
    expect(near.features.length).toBeGreaterThan(0);
    expect(near.features.every(({ properties }) => typeof properties.name === 'string')).toBe(true);
    expect((await client.features('event', { query: 'zzzz' })).features).toEqual([]);
    await expect(Array.fromAsync(client.dump('person', { query: 'colour:red' }))).rejects.toThrow(/400/);
  });

  test('reads changes and dumps', async () => {
    const changes = await client.changes(1);
    expect(changes.persons.removed).toEqual([uuidOf('person', 119)]);
    const changed = await Array.fromAsync(client.changedRecords(1));
    expect(changed.filter(({ kind }) => kind === 'person').map(({ change, uuid }) => [change, uuid])).toEqual(
      [
        ['removed', uuidOf('person', 119)],
        ['added', uuidOf('person', 999)],
        ['changed', uuidOf('person', 120)],
      ],
    );
    const persons = await Array.fromAsync(client.dump('person'));
    expectTypeOf(persons[0]).toExtend<{ last_name: string } | undefined>();
    expect(persons).toEqual(await Array.fromAsync(client.persons.records()));
  });

  test('stays in one edition', async () => {
    const earlier = createClient({ baseUrl: archive.origin, retries: 0, edition: 1 });
    const uuids = (records: { uuid: string }[]) => records.map(({ uuid }) => uuid);
    expect(uuids(await Array.fromAsync(earlier.persons.select('uuid').records()))).toContain(
      uuidOf('person', 119),
    );
    expect(uuids(await Array.fromAsync(client.persons.select('uuid').records()))).not.toContain(
      uuidOf('person', 119),
    );
    expect(uuids(await Array.fromAsync(earlier.dump('person')))).toContain(uuidOf('person', 119));
    expect((await earlier.facets('gender:x')).count).toBe(0);
    expect((await client.facets('gender:x')).count).toBe(1);
  });

  test('reports the problem', async () => {
    const failure = await Array.fromAsync(client.search('colour:red').records()).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({
      status: 400,
      type: `${archive.origin}/problems/invalid-query`,
      detail: expect.stringContaining('Unknown field "colour"'),
      expected: expect.any(String),
      fields: expect.arrayContaining(['last_name']),
    });
    await expect(Array.fromAsync(client.changedRecords(77))).rejects.toMatchObject({ status: 404 });
    await expect(client.persons.get(uuidOf('person', 987))).rejects.toMatchObject({
      status: 404,
      fields: undefined,
    });
  });
});
