import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minutesFor, readCampaigns } from './campaign.ts';

describe('readCampaigns', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-campaigns-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (name: string, content: object) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'campaign.json'), JSON.stringify(content));
  };

  test('lists the shortest first', async () => {
    await write('long', { about: 'Takes long', minutes: 20, atLeast: 2 });
    await write('short', { about: 'Does not', minutes: 1, needs: ['haproxy'] });
    expect(await readCampaigns(folder)).toEqual([
      { name: 'short', about: 'Does not', minutes: 1, needs: ['haproxy'] },
      { name: 'long', about: 'Takes long', minutes: 20, atLeast: 2, needs: [] },
    ]);
  });

  test('names a file with an invalid description', async () => {
    await write('wrong', { about: 'No minutes', length: 3 });
    await expect(readCampaigns(folder)).rejects.toThrow(/wrong\/campaign\.json: [\s\S]*minutes/);
  });
});

test('a campaign without an optional need is named, and does not fail on CI', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const env = { PATH: process.env['PATH'], CI: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'mysql'], { env });
  expect(stdout).toMatch(
    /^mysql +NOT RUN: it needs a MySQL server\. Name one in TEST_MYSQL8_URL .*\n0 passed, 0 failed\n$/m,
  );
});

describe('minutesFor', () => {
  const fixed = { name: 'fixed', about: '', minutes: 3, needs: [] };
  const elastic = { ...fixed, minutes: 20, atLeast: 2 };

  test.each([
    ['its fixed time', fixed, 10, undefined, 3],
    ['its fixed time, whatever is requested', fixed, 10, 1, 3],
    ['undefined if that is too long', fixed, 2, undefined, undefined],
    ['its usual time', elastic, Number.POSITIVE_INFINITY, undefined, 20],
    ['the requested time', elastic, 60, 5, 5],
    ['its minimum', elastic, 60, 1, 2],
    ['the remaining time', elastic, 7, undefined, 7],
    ['undefined if too little time remains', elastic, 1, undefined, undefined],
  ])('gives %s', (_, campaign, left, wanted, minutes) => {
    expect(minutesFor(campaign, left, wanted)).toBe(minutes);
  });
});
