import { expect, test } from 'vitest';
import { findMysqlServer, whyUnreachable } from './mysql-server.ts';
import { describeSummary } from './summary-reporter.ts';

test.each([
  [{ passed: 3, failed: 0, skipped: 0, withoutMysql: false, withoutProxies: [] }, '3 passed, 0 failed\n'],
  [
    { passed: 3, failed: 1, skipped: 2, withoutMysql: false, withoutProxies: [] },
    '3 passed, 1 failed, 2 skipped\n',
  ],
])('%j ends with its count', (summary, text) => {
  expect(describeSummary(summary)).toBe(text);
});

test('a run without MySQL says what was not run and how to get it, and then its count', () => {
  const text = describeSummary({ passed: 3, failed: 0, skipped: 0, withoutMysql: true, withoutProxies: [] });
  expect(text).toContain('NOT RUN: the MySQL/MariaDB half of the tests.');
  expect(text).toContain('TEST_MYSQL_URL');
  expect(text).toContain('mariadbd');
  expect(text.trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed');
});

test('a run without a proxy names it', () => {
  const text = describeSummary({
    passed: 3,
    failed: 0,
    skipped: 0,
    withoutMysql: false,
    withoutProxies: ['varnish'],
  });
  expect(text).toContain('NOT RUN: the tests behind varnish.');
  expect(text.trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed');
});

test('TEST_MYSQL_URL that leads nowhere is an error, not a reason to run less', async () => {
  const nowhere = 'mysql://root@127.0.0.1:1/';
  expect(await whyUnreachable(nowhere)).toContain('ECONNREFUSED');
  await expect(findMysqlServer({ TEST_MYSQL_URL: nowhere })).rejects.toThrow(
    /^TEST_MYSQL_URL: no MySQL or MariaDB server can be used there: ECONNREFUSED/,
  );
});
