import { expect, test } from 'vitest';
import { inOnePiece } from './in-one-piece.ts';

const text = Buffer.from('one two three');

test.each([
  ['none', [], ''],
  ['adjacent', [text.subarray(0, 4), text.subarray(4, 8)], 'one two '],
  ['in another order', [text.subarray(4, 8), text.subarray(0, 4)], 'two one '],
  ['with a gap', [text.subarray(0, 3), text.subarray(8)], 'onethree'],
  ['of different buffers', [text.subarray(0, 4), Buffer.from('more')], 'one more'],
])('pieces: %s', (_what, pieces, expected) => {
  expect(inOnePiece(pieces).toString()).toBe(expected);
});

test('adjacent pieces are not copied', () => {
  expect(inOnePiece([text.subarray(0, 4), text.subarray(4)]).buffer).toBe(text.buffer);
});
