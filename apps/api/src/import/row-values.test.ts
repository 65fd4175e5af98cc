import { describe, expect, test } from 'vitest';
import type { Value } from './import-map.ts';
import { compileValue } from './row-values.ts';

const ROW: Readonly<Record<string, string>> = {
  name: 'Vries, Jan de',
  alone: 'Absalon',
  empty: '',
  tags: 'ships; locks;; ships ',
  point: 'Point(4.885 52.36)',
  place: 'Springfield, Illinois, United States',
  sex: 'm',
};

const textsOf = (value: Value) => compileValue(value)((column) => ROW[column] ?? '');

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
