import { describe, expect, it } from 'vitest';
import { matchContaining, matchWhole, matchWords, TIER, type Tier } from './column-matches.ts';
import { Column } from './columns.ts';

/** A column of values. */
function columnOf(values: readonly string[]): Column {
  return new Column(Buffer.from(values.map((value) => `${value}\n`).join('')));
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
