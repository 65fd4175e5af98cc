import { describe, expect, test } from 'vitest';
import { BASE_URL_MARK, slot, toRenderedText, withoutMarks } from './marks.ts';

/** Texts that look like marks once they are escaped, and are none. */
const LOOKALIKES = [
  '\\u0001',
  '"\\u0001',
  '\\\\u0001',
  '"\\u0002person\\u0002"',
  '[\\u0002person\\u0002]',
  '$1 $&',
];

describe('a record with marks', () => {
  test('has them bare in its text, where they are the only control characters', () => {
    const text = toRenderedText({
      url: `${BASE_URL_MARK}/en/x/`,
      persons: [slot('person')],
      location: slot('location'),
    });
    expect(text).toBe(
      '{"url":"\u0001/en/x/","persons":[\u0002person\u0002],"location":\u0002location\u0002}',
    );
  });

  test('is plain JSON without them: links without base URL, slots empty', () => {
    const text = toRenderedText({
      url: `${BASE_URL_MARK}/en/x/`,
      persons: [slot('person')],
      location: slot('location'),
    });
    expect(JSON.parse(withoutMarks(text))).toEqual({ url: '/en/x/', persons: [], location: null });
  });
});

test.each(LOOKALIKES)('the text %j is no mark', (content) => {
  const text = toRenderedText({ content });
  expect(text).toBe(JSON.stringify({ content }));
  expect(JSON.parse(withoutMarks(text))).toEqual({ content });
});
