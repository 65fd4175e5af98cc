import { expect, test } from 'vitest';
import { canonicalUrl, isStrict, pageOf, readParameters, refuseUnknown } from './parameters.ts';

const KNOWN = ['format', 'page', 'q'] as const;
const read = (query: string) => readParameters(KNOWN, new URLSearchParams(query));

test.each([
  ['', ''],
  ['page=1', ''],
  ['page=', ''],
  ['page=2', 'page=2'],
  ['page=002', 'page=2'],
  ['page=1&page=3', 'page=3'],
  ['format=api', 'format=api'],
  ['q=x&page=2&format=api', 'format=api&page=2&q=x'],
  ['q=+last_name:x+', 'q=last_name%3Ax'],
  ['q=%20', ''],
  ['q=a%2Bb%26c', 'q=a%2Bb%26c'],
  ['utm_source=x&page=2', 'page=2'],
])('"%s" is normalized to "%s"', (query, normalized) => {
  expect(canonicalUrl('', read(query)).replace(/^\?/, '')).toBe(normalized);
});

test.each([
  'page=0',
  'page=-1',
  'page=x',
  'page=1e3',
  'page=1.5',
  'page=+2',
  'page=1&page=0',
  'page=9999999999999999',
])('%s is an invalid page', (query) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ problem: 'invalid-page', status: 404 }));
});

test('a format other than api is refused', () => {
  expect(() => read('format=xml')).toThrow(
    expect.objectContaining({ problem: 'invalid-format', status: 400 }),
  );
});

test('the page is 1 by default', () => {
  expect([pageOf(read('')), pageOf(read('page=12'))]).toEqual([1, 12]);
});

test('an unpaired surrogate in a query does not break its link', () => {
  expect(canonicalUrl('http://a.test', [['q', 'x\ud800']])).toBe('http://a.test?q=x%EF%BF%BD');
});

test.each([
  ['handling=strict', true],
  ['respond-async, handling=strict; wait=5', true],
  ['handling="strict"', true],
  ['handling=lenient', false],
  ['handling=strictly', false],
  ['', false],
])('Prefer: %s requests strict handling: %s', (prefer, strict) => {
  expect(isStrict(prefer)).toBe(strict);
});

test('the problem of an unknown parameter names the nearest valid one', () => {
  expect(() => refuseUnknown(KNOWN, new URLSearchParams('page=1&formt=api'))).toThrow(
    expect.objectContaining({
      problem: 'unknown-parameter',
      message: expect.stringContaining('"formt"; did you mean'),
    }),
  );
  expect(() => refuseUnknown(KNOWN, new URLSearchParams('page=1'))).not.toThrow();
});
