import { expect, test } from 'vitest';
import { findMysqlServer, whyUnreachable } from './mysql-server.ts';
import { describeSummary, type Summary } from './summary-reporter.ts';

const whole: Summary = {
  passed: 3,
  failed: 0,
  skipped: 0,
  withoutMysql: false,
  missingPackages: [],
  withoutRealArchive: false,
};

test.each([
  [whole, '3 passed, 0 failed\n'],
  [{ ...whole, failed: 1, skipped: 2 }, '3 passed, 1 failed, 2 skipped\n'],
])('%j ends with its count', (summary, text) => {
  expect(describeSummary(summary)).toBe(text);
});

test.each<[string, Partial<Summary>, string, string]>([
  ['MySQL', { withoutMysql: true }, 'the MySQL/MariaDB half of the tests.', 'TEST_MYSQL_URL'],
  [
    'programs',
    { missingPackages: ['varnish', 'chromium'] },
    'the tests with varnish and chromium.',
    'apt-get install varnish chromium',
  ],
  [
    'a real archive',
    { withoutRealArchive: true },
    'the searches in the archive of Amsterdam',
    'TEST_AMSTERDAM_BUNDLE',
  ],
])(
  'a run without %s says what was not run and how to get it, and then its count',
  (_, without, notRun, how) => {
    const text = describeSummary({ ...whole, ...without });
    expect(text).toContain(`NOT RUN: ${notRun}`);
    expect(text).toContain(how);
    expect(text.trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed');
  },
);

test('TEST_MYSQL_URL that leads nowhere is an error, not a reason to run less', async () => {
  const nowhere = 'mysql://root@127.0.0.1:1/';
  expect(await whyUnreachable(nowhere)).toContain('ECONNREFUSED');
  await expect(findMysqlServer({ TEST_MYSQL_URL: nowhere })).rejects.toThrow(
    /^TEST_MYSQL_URL: no MySQL or MariaDB server can be used there: ECONNREFUSED/,
  );
});
