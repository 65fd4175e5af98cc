import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test.each([
  ['Jan\nPiet\tKlaas', 'Jan\nPiet\tKlaas'],
  ['\u001b[2Jgone', '\ufffd[2Jgone'],
  ['a\rb\u0007\u0000\u007f\u009b31m', 'a\ufffdb\ufffd\ufffd\ufffd\ufffd31m'],
  ['één 史料 …', 'één 史料 …'],
])('%j is printed as %j', (text, printed) => {
  expect(printable(text)).toBe(printed);
});
