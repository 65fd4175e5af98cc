import { describe, expect, it } from 'vitest';
import { Column } from '../file/columns.ts';
import { matchContaining, matchRange, matchWhole, matchWords, TIER, type Tier } from './match-field.ts';

/** A column of values. */
function columnOf(values: readonly string[]): Column {
  return new Column([Buffer.from(values.map((value) => `${value}\n`).join(''))]);
}

/** What is found in values, row by row. */
function found(match: typeof matchContaining, values: readonly string[], wanted: string): [number, Tier][] {
  const rows: [number, Tier][] = [];
  match(columnOf(values), Buffer.from(wanted), (row, tier) => rows.push([row, tier]));
  return rows;
}

/** The tier of a value, worked out with a regular expression; `wanted` has no sign that means something in one. */
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
  it('gives each value its tier, whatever the value and whatever is asked for', () => {
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
    }
  });

  it('finds nothing in no values', () => {
    expect(found(matchContaining, [], 'a')).toEqual([]);
    expect(found(matchContaining, ['', ''], 'a')).toEqual([]);
  });

  it('tells how much of the value was asked for', () => {
    const shares: number[] = [];
    matchContaining(columnOf(['vries', 'de vries!', 'x']), Buffer.from('vries'), (_row, _tier, share) => {
      shares.push(share);
    });
    expect(shares).toEqual([1, 5 / 9]);
  });
});

describe('matchWords and matchWhole', () => {
  const values = ['vries', 'de vries', 'vriesema', 'devries'];

  it('take words, and whole values', () => {
    expect(found(matchWords, values, 'vries').map(([row]) => row)).toEqual([0, 1]);
    expect(found(matchWhole, values, 'vries').map(([row]) => row)).toEqual([0]);
  });
});

describe('matchRange', () => {
  it('finds the dates in a range, its ends included', () => {
    const values = ['1619-12-31', '1620-01-01', '', 'circa 1620', '1650-12-31', '1651-01-01'];
    const rows: number[] = [];
    matchRange(columnOf(values), { from: 1620_00_00, to: 1650_99_99 }, (row) => rows.push(row));
    expect(rows).toEqual([1, 4]);
  });
});
