import { expect, test } from 'vitest';
import { inLanguage } from './present.ts';

test.each([
  ['en', 'Nederlands', 'English', 'English'],
  ['en', 'Nederlands', '', 'Nederlands'],
  ['en', 'Nederlands', null, 'Nederlands'],
  ['en', '', 'English', 'English'],
  ['en', '', null, ''],
  ['nl', 'Nederlands', 'English', 'Nederlands'],
  ['nl', 'Nederlands', null, 'Nederlands'],
  ['nl', '', 'English', ''],
] as const)('inLanguage(%j, %j, %j) is %j', (language, dutch, english, text) => {
  expect(inLanguage(language, dutch, english)).toBe(text);
});
