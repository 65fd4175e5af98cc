import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/generated.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/accessibility.md');
const TESTS = new Map(
  Array.from(
    page.matchAll(/^\| \[(\d+)\] \| (\S+) > (.+) \|$/gm),
    ([, number = '', file = '', name = '']) => [number, { file, name }],
  ),
);

test('docs/accessibility.md names tests that exist, and no other', () => {
  expect(TESTS.size).toBeGreaterThan(10);
  for (const { file, name } of TESTS.values()) expect(read(file), file).toContain(name);
  const named = new Set(Array.from(page.matchAll(/\[(\d+)\]/g), ([, number = '']) => number));
  expect([...named].toSorted()).toEqual([...TESTS.keys()].toSorted());
});

test('docs/accessibility.md has each criterion of WCAG 2.2 at A and AA once, and marks what is new', () => {
  const rows = [...page.matchAll(/^\| ((?:\d\.\d+\.\d+[–, ]*)+) ?(.*?) \| (A.*?) \|/gm)];
  const criteria = rows.flatMap(([, numbers = '']) => {
    const range = /^(\d\.\d+\.)(\d+)–\1(\d+)/.exec(numbers);
    if (!range) return numbers.match(/\d\.\d+\.\d+/g) ?? [];
    const [, start = '', from, to] = range;
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => start + (Number(from) + at));
  });
  // 55 of WCAG 2.2, and 4.1.1, which WCAG 2.1 has.
  expect(new Set(criteria).size).toBe(criteria.length);
  expect(criteria).toHaveLength(56);
  const isNew = rows
    .filter(([, , , level = '']) => level.includes('new'))
    .map(([, numbers = '']) => numbers.trim());
  expect(isNew).toEqual(['2.4.11', '2.5.7', '2.5.8', '3.2.6', '3.3.7', '3.3.8']);
});
