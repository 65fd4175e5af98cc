import { subjectSchema } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { makeSubject } from '../../testing/subjects.ts';
import { assertMatches, MismatchError } from './assert-matches.ts';

const subject = makeSubject('http://a.test', 1);

test('accepts a valid value', () => {
  expect(() => assertMatches(subjectSchema, subject, false)).not.toThrow();
});

test('rejects an unknown field, and accepts it if lenient', () => {
  const more = { ...subject, colour: 'red' };
  expect(() => assertMatches(subjectSchema, more, false)).toThrow(/colour/);
  expect(() => assertMatches(subjectSchema, more, true)).not.toThrow();
});

test('rejects an invalid field even if lenient', () => {
  const wrong = { ...subject, colour: 'red', parent: 'one' };
  expect(() => assertMatches(subjectSchema, wrong, true)).toThrow(/^parent: /);
});

test('lists the first errors and counts the others', () => {
  const attempt = () => assertMatches(subjectSchema, {}, false);
  expect(attempt).toThrow(MismatchError);
  expect(attempt).toThrow(/^id: .*; image: .*; url: .*; and \d+ more$/);
  expect(() => assertMatches(subjectSchema, 'x', false)).toThrow(/^the whole response: /);
});
