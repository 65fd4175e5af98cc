import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fileMadeBy } from '../../virtual-file.ts';
import { parseByteRange, sizeWithin } from './send-file.ts';

test.each([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=0-', { start: 0, end: 100 }],
  ['bytes=10-19', { start: 10, end: 20 }],
  ['bytes= 90-1000', { start: 90, end: 100 }],
  ['BYTES=99-99', { start: 99, end: 100 }],
  ['bytes=-5', { start: 95, end: 100 }],
  ['bytes=-1000', { start: 0, end: 100 }],
  ['bytes=100-', 'beyond'],
  ['bytes=100-200', 'beyond'],
  ['bytes=-0', 'beyond'],
  ['bytes=20-10', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-5', undefined],
  ['bytes', undefined],
])('in a file of 100 bytes, %s is %o', (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});

test('an empty file has no valid range', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('beyond');
  expect(parseByteRange('bytes=-5', 0)).toBe('beyond');
});

/** A file of `parts` parts of two bytes. */
const fileOf = (parts: number) =>
  fileMadeBy(async function* () {
    for (let part = 0; part < parts; part += 1) {
      await nextTurn();
      yield Buffer.from('ab');
    }
  });
const nobody = () => new AbortController().signal;

test('the size of a file is found within a time, or not at all', async () => {
  expect(await sizeWithin(60_000, fileOf(10), nobody())).toBe(20);
  expect(await sizeWithin(20, fileOf(Number.POSITIVE_INFINITY), nobody())).toBeUndefined();
});

test('the size of a file is not looked for once the client has gone, or the file has failed', async () => {
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(sizeWithin(60_000, fileOf(10), gone)).rejects.toThrow('gone');
  const broken = fileMadeBy(async function* () {
    await nextTurn();
    yield Buffer.from('ab');
    throw new Error('broken');
  });
  await expect(sizeWithin(60_000, broken, nobody())).rejects.toThrow('broken');
});
