import { expect, test } from 'vitest';
import { createProgressLine } from './progress-line.ts';

function output(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('where there is no terminal, nothing is shown', () => {
  const pipe = output(false);
  const line = createProgressLine(pipe);
  line.show(() => 'half');
  line.clear();
  expect(pipe.written).toEqual([]);
});

test('on a terminal the line is written over, not too often, and removed in the end', () => {
  const terminal = output(true);
  const line = createProgressLine(terminal);
  line.show(() => '1 of 3');
  line.show(() => '2 of 3');
  line.clear();
  line.clear();
  expect(terminal.written).toEqual(['\r\u001b[2K1 of 3', '\r\u001b[2K']);
});

test('what was never shown is not removed', () => {
  const terminal = output(true);
  createProgressLine(terminal).clear();
  expect(terminal.written).toEqual([]);
});

test('a line that is longer than the terminal is wide is cut, so that it can be written over', () => {
  const terminal = { ...output(true), columns: 5 };
  createProgressLine(terminal).show(() => '123456');
  expect(terminal.written).toEqual(['\r\u001b[2K1234']);
});
