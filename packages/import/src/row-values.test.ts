import { describe, expect, test } from 'vitest';
import { CellText } from './cell-text.ts';
import { readDegrees, readRd } from './coordinates.ts';
import type { Value } from './import-map.ts';
import { personName } from './person-names.ts';
import { compileValue } from './row-values.ts';

const ROW: Readonly<Record<string, string>> = {
  name: 'Vries, Jan de',
  alone: 'Absalon',
  empty: '',
  tags: 'ships; locks;; ships ',
  point: 'Point(4.885 52.36)',
  place: 'Springfield, Illinois, United States',
  sex: 'm',
  year: '1709',
  month: '',
  maand: 'mei',
  day: '3',
  none: '00',
  x: '155000',
  y: '463000',
};

const textsOf = (value: Value) =>
  compileValue(value)((column) => new CellText(ROW[column] ?? '')).map(({ text }) => text);

describe('a value', () => {
  test.each<[string, Value, string[]]>([
    ['is a column', { column: 'name' }, ['Vries, Jan de']],
    ['is nothing for an empty cell', { column: 'empty' }, []],
    ['keeps what is before', { column: 'name', before: ', ' }, ['Vries']],
    ['keeps what is after', { column: 'name', after: ', ' }, ['Jan de']],
    ['keeps everything before what is absent', { column: 'alone', before: ', ' }, ['Absalon']],
    ['keeps nothing after what is absent', { column: 'alone', after: ', ' }, []],
    ['keeps what is after the last', { column: 'place', after_last: ', ' }, ['United States']],
    ['keeps what is before the last', { column: 'place', before_last: ', ' }, ['Springfield, Illinois']],
    ['keeps what is between', { column: 'point', after: '(', before: ' ' }, ['4.885']],
    ['splits lists', { column: 'tags', list: ';' }, ['ships', 'locks', 'ships']],
    ['replaces whole texts', { column: 'sex', replace: { m: 'male', v: 'female' } }, ['male']],
    ['empties texts', { column: 'sex', replace: { m: '' } }, []],
    ['does not replace by names of the language', { column: 'sex', replace: {} }, ['m']],
    [
      'joins',
      { join: [{ column: 'name', after: ', ' }, { column: 'empty' }, { column: 'name', before: ', ' }] },
      ['Jan de Vries'],
    ],
    ['joins with a separator', { join: [{ column: 'sex' }, { column: 'alone' }], with: '-' }, ['m-Absalon']],
    [
      'joins constants to texts',
      { join: [{ constant: 'https://a.test/' }, { column: 'sex' }], with: '' },
      ['https://a.test/m'],
    ],
    ['is nothing for constants beside empty cells', { join: [{ constant: 'x' }, { column: 'empty' }] }, []],
    ['is a constant', { constant: 'Nederland' }, ['Nederland']],
    [
      'splits what is joined',
      { join: [{ column: 'tags' }, { column: 'sex' }], with: ';', list: ';' },
      ['ships', 'locks', 'ships', 'm'],
    ],
  ])('%s', (_, value, texts) => {
    expect(textsOf(value)).toEqual(texts);
  });
});

test.each<[string, Value, string[]]>([
  ['year, month and day', { year: 'year', month: 'maand', day: 'day' }, ['1709-05-03']],
  ['year and month', { year: 'year', month: 'maand', day: 'none' }, ['1709-05']],
  ['year', { year: 'year', month: 'none' }, ['1709']],
  ['the year, where a day has no month', { year: 'year', month: 'month', day: 'day' }, ['1709']],
  ['texts that make no date', { year: 'year', month: 'day', day: 'name' }, ['1709 3 Vries, Jan de']],
  ['nothing', { year: 'empty', month: 'month' }, []],
  [
    'a day that is no month',
    { join: [{ column: 'year' }, { column: 'month' }, { column: 'day' }], with: '-' },
    ['1709--3'],
  ],
  ['a year alone', { join: [{ column: 'year' }, { column: 'month' }], with: '-' }, ['1709']],
  [
    'a year and its month',
    { join: [{ column: 'year' }, { column: 'day' }, { column: 'month' }], with: '-' },
    ['1709-3'],
  ],
])('a date of several columns is %s', (_, value, texts) => {
  const read = compileValue(value, true);
  expect(read((column) => new CellText(ROW[column] ?? '')).map(({ text }) => text)).toEqual(texts);
});

