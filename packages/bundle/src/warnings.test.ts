import { expect, test } from 'vitest';
import { hasScript, isPlaceholder, markWithoutNote, TEXT_RULES } from './text-warnings.ts';
import { doubtOf } from './warnings.ts';

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

test.each([
  ['Brief van <naam onleesbaar> aan de raad.', 'has <naam>, which is no tag of HTML'],
  ['<p>een <lacuna/> twee</p>', 'has <lacuna>, which is no tag'],
  ['Regel een\nRegel twee', 'has line ends, which readers see as spaces'],
  ['<p>een</p>\n<P>twee<br/>drie, a < b en 1<2</P>\n', undefined],
  ['een regel\n', undefined],
])('the HTML %j: %s', (html, reason) => {
  const found = ['unknown-tag', 'line-ends'].flatMap(
    (code) => new Map(TEXT_RULES).get(code)?.(html, true) || [],
  );
  expect(found).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)]);
});

const warningsOf = (text: string) =>
  ['damaged-text', 'invisible', 'escaped', 'several-addresses'].flatMap(
    (code) => new Map(TEXT_RULES).get(code)?.(text, text.startsWith('<p>')) || [],
  );

test.each([
  ['HÃ©lÃ¨ne', 'UTF-8'],
  ['â€œhuisâ€\u009d', 'UTF-8'],
  ['Ã\u00a0 la', 'UTF-8'],
  ['ï»¿naam', 'UTF-8'],
  ['HÃƒÂ©lÃƒÂ¨ne', 'UTF-8'],
  ['H√©l√®ne', 'UTF-8'],
  ['├®t├®', 'UTF-8'],
  ['Ren\ufffd', 'replacement'],
  ['Renï¿½', 'replacement'],
  ['\u200bBert', 'invisible'],
  ['Bert\u200e', 'invisible'],
  ['a\ufeffb', 'invisible'],
  ['A\u007fB', 'control'],
  ['D\u0085L', 'control'],
  ['Zo&euml; &amp; Jo', 'entity'],
  ['Jo&#8217;s', 'entity'],
  ['<p>Zo&amp;euml;</p>', 'entity'],
  ['Jos\\u00e9', 'escaped'],
  ['Jos%C3%A9', 'escaped'],
  ['Jos=C3=A9', 'escaped'],
  ...['; ', ',', ' ', '\n', '|'].map((between) => [
    `https://a.test/1${between}https://a.test/2`,
    'several addresses',
  ]),
])('%j looks damaged: %s', (text, reason) => {
  expect(warningsOf(text)[0]).toContain(reason);
});

test.each([
  ...[
    'Goed',
    'Jo & Zo',
    'R&B; soul',
    'Hélène, Zoë, Åse',
    'ÅNGSTRÖM',
    '“Å” en „Ä“',
    '10 °C · 3 × 4 – ‘ja’…',
    'C:\\users',
    '100% Cacao',
  ],
  ...['<p>Zo&euml; &amp; Jo</p>', 'https://a.test/?a=1&copy=2&x;=3%C3%A9', 'José', '√2 = 1,41', 'a\u200db'],
  'https://web.archive.org/web/2020/https://a.test/',
])('%j does not look damaged', (text) => {
  expect(warningsOf(text)).toEqual([]);
});

test.each(['n/a', 'N.A.', 'NULL', 'None', 'unknown', 'Onbekend', 'n.v.t.', '-', '???', '#N/A', '#REF!'])(
  '%j stands for the lack of a text',
  (text) => expect(isPlaceholder(text)).toBe(true),
);

test('names are no placeholders', () => {
  expect(['Anna', 'Nan', 'Nan Goldin', 'Nulle', '#1'].some(isPlaceholder)).toBe(false);
});
