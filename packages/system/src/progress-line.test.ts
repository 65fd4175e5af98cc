import { expect, test } from 'vitest';
import { createProgressLine } from './progress-line.ts';

function output(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('prints nothing without a terminal', () => {
  const pipe = output(false);
  const line = createProgressLine(pipe);
  line.show(() => 'half');
  line.clear();
  expect(pipe.written).toEqual([]);
});

test('overwrites the line on a terminal, at most once per interval, and removes it at the end', () => {
  const terminal = output(true);
  const line = createProgressLine(terminal);
  line.show(() => '1 of 3');
  line.show(() => '2 of 3');
  line.clear();
  line.clear();
  expect(terminal.written).toEqual(['\r\u001b[2K1 of 3', '\r\u001b[2K']);
});

test('removes nothing if nothing was shown', () => {
  const terminal = output(true);
  createProgressLine(terminal).clear();
  expect(terminal.written).toEqual([]);
});

test('truncates the line to the width of the terminal', () => {
  const terminal = { ...output(true), columns: 5 };
  createProgressLine(terminal).show(() => '123456');
  expect(terminal.written).toEqual(['\r\u001b[2K1234']);
});
