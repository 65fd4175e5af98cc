import { expect, test } from 'vitest';
import { escapeControls, printable } from './process.ts';

test.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['a\nb\tc\r', 'a\\u000ab\\u0009c\\u000d'],
  ['\u009b31m\u007f', '\\u009b31m\\u007f'],
  ['\u202egnp.exe', '\\u202egnp.exe'],
])('%j is escaped', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('printable text is unchanged', () => {
  expect(printable('Café “de IJssel” 漢字 🏛 −1')).toBe('Café “de IJssel” 漢字 🏛 −1');
});

test('tabs and line ends are kept with keepLines', () => {
  const text = 'Jan\nPiet\tKlaas\r\nover\rwritten\u001b';
  expect(printable(text, { keepLines: true })).toBe('Jan\nPiet\tKlaas\r\nover\\u000dwritten\\u001b');
});

test.each([
  [true, 'é\\u001b[2J!'],
  [false, 'é\u001b[2J!'],
])('bytes on stdout are escaped as text if it is a terminal: %s', (isTTY, expected) => {
  const written: Uint8Array[] = [];
  const output = { write: (some: string | Uint8Array) => written.push(Buffer.from(some)), isTTY };
  const { stdout } = escapeControls({ stdout: output, stderr: output });
  const bytes = Buffer.from('é\u001b[2J!');
  // A character may be in two chunks.
  stdout.write(bytes.subarray(0, 1));
  stdout.write(bytes.subarray(1));
  expect(Buffer.concat(written).toString()).toBe(expected);
});
