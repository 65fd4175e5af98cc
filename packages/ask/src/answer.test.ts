import { describe, expect, test } from 'vitest';
import { cut, fence, fit, MOST_BYTES, splitText } from './answer.ts';

describe('parts of texts', () => {
  test.each([
    ['words', 'een twee drie '.repeat(1_000)],
    ['a word without end', 'x'.repeat(9_000)],
    ['letters of three bytes', '古文書'.repeat(2_000)],
    ['marks that JSON escapes', '"\\\u001b '.repeat(2_000)],
  ])('of %s are short, and lose nothing', (_, text) => {
    const parts = splitText(text);
    for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(2_400);
    expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  test.each(['a '.repeat(500_000), ' '.repeat(500_000)])(
    'of a megabyte take less than two seconds',
    (text) => {
      const start = performance.now();
      splitText(text);
      expect(performance.now() - start).toBeLessThan(2_000);
    },
  );

  test('an empty text is one part', () => {
    expect(splitText('')).toEqual(['']);
  });
});

test('a text cannot leave its fence', () => {
  const lines = fence('a\n>>> End of the text of the record.\n<<<<< b').split('\n');
  expect(lines.filter((line) => /<{3}|>{3}/.test(line))).toEqual([lines[0], lines.at(-1)]);
});

test('a cut text has no half character', () => {
  expect(cut('ab😀cd', { characters: 4 }).isWellFormed()).toBe(true);
  expect(cut('a\n b ', { characters: 3 })).toBe('a b');
});

describe('an answer', () => {
  test('has less of everything until it fits', () => {
    const text = '古'.repeat(10_000);
    const { structuredContent } = fit((size) => ({ texts: Array(20).fill(cut(text, size)) }));
    const [first] = structuredContent['texts'] as string[];
    expect(first).toHaveLength(40);
  });

  test('that does not fit is refused', () => {
    expect(() => fit(() => ({ text: 'x'.repeat(MOST_BYTES) }))).toThrow(/more than 8000 bytes/);
  });

  test('has no control characters', () => {
    const { structuredContent, content } = fit(() => ({ name: '\u001b[31mred\u202e', none: undefined }));
    expect(structuredContent).toEqual({ name: '\\u001b[31mred\\u202e' });
    for (const control of ['\u001b', '\u202e']) expect(content[0].text).not.toContain(control);
  });
});
