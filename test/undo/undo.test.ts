import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkFaults, LIST, readFaults } from './read-faults.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('the faults that were mended have edits whose text is found, and tests that exist', () => {
  const faults = readFaults(readFileSync(join(ROOT, LIST), 'utf8'));
  expect(faults.length).toBeGreaterThan(60);
  expect(checkFaults(faults, ROOT)).toEqual([]);
});

test('an edit whose text has moved, a test that is gone and a name given twice are named', () => {
  const entry = `### a

Something.
Test: test/undo/nowhere.test.ts > b

\`\`\`diff
--- test/undo/main.ts
-no such
-text
+another
\`\`\`
`;
  expect(checkFaults(readFaults(entry + entry), ROOT)).toEqual([
    'a: expected a test in test/undo/nowhere.test.ts that is called "b"',
    'a: expected this text once in test/undo/main.ts, not 0 times:\nno such\ntext',
    'a: expected an id that no other fault has',
    'a: expected a test in test/undo/nowhere.test.ts that is called "b"',
    'a: expected this text once in test/undo/main.ts, not 0 times:\nno such\ntext',
  ]);
  expect(() => readFaults(entry.replace('Test:', 'Guard:'))).toThrow(
    /expected a fault, its test and its edits/,
  );
});
