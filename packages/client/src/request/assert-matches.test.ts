import { subjectSchema } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { makeSubject } from '../../testing/subjects.ts';
import { assertMatches, MismatchError } from './assert-matches.ts';

const subject = makeSubject('http://a.test', 1);

test('accepts what the schema describes', () => {
  expect(() => assertMatches(subjectSchema, subject, false)).not.toThrow();
});

test('refuses an unknown field, and accepts it when lenient', () => {
  const more = { ...subject, colour: 'red' };
  expect(() => assertMatches(subjectSchema, more, false)).toThrow(/colour/);
  expect(() => assertMatches(subjectSchema, more, true)).not.toThrow();
});

test('refuses a wrong field even when lenient', () => {
  const wrong = { ...subject, colour: 'red', parent: 'one' };
  expect(() => assertMatches(subjectSchema, wrong, true)).toThrow(/^parent: /);
});

test('names the first faults and counts the others', () => {
  const attempt = () => assertMatches(subjectSchema, {}, false);
  expect(attempt).toThrow(MismatchError);
  expect(attempt).toThrow(/^id: .*; image: .*; url: .*; and \d+ more$/);
  expect(() => assertMatches(subjectSchema, 'x', false)).toThrow(/^the whole response: /);
});
