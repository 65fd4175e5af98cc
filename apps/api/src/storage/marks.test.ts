import { describe, expect, test } from 'vitest';
import { BASE_URL_MARK, slot, toRenderedText, withoutMarks } from './marks.ts';

/** Texts that look like marks once they are escaped. */
const LOOKALIKES = [
  '\\u0001',
  '"\\u0001',
  '\\\\u0001',
  '"\\u0002person\\u0002"',
  '[\\u0002person\\u0002]',
  '$1 $&',
];

describe('a record with marks', () => {
  test('contains them unescaped, as its only control characters', () => {
    const text = toRenderedText({
      url: `${BASE_URL_MARK}/en/x/`,
      persons: [slot('person')],
      location: slot('location'),
    });
    expect(text).toBe(
      '{"url":"\u0001/en/x/","persons":[\u0002person\u0002],"location":\u0002location\u0002}',
    );
  });

  test('becomes plain JSON without them: no base URL, empty slots', () => {
    const text = toRenderedText({
      url: `${BASE_URL_MARK}/en/x/`,
      persons: [slot('person')],
      location: slot('location'),
    });
    expect(JSON.parse(withoutMarks(text))).toEqual({ url: '/en/x/', persons: [], location: null });
  });
});

test.each(LOOKALIKES)('the text %j is not a mark', (content) => {
  const text = toRenderedText({ content });
  expect(text).toBe(JSON.stringify({ content }));
  expect(JSON.parse(withoutMarks(text))).toEqual({ content });
});
