import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import type { ArchiveServerOptions, Fault } from './archive-server.ts';
import { FAULTS } from './faults.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

const COUNTS = { person: 195, subject: 12, location: 8, event: 8 };

async function harvestAtOnce(context: TestContext, options: ArchiveServerOptions, more: string[] = []) {
  const { archive, folder, command } = await startScene(context, { counts: COUNTS, ...options }, [
    '--format',
    'jsonl',
    ...more,
  ]);
  return { archive, folder, ...(await runHere(command)) };
}

function persons(folder: string): Promise<string> {
  return readFile(join(folder, 'persons.jsonl'), 'utf8');
}

test('pages requested in parallel are written in order', async (context) => {
  let underWay = 0;
  let most = 0;
  let release = () => {};
  const sixUnderWay = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fault: Fault = async ({ kind, page }) => {
    if (kind !== 'person' || page === 1) return;
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay === 6) release();
    await sixUnderWay;
    // Later pages get their responses first.
    await new Promise((resolve) => setTimeout(resolve, (40 - page) % 7));
    underWay -= 1;
  };
  const { folder, code } = await harvestAtOnce(context, { fault }, ['--concurrency', '6']);
  expect(code).toBe(0);
  expect(most).toBe(6);
  const ids = [...(await persons(folder)).matchAll(/^\{"id":(\d+),/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 195 }, (_, index) => index + 1));
});

test.for([
  ['changes its total', 3, /total changed/],
  ['loses a record once', 0, /has the count 19[45]/],
  ['links to another host', 1, /another host/],
] as const)(
  'an archive that %s is read again, one page at a time',
  async ([fault, expected, says], context) => {
    const { code, stderr } = await harvestAtOnce(context, { fault: FAULTS[fault] }, ['--concurrency', '4']);
    expect(stderr).toMatch(/persons: starting again because/);
    expect(stderr).toMatch(says);
    expect(code).toBe(expected);
  },
);

test('pages that disappear during the walk make it start again', async (context) => {
  const { code, stderr } = await harvestAtOnce(
    context,
    {
      fault({ kind, page, visit, archive }) {
        // The first visit only reads the edition.
        if (kind === 'person' && page === 1 && visit === 2) archive.ids.person.splice(15);
      },
    },
    ['--concurrency', '4'],
  );
  expect(stderr).toMatch(/starting again/);
  expect(code).toBe(0);
});

test('Retry-After delays requests for all kinds', async (context) => {
  const at: { url: string; time: number }[] = [];
  const { code, stderr } = await harvestAtOnce(context, {
    fault({ ctx, kind, page, visit }) {
      at.push({ url: ctx.url, time: Date.now() });
      if (kind === 'subject' && page === 1 && visit === 1) {
        ctx.status = 429;
        ctx.set('retry-after', '1');
        ctx.body = '';
      }
    },
  });
  expect(code).toBe(0);
  expect(stderr).toContain('The server asks to wait 1 s.');
  const gaps = at.slice(1).map(({ time }, index) => time - (at[index]?.time ?? 0));
  // A request that was under way when the wait began may arrive during it.
  expect(Math.max(...gaps)).toBeGreaterThanOrEqual(500);
});

test('--rate limits the requests per second', async (context) => {
  const began = Date.now();
  const { archive, code } = await harvestAtOnce(context, { counts: { person: 5, subject: 5 } }, [
    '--rate',
    '20',
  ]);
  expect(code).toBe(0);
  expect(Date.now() - began).toBeGreaterThanOrEqual((archive.requests.length - 1) * 50 - 10);
});
