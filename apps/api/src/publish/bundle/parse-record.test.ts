import { describe, expect, test } from 'vitest';
import { parseRecord } from './parse-record.ts';

const UUID = '0e2a4b66-9c1d-4f1e-8a3b-5d6c7e8f9a0b';
const OTHER = '1e2a4b66-9c1d-4f1e-8a3b-5d6c7e8f9a0b';

const parse = (kind: 'person' | 'subject' | 'location' | 'event', fields: object) =>
  parseRecord(kind, JSON.stringify({ id: 1, uuid: UUID, ...fields }));

test('missing fields of a person get empty values', () => {
  expect(parse('person', {})).toEqual({
    dates: {},
    record: {
      id: 1,
      uuid: UUID,
      published: true,
      image: null,
      pictures: [],
      subjects: [],
      first_name: '',
      last_name: '',
      infix: '',
      title_nl: '',
      title_en: null,
      content_nl: '',
      content_en: '',
      birth_date: null,
      death_date: null,
      gender: '',
      birth_place: '',
      birth_country: '',
      death_place: '',
      death_country: '',
      summary_nl: '',
      summary_en: '',
      files: [],
    },
  });
});

test.each([
  ['subjects', [OTHER], [OTHER]],
  ['subjects', [OTHER.toUpperCase()], [OTHER]],
  ['subjects', [`https://a.test/en/api/subjects/${OTHER}`], [OTHER]],
  ['subjects', [`https://a.test/en/api/subjects/${OTHER}?format=api`], [OTHER]],
  ['subjects', [{ uuid: OTHER, name: 'x', more: {} }], [OTHER]],
  ['subjects', null, []],
  ['last_name', null, ''],
  ['title_en', '', ''],
  ['birth_date', '', null],
  ['birth_date', '1500-02-29', '1500-02-29'],
  ['published', null, true],
  ['published', false, false],
  ['uuid', UUID.toUpperCase(), UUID],
  ['id', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['id', 0, 0],
])('the value of %s given as %j is parsed as %j', (field, given, value) => {
  expect(parse('person', { [field]: given })).toMatchObject({ record: { [field]: value } });
});

test('derived fields accept any value', () => {
  const derived = { url: 1, title: [], content: {}, summary: null };
  expect(parse('person', derived)).toHaveProperty('record');
  expect(parse('location', { url: 'x', name: 1, position: 2, location_events: 'y' })).toHaveProperty(
    'record',
  );
});

test('missing subjects of an event differ from an empty list', () => {
  expect(parse('event', {})).not.toHaveProperty('record.subjects');
  expect(parse('event', { subjects: [] })).toMatchObject({ record: { subjects: [] } });
});

test('an empty list of vocabulary URLs becomes null', () => {
  expect(parse('subject', { same_as: [] })).toMatchObject({ record: { same_as: null } });
  expect(parse('subject', { same_as: ['https://a.test/1'] })).toMatchObject({
    record: { same_as: ['https://a.test/1'] },
  });
});

test('only the uuid and subjects of abbreviated events are kept', () => {
  const events = [{ uuid: OTHER, subjects: [`https://a.test/en/api/subjects/${UUID}`], name: 'x', id: 3 }];
  expect(parse('location', { events })).toMatchObject({
    record: { events: [{ uuid: OTHER, subjects: [UUID] }] },
  });
});

test('all faults of a line are reported', () => {
  expect(parse('event', { id: 'x', dat: '1', date: '1' })).toEqual({
    faults: [
      {
        field: 'id',
        reason:
          'expected a whole number, got "x"; number the records 1, 2, 3 … and keep other numbers in a column whose name begins with _',
      },
      { field: 'date', reason: 'expected a calendar date written YYYY-MM-DD, got "1"' },
      { field: 'dat', reason: 'is not a field of an event; did you mean date?' },
    ],
    known: { uuid: UUID },
  });
});

test('a text without a language suffix is a fault if both languages are empty', () => {
  const reason = 'would be lost: expected the Dutch text in title_nl and the English text in title_en';
  expect(parse('person', { title: 'x' })).toMatchObject({ faults: [{ field: 'title', reason }] });
  expect(parse('person', { title: 'x', title_en: 'y' })).toHaveProperty('record');
  expect(parse('person', { title: '' })).toHaveProperty('record');
});

test('dates without a day become the first day with partial_dates: first-day, and what is known is kept', () => {
  const line = JSON.stringify({ id: 1, uuid: UUID, birth_date: 'c. 1850', death_date: '1903-11' });
  expect(parseRecord('person', line, 'first-day')).toMatchObject({
    record: { birth_date: '1850-01-01', death_date: '1903-11-01' },
    dates: { birth_date: '1850~', death_date: '1903-11' },
  });
});

describe('the path of a file', () => {
  const withPath = (path: unknown) => parse('person', { image: { id: 1, uuid: UUID, path } });

  test.each(['https://a.test/x.jpg', 'vos.jpg', 'portraits/Vos, Anna.JPEG', 'scans/1650/p. 1.pdf', null])(
    '%j is valid',
    (path) => {
      expect(withPath(path)).toMatchObject({ record: { image: { path } } });
    },
  );

  test.each([
    'vos.svg',
    'vos',
    '/vos.jpg',
    '../vos.jpg',
    'a/../vos.jpg',
    'a//b.png',
    '.vos.jpg',
    'a\\\\b.png',
    'http:vos.jpg',
    'HTTPS:vos.jpg',
    'http://host:port/vos.jpg',
    '',
  ])('%j is invalid', (path) => {
    expect(withPath(path)).toMatchObject({
      faults: [
        {
          field: 'image.path',
          reason: expect.stringMatching(
            /^expected an absolute http or https URL, or a path in MEDIA_DIR such as/,
          ),
        },
      ],
    });
  });
});

test('the size limit counts the fields of a record, not embedded records', () => {
  const [text, more] = ['x'.repeat(2 * 2 ** 20), 'y'.repeat(4 * 2 ** 20)];
  const parseLocation = (fields: object) => parse('location', fields);
  expect(parseLocation({ content_nl: text })).toMatchObject({
    faults: [
      { reason: expect.stringMatching(/^has 2,097,\d\d\d bytes, more than the limit of 2,097,152; put /) },
    ],
  });
  expect(parseLocation({ content_nl: text.slice(1_000) })).toHaveProperty('record');
  expect(
    parseLocation({ content: more, content_nl: 'x', events: [{ uuid: OTHER, content: more }] }),
  ).toHaveProperty('record');
  // Two and three bytes per character.
  expect(parseLocation({ content_nl: 'é'.repeat(2 ** 20) })).toHaveProperty('faults');
  expect(parseLocation({ content_nl: '漢'.repeat(700_000) })).toHaveProperty('faults');
});

test('a reference by a URL of another kind is a fault', () => {
  const subjects = (address: string) => parse('person', { subjects: [address] });
  for (const address of [
    `https://a.test/en/api/persons/${OTHER}`,
    `https://a.test/archive/nl/api/locations/${OTHER}?format=api`,
    `https://a.test/nl/gebeurtenissen/${OTHER}/`,
  ]) {
    expect(subjects(address), address).toMatchObject({
      faults: [
        {
          field: 'subjects[0]',
          reason: expect.stringContaining('expected a reference to a subject, but the URL belongs to'),
        },
      ],
    });
  }
  for (const address of [
    `https://a.test/nl/onderwerpen/${OTHER}/`,
    `https://a.test/en/api/subjects/${OTHER}`,
    `https://elsewhere.test/things/${OTHER}`,
  ]) {
    expect(subjects(address), address).toHaveProperty('record');
  }
});
