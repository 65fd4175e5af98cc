import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const line = (kind: 'person' | 'subject' | 'location' | 'event', id: number, more: object) => ({
  id,
  uuid: uuidOf(kind, id),
  ...more,
});
const person = (id: number, name: string, more: object = {}) =>
  line('person', id, { title_nl: name, title_en: name, ...more });
const location = (id: number, name: string, more: object = {}) =>
  line('location', id, { name_nl: name, name_en: name, ...more });
const event = (id: number, name: string, more: object = {}) =>
  line('event', id, { name_nl: name, name_en: name, ...more });

const BUNDLE = {
  person: [
    person(1, 'Rembrandt van Rijn', { gender: 'male', content_nl: 'schilder (Rembrant) in Amsterdam' }),
    person(2, 'Saskia Uylenburgh', {
      gender: 'female',
      content_nl: 'Rembrant, Rembrant! Leiden, schilder Rembrandt van Rijn',
    }),
    person(3, 'Maria Huygens', { gender: 'female', birth_place: 'Herengracht', birth_date: '1640-01-01' }),
    person(4, 'Titus van Rijn Rembrandt'),
  ],
  location: [
    location(1, 'Amstel 120', { city: 'Leiden', street: 'Herengracht' }),
    location(2, 'Amstel 3', { city: 'Leiderdorp' }),
    location(3, 'Nieuwe Amstel'),
    location(4, 'Oude Amstel'),
  ],
  event: [
    event(1, 'Opening', {
      location: uuidOf('location', 1),
      content_nl: '<p>De <em>Gouden</em> Eeuw &amp; de gouden\neeuw.</p>',
      files: [{ id: 1, uuid: uuidOf('event', 901), title: 'Prent &amp; kaart', alt: 'Rijksmuseum' }],
    }),
    event(2, 'Sluiting', { location: uuidOf('location', 2), content_nl: 'van het huis van Rembrandt' }),
  ],
};

describe('search', () => {
  let folder: string;
  let archive: TestArchive;
  beforeAll(async () => {
    folder = await temporaryFolder();
    archive = await startApi({ engine: 'sqlite', bundle: await writeBundle(join(folder, 'bundle'), BUNDLE) });
  });

  const get = async (path: string, query: Record<string, string>) => {
    const response = await archive.fetch(`/en/api/${path}?${new URLSearchParams(query)}`);
    return { status: response.status, body: await response.json() };
  };
  /** The names of the hits, in order. */
  const names = async (query: Record<string, string>): Promise<string[]> =>
    (await get('search', query)).body.results.map(
      ({ instance }: { instance: { title?: string; name?: string } }) => instance.title ?? instance.name,
    );

  test.each([
    ['a value of gender as a whole', 'gender:male', ['Rembrandt van Rijn']],
    ['no record with an excluded word', 'schilder -leiden', ['Rembrandt van Rijn']],
    ['events by the city of their location', 'kind:event city:leiden', ['Opening']],
    ['all that a place has to do with', 'place:herengracht', ['Amstel 120', 'Maria Huygens', 'Opening']],
    ['either of two words', 'opening OR sluiting', ['Opening', 'Sluiting']],
    ['words that begin so', 'uylen*', ['Saskia Uylenburgh']],
    ['a phrase, across the end of a line', '"gouden eeuw"', ['Opening']],
    ['no phrase in another order', '"eeuw gouden"', []],
    ['the texts of files', 'rijksmuseum prent', ['Opening']],
    ['no names of elements', 'em', []],
    ['no names of characters', 'amp', []],
    ['records of several kinds', 'id:3', ['Maria Huygens', 'Nieuwe Amstel']],
  ])('finds %s: %j', async (_, q, expected) => {
    expect((await names({ q })).toSorted()).toEqual(expected);
  });

  test.each([
    ['has all words in its name', 'van rijn rembrandt', 'Rembrandt van Rijn'],
    ['is called nearly so', 'rembrant', 'Rembrandt van Rijn'],
  ])('finds first what %s: %j', async (_, q, expected) => {
    const found = await names({ q });
    expect(found.length).toBeGreaterThan(1);
    expect(found[0]).toBe(expected);
  });

  test('sorts numbers in names by their value', async () => {
    expect(await names({ q: 'kind:location', sort: 'name' })).toEqual([
      'Amstel 3',
      'Amstel 120',
      'Nieuwe Amstel',
      'Oude Amstel',
    ]);
  });

  test.each([
    ['birth_date:1620-1650', 'birth_date:1620..1650'],
    ['birth_date:<1700', 'birth_date:..1699'],
    ['id:1,2,3', 'id:1 OR id:2 OR id:3'],
    ['kind:person city:leiden', 'kind:location city:leiden'],
  ])('refuses %j, which no record can match, with a query that one can', async (q, correction) => {
    const { status, body } = await get('search', { q });
    expect({ status, corrections: body.corrections }).toEqual({
      status: 400,
      corrections: expect.arrayContaining([correction]),
    });
  });

  test('suggests names of events after others', async () => {
    const { values } = (await get('suggest', { prefix: 'o' })).body;
    expect(values.map(({ value }: { value: string }) => value)).toEqual(['Oude Amstel', 'Opening']);
  });

  test('suggests first the values that begin so, and names the record of one that only it has', async () => {
    const { values } = (await get('suggest', { prefix: 'amstel' })).body;
    expect(values).toEqual([
      { value: 'Amstel 120', count: 1, kind: 'location', uuid: uuidOf('location', 1) },
      { value: 'Amstel 3', count: 1, kind: 'location', uuid: uuidOf('location', 2) },
      { value: 'Nieuwe Amstel', count: 1, kind: 'location', uuid: uuidOf('location', 3) },
      { value: 'Oude Amstel', count: 1, kind: 'location', uuid: uuidOf('location', 4) },
    ]);
  });
});
