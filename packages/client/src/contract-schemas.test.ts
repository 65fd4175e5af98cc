import { expect, test } from 'vitest';
import { makeRecord } from '../testing/records.ts';
import type { AnswerName } from './answer-schemas.ts';
import { contractSchemas } from './contract-schemas.ts';
import { parseAnswer } from './request/check-answer.ts';

const place = { baseUrl: 'http://a.test', language: 'en' } as const;
const subject = makeRecord.subject(3, place);
const location = makeRecord.location(1, place);
const [abbreviated] = location.events;

const parse = (schema: AnswerName, value: unknown, lenient: boolean) => () => {
  const expected = { url: 'http://a.test/', schema, expected: 'it' };
  parseAnswer(JSON.stringify(value), expected, { schemas: contractSchemas, lenient });
};
const refuse = (value: unknown, isLenient = false) => parse('location', value, isLenient);

test('the message has the field and the expected value', () => {
  expect(refuse(location)).not.toThrow();
  expect(refuse({ ...location, city: 1 })).toThrow('city: expected string, not 1');
  expect(refuse({ ...location, id: -1 })).toThrow('id: expected number to be >=0, not -1');
  expect(refuse({ ...location, id: 1.5 })).toThrow('id: expected int, not 1.5');
  expect(refuse({ ...location, uuid: 'x' })).toThrow(
    /but uuid: expected a text that matches \/\^[^/]+\$\/, not "x";/,
  );
  expect(refuse({ ...location, subjects: [{ ...subject, parent: 'x' }] })).toThrow(
    /but subjects\.0\.parent: expected number/,
  );
  expect(refuse({ ...location, colour: 1 })).toThrow('the whole response: has the unknown field "colour"');
  expect(refuse({ ...location, events: [{ ...abbreviated, date: '1600-02-30' }] })).toThrow(
    'events.0.date: expected a calendar date written YYYY-MM-DD, not "1600-02-30"',
  );
  const { city: _, ...others } = location;
  expect(refuse(others)).toThrow('city: is missing');
  expect(refuse({})).toThrow(/; and \d+ more;/);
});

test('unknown fields are accepted if that is allowed, at any depth', () => {
  const value = { ...location, colour: 1, events: [{ ...abbreviated, colour: 1 }] };
  expect(refuse(value)).toThrow('has the unknown field "colour"');
  expect(refuse(value, true)).not.toThrow();
  const change = { kind: 'location', change: 'changed', uuid: location.uuid, record: value };
  const changed = (isLenient: boolean) => parse('ChangedRecord', change, isLenient);
  expect(changed(false)).toThrow('record: has the unknown field "colour"');
  expect(changed(true)).not.toThrow();
});