test.each<[string, string | undefined, string | undefined]>([
  ['52°00\'42"N 4°42\'38"E', '52.011667', '4.710556'],
  ['52° 00′ 42″ N.B., 4° 42′ 38″ O.L.', '52.011667', '4.710556'],
  ['N 52 00.7 E 004 42.6', '52.011667', '4.71'],
  ['52°00′42″', '52.011667', '52.011667'],
  ["12° 2' Z", '-12.033333', undefined],
  ["77° 1' W.L.", undefined, '-77.016667'],
  ['POINT (4.71 52.01)', '52.01', '4.71'],
  ['SRID=4326;POINT(4.71 52.01)', '52.01', '4.71'],
  ['52,01; 4,71', '52.01', '4.71'],
  ["52°61'N", undefined, undefined],
  ['N 52 N', undefined, undefined],
  ['about 52°N', undefined, undefined],
])('the degrees %j are %s and %s', (text, latitude, longitude) => {
  expect([readDegrees(text, 'latitude'), readDegrees(text, 'longitude')]).toEqual([latitude, longitude]);
});

// Two towers, by F. H. Schreutelkamp and G. L. Strang van Hees, Benaderingsformules (2001): Amersfoort, and the Westertoren.
test.each<[string, number | undefined, number | undefined]>([
  ['155000 463000', 52.155174, 5.387206],
  ['120700,723, 487525,502', 52.374533, 4.883526],
  ['463000 155000', undefined, undefined],
  ['155000', undefined, undefined],
])('the point %s of the grid of the Netherlands', (text, latitude, longitude) => {
  const [north, east] = [readRd(text, 'latitude'), readRd(text, 'longitude')];
  if (latitude === undefined || longitude === undefined)
    expect([north, east]).toEqual([undefined, undefined]);
  else {
    expect(Number(north)).toBeCloseTo(latitude, 5);
    expect(Number(east)).toBeCloseTo(longitude, 5);
  }
});

test.each<[string, string | undefined, string?, string?, string?]>([
  ['Vos, Anna', 'Anna Vos', 'Anna', '', 'Vos'],
  ['Berg, Jan van den', 'Jan van den Berg', 'Jan', 'van den', 'Berg'],
  ['van den Berg, Jan', 'Jan van den Berg', 'Jan', 'van den', 'Berg'],
  ['Berg, J.C. v.d.', 'J.C. v.d. Berg', 'J.C.', 'v.d.', 'Berg'],
  ['Hooft, Else ’t', "Else 't Hooft", 'Else', "'t", 'Hooft'],
  ['Berg, van den, Jan', 'Jan van den Berg', 'Jan', 'van den', 'Berg'],
  ['Berg van den, Jan', 'Jan van den Berg', 'Jan', 'van den', 'Berg'],
  ['Berg, Jan (van den)', 'Jan van den Berg', 'Jan', 'van den', 'Berg'],
  ['BERG, J. VAN DEN', 'J. VAN DEN BERG', 'J.', 'VAN DEN', 'BERG'],
  ["Hondecoeter, Melchior d'", "Melchior d'Hondecoeter", 'Melchior', "d'", 'Hondecoeter'],
  ['Berg, van den', 'van den Berg', '', 'van den', 'Berg'],
  ['Berg, Jan, jr.', 'Jan Berg jr.', 'Jan', '', 'Berg'],
  ['Berg, Jan van den Jr.', 'Jan van den Berg Jr.', 'Jan', 'van den', 'Berg'],
  ['Jan van den Berg', 'Jan van den Berg', 'Jan', 'van den', 'Berg'],
  ['Anna Maria van Schurman', 'Anna Maria van Schurman', 'Anna Maria', 'van', 'Schurman'],
  ['Charles Le Brun', 'Charles Le Brun', 'Charles', 'Le', 'Brun'],
  ['V. D. Mol', 'V. D. Mol', 'V. D.', '', 'Mol'],
  ['Anna de Vries - Jansen', 'Anna de Vries - Jansen', 'Anna', 'de', 'Vries - Jansen'],
  ['de Wit', 'de Wit', '', 'de', 'Wit'],
  ['Jan van El', 'Jan van El', 'Jan', 'van', 'El'],
  ['El, Jan van', 'Jan van El', 'Jan', 'van', 'El'],
  ['van der Bij, Jan', 'Jan van der Bij', 'Jan', 'van der', 'Bij'],
  ['Jan van de', undefined],
  ['Pieter Corneliszoon Hooft', 'Pieter Corneliszoon Hooft', 'Pieter Corneliszoon', '', 'Hooft'],
  ['Rembrandt', 'Rembrandt', '', '', ''],
  ['Mol & Zonen, N.V.', undefined],
  ['N.V. Mol', undefined],
  ['Museum, Zeeuws', undefined],
  ['Vos, Anna en Wit, Piet', undefined],
  ['Vos, Anna (1850-1900)', undefined],
  ['Delft, Holland, Nederland', undefined],
  ['Vos,', undefined],
])('the name %j is %j', (text, title, first_name = '', infix = '', last_name = '') => {
  expect(personName(text)).toEqual(title === undefined ? undefined : { title, first_name, infix, last_name });
});
