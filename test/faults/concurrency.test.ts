import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ArchiveServerOptions } from './archive-server.ts';
import { type FaultDescription, makeFault } from './faults.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

async function harvestAtOnce(options: ArchiveServerOptions, more: string[] = []) {
  const counts = { person: 195 };
  const made = await startScene({ counts, ...options }, ['--format', 'jsonl', ...more]);
  return { ...made, ...(await runHere(made.command)) };
}

test('pages requested in parallel are written in order', async () => {
  let underWay = 0;
  let most = 0;
  const six = Promise.withResolvers<void>();
  const { folder, code } = await harvestAtOnce(
    {
      async fault({ kind, page }) {
        if (kind !== 'person' || page === 1) return;
        underWay += 1;
        most = Math.max(most, underWay);
        if (underWay === 6) six.resolve();
        await six.promise;
        // Later pages get their responses first.
        await sleep((40 - page) % 7);
        underWay -= 1;
      },
    },
    ['--concurrency', '6'],
  );
  expect(code).toBe(0);
  expect(most).toBe(6);
  const persons = await readFile(join(folder, 'persons.jsonl'), 'utf8');
  const ids = [...persons.matchAll(/^\{"id":(\d+),/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 195 }, (_, index) => index + 1));
});

const CHANGES: readonly (readonly [string, FaultDescription, number])[] = [
  ['total', { envelope: { total: 1 } }, 3],
  ['count', { times: 1, after: { remove: ['person 6'] } }, 0],
  ['next link', { envelope: { next: 'http://elsewhere.test/en/api/persons?page=3' } }, 1],
];

test.for(CHANGES)(
  'an archive whose %s changes is read again, one page at a time',
  async ([, fault, expected]) => {
    const { code, stderr } = await harvestAtOnce({ fault: makeFault([fault]) }, ['--concurrency', '4']);
    expect({ code, stderr }).toEqual({
      code: expected,
      stderr: expect.stringContaining('persons: starting again because'),
    });
  },
);

test('pages that disappear during the walk make it start again', async () => {
  const { code, stderr } = await harvestAtOnce(
    {
      fault({ kind, page, visit, archive }) {
        // The first visit only reads the edition.
        if (kind === 'person' && page === 1 && visit === 2) archive.ids.person.splice(15);
      },
    },
    ['--concurrency', '4'],
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('starting again') });
});

test('Retry-After delays requests for all kinds', async () => {
  const times: number[] = [];
  const limited = makeFault([
    { of: 'subject', page: 1, times: 1, status: 429, headers: { 'retry-after': '1' } },
  ]);
  const { code } = await harvestAtOnce({
    fault(exchange) {
      times.push(Date.now());
      return limited(exchange);
    },
  });
  expect(code).toBe(0);
  // A request that was under way when the wait began may arrive during it.
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.max(...gaps)).toBeGreaterThanOrEqual(500);
});
