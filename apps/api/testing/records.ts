import type { Kind } from '@archiefkast/types';
import fc from 'fast-check';

/** What records are made of. */
export interface Material {
  text: fc.Arbitrary<string>;
  /** The uuids of the records that they may refer to. */
  uuids: Readonly<Record<Kind, readonly string[]>>;
}

const day = fc.constantFrom('', '1500-02-29', '1850-05-12', '0001-01-01', '9999-12-31', null);
const url = fc.constantFrom('x', 'a|b', 'é', '\\', '%7C', '?q="').map((end) => `https://a.test/${end}`);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Records of each kind in which every field has any valid value, without an id, a uuid and a parent. */
export function arbitraryRecords({ text, uuids }: Material): Record<Kind, fc.Arbitrary<object>> {
  const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
  const bilingual = (...names: string[]) => texts(...names.flatMap((name) => [`${name}_nl`, `${name}_en`]));
  const some = (kind: Kind) => fc.subarray([...uuids[kind]], { maxLength: Math.min(4, uuids[kind].length) });
  const file = fc.record({
    id: fc.nat(),
    uuid: fc.uuid({ version: 4 }),
    ...texts('name', 'title', 'alt', 'filetype', 'description', 'author', 'copyright'),
    url: fc.oneof(fc.constant(''), url),
    path: fc.oneof(fc.constant(null), url),
  });
  const every = {
    published: maybe(fc.boolean()),
    files: fc.array(file, { maxLength: 2 }),
    ...bilingual('summary'),
  };
  return {
    person: fc.record({
      ...every,
      image: maybe(file),
      ...bilingual('content'),
      title_nl: text,
      title_en: fc.oneof(fc.constantFrom(null, ''), text),
      ...texts('first_name', 'infix', 'last_name', 'gender'),
      ...texts('birth_place', 'birth_country', 'death_place', 'death_country'),
      birth_date: day,
      death_date: day,
      subjects: some('subject'),
      pictures: fc.oneof(fc.constant([]), fc.tuple(fc.nat(), text, fc.record({ c: text }))),
    }),
    subject: fc.record({
      ...every,
      image: maybe(file),
      ...bilingual('name', 'description'),
      same_as: fc.option(fc.array(url, { maxLength: 2 })),
    }),
    location: fc.record({
      ...every,
      main_image: maybe(file),
      ...bilingual('name', 'content'),
      ...texts('street', 'zipcode', 'city', 'state', 'land'),
      latitude: fc.constantFrom('', '52.370', '-0', '90'),
      longitude: fc.constantFrom('', '4.90', '-180.000000000000000001'),
      subjects: some('subject'),
      related_locations: some('location'),
    }),
    event: fc.record({
      ...every,
      main_image: maybe(file),
      ...bilingual('name', 'content'),
      date: day,
      date_start: day,
      date_end: day,
      persons: some('person'),
      subjects: maybe(some('subject')),
      location: maybe(some('location').map(([first]) => first)),
    }),
  };
}
