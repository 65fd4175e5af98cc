import { expect, test } from 'vitest';
import { doubtOf, hasScript, markWithoutNote } from './warnings.ts';

test.each([
  ['<script>x</script>', true],
  ['<SCRIPT src="x">', true],
  ['<p onclick="x">a</p>', true],
  ['<img src=x onerror = x>', true],
  ["<a href='javascript:x'>a</a>", true],
  ['<a href=" JavaScript:x">a</a>', true],
  ['<iframe src=javascript:x>', true],
  ['<img src="x" onerror="x', true],
  ['<p>a</p>', false],
  ['<p>one = two, on = off; javascript: a language</p>', false],
  ['<a href="https://a.test/?javascript:">a</a>', false],
  ['<a title="an onclick = b">a</a>', false],
])('hasScript(%j) is %s', (html, expected) => {
  expect(hasScript(html)).toBe(expected);
});

test.each([
  ['<a href="#fn-1">1</a>', '#fn-1'],
  ['<a href="#fn-1">1</a><li id="fn-1">', undefined],
  ['<li id="fn-1"><a href="#fnref-1">x</a>', undefined],
  ['<a href="#fn-1">1</a><a href="#fn-2">2</a><li id="fn-1">', '#fn-2'],
  ['a[^1] b', '[^1]'],
  ['a[^ [^] [^x y] [^z', undefined],
  ['a[^x [^y]', '[^y]'],
  ['write href="#fn-1" so', undefined],
])('markWithoutNote(%j) is %s', (html, expected) => {
  expect(markWithoutNote(html)).toBe(expected);
});

test.each([
  ['1700-02-29', 'is a day of the Julian calendar only; in the Gregorian one, 1700 has no 29 February'],
  ['0000-01-01', 'is in the year 0, which no calendar of history has'],
  ['9999-12-31', 'is in the future'],
])('%s is unlikely', (date, reason) => {
  expect(doubtOf(date)).toBe(`${date} ${reason}`);
});

test.each(['1500-02-29', '1600-02-29', '1704-02-29', '1700-02-28', '0001-01-01', '2020-01-01', ''])(
  '%j is no unlikely date',
  (date) => {
    expect(doubtOf(date)).toBeUndefined();
  },
);
