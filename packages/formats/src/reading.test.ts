import { expect, test } from 'vitest';
import { type RecordNames, readingTables, recordTable } from './reading.ts';

const SUBJECT = '3e0a5b0e-5a0e-4c0e-8e0e-000000000001';
const OTHER = '3e0a5b0e-5a0e-4c0e-8e0e-000000000002';
const TEXT =
  '<p>Een <em>leven</em>.<sup><a href="#fn-1">1</a></sup></p><section class="footnotes"><ol><li id="fn-1">Bron, <a href="https://example.org/a|b">hier</a> <a href="#fnref-1">↩</a></li></ol></section>';
const IMAGE = {
  id: 4,
  uuid: OTHER,
  name: '',
  title: 'Portret',
  alt: 'RKD',
  url: '',
  path: 'https://a.test/p.jpg',
};
const PERSON = {
  id: 7,
  uuid: SUBJECT,
  title: 'Jan',
  title_nl: 'Jan',
  title_en: null,
  content: TEXT,
  content_nl: TEXT,
  content_en: '',
  birth_date: '0988-02-29',
  death_date: null,
  subjects: [
    `https://a.test/en/api/subjects/${SUBJECT}`,
    `https://a.test/en/api/subjects/${OTHER}?format=api`,
  ],
  image: { ...IMAGE, author: 'free', copyright: 'CC0' },
  files: [{ ...IMAGE, url: 'https://b.test/x' }],
};

const NAMES: RecordNames = {
  ofUuid: (kind, uuid) => (uuid === SUBJECT ? `${kind} a|b` : undefined),
  ofSubject: (id) => (id === 3 ? 'Top' : undefined),
};
const NONE: RecordNames = { ofUuid: () => undefined, ofSubject: () => undefined };

function cells(
  kind: 'person' | 'subject' | 'event',
  record: object,
  { names = NAMES, ...options }: { names?: RecordNames; both?: boolean; html?: boolean } = {},
) {
  const { columns, rows } = recordTable(kind, options);
  const [row = []] = rows(kind, { ...record }, { language: 'en', names });
  return Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]));
}

/** The rows of a person in a table whose rows are not records. */
function rowsOf(name: string, record: object, options = {}) {
  const table = readingTables([], options).find((one) => one.name === name);
  return table?.rows('person', { ...record }, { language: 'en', names: NONE });
}

test('a row has readable cells and derived columns', () => {
  expect(cells('person', PERSON)).toMatchObject({
    id: '7',
    title_en: '',
    content: 'Een leven.[1]',
    text_language: 'nl',
    birth_date: '0988-02-29',
    birth_year: '988',
    death_year: '',
    subject_names: 'subject a\\|b|',
    subjects: `${SUBJECT}|${OTHER}`,
    image_url: 'https://a.test/p.jpg',
    image_caption: 'Portret',
    image_credit: 'RKD',
    image_author: 'free',
    image_copyright: 'CC0',
  });
});

test.for([
  [{ date: '1629-05-01', date_start: '1630-01-01' }, '1629'],
  [{ date: null, date_start: '1630-01-01', date_end: null }, '1630'],
  [{ date: null, date_start: null, date_end: '1631-01-01' }, '1631'],
  [{ date: null }, ''],
] as const)('the year of %o is %s', ([dates, year]) => {
  expect(cells('event', dates)).toMatchObject({ year });
});

test('an event has the names of its location and persons, embedded or referenced', () => {
  const location = { uuid: OTHER, name: 'Dam' };
  expect(cells('event', { location, persons: [{ uuid: SUBJECT, title: 'Jan' }] })).toMatchObject({
    location_name: 'Dam',
    location: OTHER,
    person_names: 'Jan',
    persons: SUBJECT,
  });
  const referred = { location: `https://a.test/en/api/locations/${SUBJECT}`, persons: [] };
  expect(cells('event', referred)).toMatchObject({ location_name: 'location a|b', location: SUBJECT });
  expect(cells('event', { location: null })).toMatchObject({ location_name: '', location: '' });
});

test.for([
  ['en', '', '', ''],
  ['en', 'nl', '', 'nl'],
  ['en', 'nl', 'en', 'en'],
  ['nl', 'nl', 'en', 'nl'],
  ['nl', '', 'en', 'en'],
] as const)('served in %s, a text of nl "%s" and en "%s" is in "%s"', ([language, nl, en, expected]) => {
  const { columns, rows } = recordTable('event');
  const place = columns.findIndex(({ name }) => name === 'text_language');
  const record = { content: nl || en, content_nl: nl, content_en: en };
  expect(rows('event', record, { language, names: NONE })[0]?.[place]).toBe(expected);
});

test('footnotes are rows with their links', () => {
  const row = (language: string) => [
    'person',
    SUBJECT,
    'Jan',
    language,
    '1',
    'Bron, hier',
    'https://example.org/a\\|b',
  ];
  expect(rowsOf('footnotes', PERSON)).toEqual([row('nl')]);
  const both = { ...PERSON, content_en: TEXT };
  expect(rowsOf('footnotes', both, { both: true })).toEqual([row('nl'), row('en')]);
});

test('images and files are rows', () => {
  const file = ['4', OTHER, '', 'Portret', 'RKD'];
  expect(rowsOf('files', PERSON)).toEqual([
    ['person', SUBJECT, 'Jan', 'image', '', ...file, '', 'https://a.test/p.jpg', '', '', 'free', 'CC0'],
    [
      'person',
      SUBJECT,
      'Jan',
      'file',
      '1',
      ...file,
      'https://b.test/x',
      'https://a.test/p.jpg',
      '',
      '',
      '',
      '',
    ],
  ]);
});
