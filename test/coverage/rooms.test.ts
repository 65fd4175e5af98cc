import { expect, test } from 'vitest';
import { coverageByRoom, coverageTable, lostCoverage } from './rooms.ts';

const file = (branches: number, covered: number) => ({
  lines: { total: 10, covered: 5 },
  branches: { total: branches, covered },
  functions: { total: 0, covered: 0 },
});

const SUMMARY = {
  total: file(9, 9),
  '/any/apps/api/src/a.ts': file(10, 9),
  '/any/apps/api/src/b/c.ts': file(30, 21),
  '/any/packages/site/src/d.tsx': file(4, 4),
};

test('the files of a room are added up', () => {
  expect(coverageByRoom(SUMMARY)).toEqual({
    'apps/api': { lines: 50, branches: 75, functions: 100 },
    'packages/site': { lines: 50, branches: 100, functions: 100 },
  });
  expect(coverageTable(coverageByRoom(SUMMARY))).toMatch(/^room .*\napps\/api +50\.0 % +75\.0 % +100\.0 %\n/);
});

test('a room may lose a point of its branches, and no more', () => {
  const room = (branches: number) => ({ lines: 0, branches, functions: 0 });
  const before = { 'apps/api': room(80), 'apps/cli': room(90), 'packages/site': room(70) };
  expect(lostCoverage(before, { 'apps/api': room(79), 'apps/cli': room(88.9) })).toEqual([
    'apps/cli: 88.9 % of the branches are covered; expected at least 89.0 %',
    'packages/site: expected its coverage, which was not measured',
  ]);
  expect(lostCoverage(before, before)).toEqual([]);
});
