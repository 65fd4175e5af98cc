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
import { makeRecord, uuidOf } from '../../testing/records.ts';
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

const place = { baseUrl: 'http://a.test', language: 'en' } as const;
const file = {
  ...{
    id: 1,
    uuid: uuidOf('person', 1),
    name: '',
    title: '',
    alt: '',
    url: 'http://a.test/x.jpg',
    path: null,
  },
  ...{ filetype: 'image', description: '', author: '', copyright: '' },
};
const subject = { ...makeRecord.subject(3, place), image: file, files: [file] };
const person = { ...makeRecord.person(1, place), files: [file] };
const [abbreviated] = makeRecord.location(1, place).events;
const location = {
  ...makeRecord.location(1, place),
  ...{ main_image: file, longitude: '-4', subjects: [subject], events: [{ ...abbreviated, files: [file] }] },
};
const event = { ...makeRecord.event(1, place), date_end: '1500-02-29', persons: [person], location };
/** Valid records. */
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
  expect(refuse({})).toThrow(/; and \d+ more$/);
});
