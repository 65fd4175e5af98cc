import { describe, expect, it } from 'vitest';
import { Column } from '../file/columns.ts';
import { matchRange, nameOverlap } from './matchers.ts';

describe('matchRange', () => {
  it('finds the dates in an inclusive range', () => {
    const values = ['1619-12-31', '1620-01-01', '', 'circa 1620', '1650-12-31', '1651-01-01'];
    const rows: number[] = [];
    const column = new Column(Buffer.from(values.map((value) => `${value}\n`).join('')));
    matchRange(column, { from: 1620_00_00, to: 1650_99_99 }, (row) => rows.push(row));
    expect(rows).toEqual([1, 4]);
  });
});

describe('nameOverlap', () => {
  const overlap = (name: string, typed: string) => nameOverlap(name.split(' '), new Set(typed.split(' ')));

  it.each([
    ['rembrandt', 'rembrandt', 1],
    ['jan six', 'six jan', 1],
    ['rembrandt', 'rembrandt van ryn', 0.4545],
    ['willem drost', 'rembrandt van ryn', 0],
    ['dr nicolaes pietersz tulp', 'nicolaes tulp', 0.625],
    ['jan van goyen', 'van goyen', 0.5455],
    ['van de', 'de van', 1],
    ['', 'jan', 0],
  ])('the overlap of %j and %j is %d', (name, typed, expected) => {
    expect(overlap(name, typed)).toBeCloseTo(expected, 4);
  });

  it('is higher for a complete name than for a partial one', () => {
    expect(overlap('rembrandt', 'rembrandt van ryn')).toBeGreaterThan(
      overlap('rembrandt bioscope', 'rembrandt van ryn'),
    );
  });
});
