import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFaults } from './check-faults.ts';
import { FAULTS } from './faults.ts';
import { LIST, listFaults } from './list-faults.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the faults that were mended', () => {
  test('have edits whose text is found, and tests that exist', () => {
    expect(FAULTS.length).toBeGreaterThan(60);
    expect(checkFaults(FAULTS, ROOT)).toEqual([]);
  });

  test('are listed in test/faults.md: run npm run undo -- --list', () => {
    expect(readFileSync(join(ROOT, LIST), 'utf8')).toBe(listFaults(FAULTS));
  });
});

test('an edit whose text has moved, a test that is gone and a name given twice are named', () => {
  const fault = {
    id: 'a',
    was: 'Something.',
    guard: ['test/undo/nowhere.test.ts', 'b'],
    undo: [['test/undo/fault.ts', 'no such text', '']],
  } as const;
  expect(checkFaults([fault, fault], ROOT)).toEqual([
    'a: expected a test in test/undo/nowhere.test.ts that is called "b"',
    'a: expected this text once in test/undo/fault.ts, not 0 times:\nno such text',
    'a: expected an id that no other fault has',
    'a: expected a test in test/undo/nowhere.test.ts that is called "b"',
    'a: expected this text once in test/undo/fault.ts, not 0 times:\nno such text',
  ]);
});
