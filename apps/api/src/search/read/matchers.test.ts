import { describe, expect, it } from 'vitest';
import { Column } from '../file/columns.ts';
import {
  matchContaining,
  matchRange,
  matchWhole,
  matchWords,
  nameOverlap,
  TIER,
  type Tier,
} from './matchers.ts';

/** A column of values. */
function columnOf(values: readonly string[]): Column {
  return new Column([Buffer.from(values.map((value) => `${value}\n`).join(''))]);
}

/** The matches in values, by row. */
function found(
  match: typeof matchContaining,
  values: readonly string[],
  wanted: string,
  among?: readonly number[],
): [number, Tier][] {
  const rows: [number, Tier][] = [];
  const onMatch = (row: number, tier: Tier) => rows.push([row, tier]);
  match(columnOf(values), Buffer.from(wanted), onMatch, among && Uint32Array.from(among));
  return rows;
}

/** The tier of a value, computed with a regular expression; `wanted` must not contain special characters. */
function tierOf(value: string, wanted: string): Tier | undefined {
  if (!value.includes(wanted)) return undefined;
  if (value === wanted) return TIER.wholeValue;
  const begins = /^[\p{L}\p{N}]/u.test(wanted) ? '(?<![\\p{L}\\p{N}])' : '';
  const ends = /[\p{L}\p{N}]$/u.test(wanted) ? '(?![\\p{L}\\p{N}])' : '';
  if (new RegExp(`${begins}${wanted}${ends}`, 'u').test(value)) return TIER.wholeWord;
  return new RegExp(`${begins}${wanted}`, 'u').test(value) ? TIER.wordStart : TIER.inside;
}

/** All texts of a length over an alphabet. */
function allTexts(alphabet: readonly string[], length: number): string[] {
  if (length === 0) return [''];
  return allTexts(alphabet, length - 1).flatMap((text) => alphabet.map((letter) => text + letter));
}

describe('matchContaining', () => {
  it('computes the right tier for all short values and search values', () => {
    const alphabet = ['a', 'b', ' ', '-', 'σ'];
    const values = [0, 1, 2, 3, 4].flatMap((length) => allTexts(alphabet, length));
    const wanted = [1, 2, 3]
      .flatMap((length) => allTexts(alphabet, length))
      .filter((text) => text.trim() === text);
    for (const text of wanted) {
      const expected = values.flatMap((value, row): [number, Tier][] => {
        const tier = tierOf(value, text);
        return tier === undefined ? [] : [[row, tier]];
      });
      expect(found(matchContaining, values, text)).toEqual(expected);
      const some = values.flatMap((_, row) => (row % 3 === 0 ? [row] : []));
      expect(found(matchContaining, values, text, some)).toEqual(expected.filter(([row]) => row % 3 === 0));
    }
  });

  it('finds nothing in an empty column', () => {
    expect(found(matchContaining, [], 'a')).toEqual([]);
    expect(found(matchContaining, ['', ''], 'a')).toEqual([]);
  });

  it('reports the matched share of the value', () => {
    const shares: number[] = [];
    matchContaining(columnOf(['vries', 'de vries!', 'x']), Buffer.from('vries'), (_row, _tier, share) => {
      shares.push(share);
    });
    expect(shares).toEqual([1, 5 / 9]);
  });
});

describe('matchWords and matchWhole', () => {
  const values = ['vries', 'de vries', 'vriesema', 'devries'];

  it('match whole words, and whole values', () => {
    expect(found(matchWords, values, 'vries').map(([row]) => row)).toEqual([0, 1]);
    expect(found(matchWhole, values, 'vries').map(([row]) => row)).toEqual([0]);
  });
});

describe('matchRange', () => {
  it('finds the dates in an inclusive range', () => {
    const values = ['1619-12-31', '1620-01-01', '', 'circa 1620', '1650-12-31', '1651-01-01'];
    const rows: number[] = [];
    matchRange(columnOf(values), { from: 1620_00_00, to: 1650_99_99 }, (row) => rows.push(row));
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
