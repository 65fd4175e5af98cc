import type { Kind } from '@archiefkast/types';
import type { Random } from '../../apps/api/testing/random.ts';

/** Difficult texts for a table: quotes, line breaks, separators, values that spreadsheets convert, Unicode, long texts. */
const HARD = [
  '',
  ' ',
  'x',
  '"',
  '""',
  "'",
  ',',
  ';',
  '\t',
  '|',
  'a|b',
  '\\',
  '\\empty',
  '\\\\',
  '\n',
  '\r\n',
  '\r',
  'a\n\nb',
  '=1+1',
  '+1',
  '-1',
  '@a',
  '0123',
  '1850',
  '1e5',
  'true',
  ' before',
  'after ',
  '_x000D_',
  '_x005F_x000D_',
  '&amp;',
  '<p class="a">b</p>\n',
  ']]>',
  'é',
  'e\u0301',
  '€',
  '😀',
  '\u0080',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '\uffff',
  '\u{10ffff}',
  'x'.repeat(40_000),
  '😀'.repeat(20_000),
];

/** Generates a small archive in which every field has any valid value. */
export function generateRecords(random: Random): Record<Kind, object[]> {
  const text = () =>
    Array.from({ length: random.below(4) }, () => random.pick(HARD)).join(random.pick(['', ' ', 'y']));
  const some = <Item>(items: readonly Item[]) => items.filter(() => random.below(3) === 0);
  const maybe = <Value>(value: Value) => (random.below(2) === 0 ? value : undefined);
  const uuids = (count: number) => Array.from({ length: count }, () => random.uuid());
  const day = () => random.pick(['', '1500-02-29', '1850-05-12', '0001-01-01', '9999-12-31', null]);
  const url = () => `https://a.test/${random.pick(['x', 'a|b', 'é', '\\', '%7C', '?q="'])}`;
  const file = () => ({
    id: random.below(2 ** 31),
    uuid: random.uuid(),
    ...texts(['name', 'title', 'alt', 'filetype', 'description', 'author', 'copyright']),
    url: random.pick(['', url()]),
    path: random.pick([null, url()]),
  });
  const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text()]));
  const bilingual = (names: readonly string[]) =>
    texts(names.flatMap((name) => [`${name}_nl`, `${name}_en`]));
  const files = () => Array.from({ length: random.below(3) }, file);
  const all = {
    subject: uuids(random.below(5)),
    person: uuids(random.below(5)),
    location: uuids(random.below(5)),
    event: uuids(random.below(5)),
  };
  const make = (kind: Kind, more: (place: number) => object) =>
    all[kind].map((uuid, place) => ({
      id: place === 0 ? Number.MAX_SAFE_INTEGER : place,
      uuid,
      published: maybe(random.below(3) > 0),
      [kind === 'person' || kind === 'subject' ? 'image' : 'main_image']: maybe(file()),
      files: files(),
      ...bilingual(['summary']),
      ...more(place),
    }));
  return {
    subject: make('subject', (place) => ({
      ...bilingual(['name', 'description']),
      same_as: random.pick([null, [], [url()], [url(), url()]]),
      parent: place > 1 ? 1 : null,
    })),
    person: make('person', () => ({
      ...bilingual(['content']),
      title_nl: text(),
      title_en: random.pick([null, '', text()]),
      ...texts(['first_name', 'infix', 'last_name', 'gender']),
      ...texts(['birth_place', 'birth_country', 'death_place', 'death_country']),
      birth_date: day(),
      death_date: day(),
      subjects: some(all.subject),
      pictures: random.pick([[], [1, 'a|b', { c: [null, text()] }]]),
    })),
    location: make('location', () => ({
      ...bilingual(['name', 'content']),
      ...texts(['street', 'zipcode', 'city', 'state', 'land']),
      latitude: random.pick(['', '52.370', '-0', '90']),
      longitude: random.pick(['', '4.90', '-180.000000000000000001']),
      subjects: some(all.subject),
      related_locations: some(all.location),
    })),
    event: make('event', () => ({
      ...bilingual(['name', 'content']),
      date: day(),
      date_start: day(),
      date_end: day(),
      persons: some(all.person),
      subjects: maybe(some(all.subject)),
      location: maybe(all.location[0]),
    })),
  };
}
