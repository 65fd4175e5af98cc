import { describe, expect, it } from 'vitest';
import { jsonLd } from './metadata.tsx';
import { createPage } from './page.ts';
import { toPageRecord } from './record.ts';

const PAGE = createPage(
  { baseUrl: 'https://archive.test', hasPages: true, tiles: undefined },
  { language: 'nl', path: 'nl/x/', archive: { title: { en: 'Test archive', nl: 'Proefarchief' } } },
);
const UUID = '10000000-abcd-4000-8000-ffffffffff9a';

describe('the structured data of a record', () => {
  it.each([
    [['https://iconclass.org/42E'], '42E'],
    [['http://vocab.getty.edu/aat/300302722', 'http://www.iconclass.org/rkd/25F23%28DOG%29/'], '25F23(DOG)'],
    [['https://iconclass.org/%'], '%'],
    [['https://example.org/42E'], undefined],
    [[], undefined],
  ])('of a subject with the addresses %j has the notation %s', (addresses, notation) => {
    const subject = toPageRecord('subject', { id: 12, uuid: UUID, name_nl: 'Tin', same_as: addresses });
    expect(jsonLd(PAGE, subject, {})['termCode']).toBe(notation);
  });

  it.each([
    [{ first_name: 'Aalmoezeniersweeshuis' }, 'Thing', undefined],
    [{ last_name: 'Braseman' }, 'Thing', undefined],
    [{ first_name: 'Rembrandt', birth_date: '1606-07-15' }, 'Person', 'Rembrandt'],
    [{ first_name: 'Judith', last_name: 'Leyster' }, 'Person', 'Judith'],
    [{ last_name: 'Visscher', gender: 'male' }, 'Person', undefined],
  ])('of a person with %j is of a %s', (fields, type, givenName) => {
    const person = toPageRecord('person', { id: 1, uuid: UUID, title_nl: 'Naam', ...fields });
    const data = jsonLd(PAGE, person, {});
    expect(data['@type']).toBe(type);
    expect(data['givenName']).toBe(givenName);
  });

  it('links records by the address of their page in English', () => {
    const event = toPageRecord('event', { id: 1, uuid: UUID, name_nl: 'Feest' });
    const location = toPageRecord('location', { id: 1, uuid: UUID, name_nl: 'Plein' });
    const data = jsonLd(PAGE, event, { location, about: [] });
    const id = `https://archive.test/en/locaties/${UUID}/`;
    expect(data['location']).toEqual({ '@type': 'Place', '@id': id, name: 'Plein' });
    expect(data).not.toHaveProperty('about');
  });
});
