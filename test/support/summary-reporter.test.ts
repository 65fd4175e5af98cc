import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { whyUnreachable } from './mariadbd.ts';
import { findMysqlServer } from './mysql-server.ts';
import { findNeeds, type Need, needs, readNeeds } from './programs.ts';
import { describeSummary, type Summary } from './summary-reporter.ts';
import { watchTraces } from './traces.ts';

test('a run ends with what was left out and how to get it, what failed, and its count', () => {
  const whole: Summary = { passed: 3, failures: [], skipped: 0, leftOut: new Map() };
  expect(describeSummary(whole)).toBe('3 passed, 0 failed\n');
  const need = (name: string, from?: string): Need => ({ name, package: from, optional: false });
  const leftOut = new Map([
    [need('varnishd', 'varnish'), 2],
    [need('database-server'), 1],
  ]);
  expect(describeSummary({ ...whole, failures: ['a.test.ts > a'], skipped: 3, leftOut }).split('\n')).toEqual(
    [
      expect.stringMatching(/^!+$/),
      'NOT RUN: 2 tests that need varnishd:',
      'Install (Debian): apt-get install varnish',
      'NOT RUN: 1 test that needs a MySQL or MariaDB server:',
      expect.stringContaining('TEST_MYSQL_URL'),
      expect.stringMatching(/^!+$/),
      'FAILED: a.test.ts > a',
      '3 passed, 1 failed, 3 skipped',
      '',
    ],
  );
});

test('programs are found on the PATH only, and every need says how to get it', async () => {
  const names = (await readNeeds()).map(({ name }) => name);
  expect(names).toContain('mariadb-dump|mysqldump');
  expect(await findNeeds(['sh', 'nobody-has-this|sh', '/etc/passwd'], '/nowhere')).toEqual({
    '/etc/passwd': '/etc/passwd',
  });
  expect(await findNeeds(['nobody-has-this|sh'], '/nowhere:/bin')).toEqual({
    'nobody-has-this|sh': '/bin/sh',
  });
});

test('a need that is missing from .ci/programs is rejected', () => {
  expect(() => needs('sh', 'browser')).toThrow('.ci/programs: expected a line for sh');
});

test('files that tests leave behind are named', () => {
  const [before, inCheckout] = [tmpdir(), fileURLToPath(new URL('left-behind', import.meta.url))];
  const traces = watchTraces({ changes: true });
  try {
    expect(tmpdir()).not.toBe(before);
    writeFileSync(join(tmpdir(), 'forgotten'), '');
    mkdirSync(inCheckout);
    expect(traces.end()).toEqual([
      'The tests left forgotten in their temporary folder.',
      'The tests changed test/support/left-behind in the checkout.',
    ]);
  } finally {
    process.env['TMPDIR'] = before;
    rmdirSync(inCheckout);
  }
});

test('an unreachable TEST_MYSQL_URL is an error, and does not skip tests', async () => {
  const nowhere = 'mysql://root@127.0.0.1:1/';
  expect(await whyUnreachable(nowhere)).toContain('ECONNREFUSED');
  await expect(findMysqlServer({ TEST_MYSQL_URL: nowhere })).rejects.toThrow(
    /^TEST_MYSQL_URL: no MySQL or MariaDB server can be used there: ECONNREFUSED/,
  );
});
