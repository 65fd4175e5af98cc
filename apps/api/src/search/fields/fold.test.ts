import { expect, it } from 'vitest';
import { fold } from './fold.ts';

const TABLE: [text: string, folded: string][] = [
  ['', ''],
  ['  Jan\t\n van\u00a0 Eyck ', 'jan van eyck'],
  ['AMSTERDAM', 'amsterdam'],
  ['Béatrice Ångström', 'beatrice angstrom'],
  ['Be\u0301atrice', 'beatrice'],
  ['Größe', 'grosse'],
  ['Ærø, Œuvre, Łódź', 'aero, oeuvre, lodz'],
  ['Đorđe Þór Eiðr', 'dorde thor eidr'],
  ['IJsselmeer', 'ysselmeer'],
  ['\u0132sselmeer en de \u0133', 'ysselmeer en de y'],
  ['Ruÿsch', 'ruysch'],
  ['Ruijsch', 'ruysch'],
  ['İstanbul ısı', 'istanbul isi'],
  ['Σωκράτης', 'σωκρατησ'],
  ['Йосиф', 'иосиф'],
  ['‘s-Gravenhage’', "'s-gravenhage'"],
  ["d´Artagnan d'Artagnan", "d'artagnan d'artagnan"],
  ['“Manke” „Piet‟', '"manke" "piet"'],
  ['Bosch - Reitz', 'bosch-reitz'],
  ['Bosch -Reitz', 'bosch-reitz'],
  ['1748 – 1768', '1748-1768'],
  ['a - - b', 'a--b'],
  ['soft\u00adhyphen zero\u200bwidth', 'softhyphen zerowidth'],
  ['i\u200dj', 'y'],
  ['a\0b\x7fc\x85d\u3000e', 'a b c d e'],
  ['™ Ⅳ', 'tm iv'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ['\ud800x', '\ufffdx'],
  ['ﬁlm ①', 'film 1'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  ['नमस्ते', 'नमस्ते'],
  ['100% _x_ *', '100% _x_ *'],
];

it.each(TABLE)('folds %j to %j, which stays the same', (text, folded) => {
  expect(fold(text)).toBe(folded);
  expect(fold(folded)).toBe(folded);
});

it('takes linear time in the number of marks on a letter', () => {
  const started = performance.now();
  expect(fold(`a${'\u0301\u0323'.repeat(200_000)}b`)).toBe('ab');
  expect(performance.now() - started).toBeLessThan(10_000);
});
