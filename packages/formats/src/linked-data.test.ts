import { Parser } from 'n3';
import { describe, expect, it } from 'vitest';
import { graphOf, LINKED_FORMS } from './linked-data.ts';

const ARCHIVE = {
  baseUrl: 'https://archive.test',
  identity: 'https://archive.test',
  licence: 'https://creativecommons.org/publicdomain/zero/1.0/',
};
const UUID = '10000000-abcd-4000-8000-ffffffffff9a';

const PLACED = { location: [{ kind: 'location' as const, uuid: UUID }] };

const describeOne = (kind: 'person' | 'subject' | 'location' | 'event', fields: object) =>
  graphOf({ kind, uuid: UUID, ...fields }, kind === 'event' ? PLACED : {}, ARCHIVE);

describe('the graph of a record', () => {
  it.each([
    [['https://iconclass.org/42E'], '42E'],
    [['http://vocab.getty.edu/aat/300302722', 'http://www.iconclass.org/rkd/25F23%28DOG%29/'], '25F23(DOG)'],
    [['https://iconclass.org/%'], '%'],
    [['https://example.org/42E'], undefined],
    [[], undefined],
  ])('of a subject with the addresses %j has the notation %s', (addresses, notation) => {
    const graph = describeOne('subject', { name_nl: 'Tin', same_as: addresses });
    expect(graph['termCode']).toEqual(notation && { '@value': notation });
  });

  it.each([
    [{ first_name: 'Aalmoezeniersweeshuis' }, 'Thing', undefined],
    [{ last_name: 'Braseman' }, 'Thing', undefined],
    [{ first_name: 'Rembrandt', birth_date: '1606-07-15' }, 'Person', 'Rembrandt'],
    [{ first_name: 'Judith', last_name: 'Leyster' }, 'Person', 'Judith'],
    [{ last_name: 'Visscher', gender: 'male' }, 'Person', undefined],
  ])('of a person with %j is of a %s', (fields, type, givenName) => {
    const graph = describeOne('person', { title_nl: 'Naam', ...fields });
    expect(graph['@type']).toBe(type);
    expect(graph['givenName']).toEqual(givenName && { '@value': givenName });
  });

  it.each([
    ['1606-07-15', { '@value': '1606-07-15', '@type': 'xsd:date' }],
    ['1606-07', { '@value': '1606-07', '@type': 'xsd:gYearMonth' }],
    ['1650~', { '@value': '1650', '@type': 'xsd:gYear' }],
    ['1600-02-29', { '@value': '1600-02-29', '@type': 'xsd:date' }],
    ['1700-02-29', { '@value': '1700-02', '@type': 'xsd:gYearMonth' }],
    ['165X', undefined],
  ])('has the date %s as far as it is known', (date, expected) => {
    expect(describeOne('event', { name_nl: 'Feest', date })['startDate']).toEqual(expected);
  });

  it.each([
    [{ date: '1606' }, 'Event'],
    [{ date_start: '1606-07-15' }, 'Event'],
    [{ date_end: '1606' }, 'Thing'],
    [{ date: '165X' }, 'Thing'],
    [{}, 'Thing'],
  ])(
    'an event without its first day or its location is a thing, which search engines do not check: %j',
    (dates, type) => {
      const { '@type': ofEvent, additionalType } = describeOne('event', { name_nl: 'Feest', ...dates });
      expect([ofEvent, additionalType]).toEqual([
        type,
        type === 'Thing' ? { '@id': 'https://schema.org/Event' } : undefined,
      ]);
      const nowhere = graphOf({ kind: 'event', uuid: UUID, ...dates }, { location: [] }, ARCHIVE);
      expect(nowhere['@type']).toBe('Thing');
    },
  );

  it('has texts with their languages, addresses of the web only, and a picture with its licence', () => {
    const image = { url: 'https://images.test/a b.jpg', title: 'Portret', alt: 'Museum', copyright: '' };
    const graph = describeOne('person', {
      ...{ title_nl: 'Jan', title_en: 'John', summary_nl: 'Smid', summary_en: '', gender: 'male' },
      ...{ image, birth_place: 'Delft', birth_country: '', same_as: null },
    });
    expect(graph).toMatchObject({
      '@id': `https://archive.test/id/${UUID}`,
      name: [
        { '@value': 'Jan', '@language': 'nl' },
        { '@value': 'John', '@language': 'en' },
      ],
      description: [{ '@value': 'Smid', '@language': 'nl' }],
      birthPlace: { '@type': 'Place', name: [{ '@value': 'Delft', '@language': 'nl' }] },
      image: {
        contentUrl: { '@id': 'https://images.test/a%20b.jpg' },
        license: { '@id': ARCHIVE.licence },
        creditText: { '@value': 'Museum', '@language': 'nl' },
      },
    });
    const script = describeOne('subject', { name_nl: 'x', same_as: ['javascript:alert(1)', 'https://[x'] });
    expect(script).not.toHaveProperty('sameAs');
    expect(describeOne('person', { image: { url: 'ftp://x' } })).not.toHaveProperty('image');
  });

  it('has the same triples in Turtle and N-Triples, whatever its texts have', () => {
    const name = 'Een "naam" \\ met\nregels, \u0000 en 😀';
    const graph = graphOf(
      { kind: 'event', uuid: UUID, ...{ name_nl: name } },
      { location: [{ kind: 'location', uuid: UUID, ...{ name_nl: 'Plein' } }], about: [] },
      ARCHIVE,
    );
    const turtle = new Parser().parse(LINKED_FORMS.ttl.write(graph));
    const triples = new Parser({ format: 'N-Triples' }).parse(LINKED_FORMS.nt.write(graph));
    expect(triples.map(({ object }) => object.value)).toContain(name);
    expect(turtle.map((quad) => [quad.subject.value, quad.predicate.value, quad.object.value])).toEqual(
      triples.map((quad) => [quad.subject.value, quad.predicate.value, quad.object.value]),
    );
    expect(JSON.parse(LINKED_FORMS.jsonld.write(graph))).toMatchObject({ '@id': graph['@id'] });
  });
});
