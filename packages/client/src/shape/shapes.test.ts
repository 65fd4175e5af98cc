import { readFile } from 'node:fs/promises';
import {
  eventSchema,
  KINDS,
  type Kind,
  locationSchema,
  personSchema,
  subjectSchema,
} from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { makeShapes } from '../../testing/make-shapes.ts';
import { assertMatches } from '../request/assert-matches.ts';
import { schemaOf, shapeOf } from './shapes.ts';

test('the shapes are those of the schemas: after a change of these, run `npm run shapes -w packages/client`', async () => {
  const file = new URL('shapes.json', import.meta.url);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(makeShapes());
});

const SCHEMAS = {
  person: personSchema,
  subject: subjectSchema,
  location: locationSchema,
  event: eventSchema,
} as const;
const NAMES = { person: 'Person', subject: 'Subject', location: 'Location', event: 'Event' } as const;

/** Values that replace a valid one. */
const WRONG = [
  null,
  '',
  'x',
  -1,
  1.5,
  2 ** 60,
  true,
  [],
  {},
  ['x'],
  [{}],
  '1600-02-30',
  '1500-02-29',
  'http://a.test/',
  undefined,
];

type Fields = Record<string, unknown>;

const page = (path: string) => `http://a.test/en/${path}/dca8c505-3d84-5386-9646-6c29b5c16126/`;
const uuid = 'dca8c505-3d84-5386-9646-6c29b5c16126';
const texts = (...names: string[]) =>
  Object.fromEntries(names.flatMap((name) => ['', '_nl', '_en'].map((suffix) => [name + suffix, name])));
const file = {
  id: 1,
  uuid,
  name: '',
  title: '',
  alt: '',
  url: 'http://a.test/x.jpg',
  path: null,
  filetype: 'image',
  description: '',
  author: '',
  copyright: '',
};
const common = { id: 1, uuid, published: true, files: [file], same_as: null };
const dates = { date: '1632-11-24', date_start: null, date_end: '1500-02-29' };
const subject = {
  ...common,
  ...texts('name', 'description', 'summary'),
  image: file,
  url: page('onderwerpen'),
  parent: 3,
  same_as: ['http://b.test/x'],
};
const reference = (path: string) => `http://a.test/en/api/${path}/${uuid}`;
const person = {
  ...common,
  ...texts('title', 'content', 'summary'),
  title_en: null,
  image: null,
  pictures: [],
  url: page('personen'),
  subjects: [reference('subjects')],
  first_name: 'x',
  last_name: '',
  infix: '',
  birth_date: '1632-11-24',
  death_date: null,
  gender: 'male',
  birth_place: '',
  birth_country: '',
  death_place: '',
  death_country: '',
};
const abbreviated = {
  ...common,
  ...dates,
  ...texts('name', 'content', 'summary'),
  main_image: null,
  url: page('gebeurtenissen'),
  subjects: [],
  persons: [reference('persons')],
  location: reference('locations'),
};
const location = {
  ...common,
  ...texts('name', 'content', 'summary'),
  main_image: file,
  latitude: '52.1',
  longitude: '-4',
  events: [abbreviated],
  subjects: [subject],
  related_locations: [reference('locations')],
  url: page('locaties'),
  position: '',
  street: '',
  zipcode: '',
  city: '',
  state: '',
  land: '',
  location_events: [1],
};
const event = {
  ...common,
  ...dates,
  ...texts('name', 'content', 'summary'),
  main_image: null,
  persons: [person],
  location,
  url: page('gebeurtenissen'),
};
const RECORDS: Readonly<Record<Kind, Fields>> = { person, subject, location, event };

/** Copies of the record in which one value, at any depth, is invalid or missing. */
function* broken(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      for (const other of broken(each)) yield value.with(index, other);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      const { [name]: _, ...others } = value as Fields;
      yield others;
      for (const other of broken(each)) yield { ...value, [name]: other };
    }
    yield { ...value, colour: 'red' };
  }
}

describe.each(KINDS)('the shape of a %s', (kind) => {
  const schema = schemaOf(shapeOf(NAMES[kind]));

  test('accepts valid records', () => {
    expect(SCHEMAS[kind].safeParse(RECORDS[kind]).error).toBeUndefined();
    expect(schema.safeParse(RECORDS[kind])).toEqual({ success: true });
  });

  test('rejects the records that the schema rejects', () => {
    let refused = 0;
    let accepted = 0;
    for (const wrong of broken(RECORDS[kind])) {
      const { success } = SCHEMAS[kind].safeParse(wrong);
      expect(schema.safeParse(wrong).success, JSON.stringify(wrong)?.slice(0, 2000)).toBe(success);
      if (success) accepted += 1;
      else refused += 1;
    }
    expect(refused).toBeGreaterThan(300);
    expect(accepted).toBeGreaterThan(20);
  });
});

test('the message has the field and the expected value', () => {
  const refuse = (value: unknown) => () => assertMatches(schemaOf(shapeOf('Location')), value, false);
  expect(refuse({ ...location, city: 1 })).toThrow('city: expected a text, not 1');
  expect(refuse({ ...location, subjects: [{ ...subject, parent: 'x' }] })).toThrow(
    /^subjects\.0\.parent: expected a whole number/,
  );
  expect(refuse({ ...location, colour: 1 })).toThrow('the whole response: has the unknown field "colour"');
  expect(refuse({ ...location, events: [{ ...abbreviated, date: '1600-02-30' }] })).toThrow(
    /events\.0\.date: expected a calendar date/,
  );
});
