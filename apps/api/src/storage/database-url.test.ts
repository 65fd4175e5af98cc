import { describe, expect, test } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

const MYSQL = 'mysql://me:pw@db.test/archive';

describe('the options of a MySQL address', () => {
  test.each([
    ['', undefined],
    ['?ssl-mode=DISABLED', undefined],
    ['?ssl-mode=required', 'nothing'],
    ['?ssl-mode=VERIFY_CA', 'certificate'],
    ['?ssl-mode=VERIFY_IDENTITY', 'identity'],
  ])('%j', (options, tls) => {
    expect(parseDatabaseUrl(MYSQL + options)).toEqual({
      engine: 'mysql',
      url: MYSQL,
      ...(tls && { tls }),
    });
  });

  test.each([
    ['?sslmode=require', /^only the option ssl-mode, at most once/],
    ['?connectTimeout=5', /^only the option ssl-mode/],
    ['?ssl-ca=ca.pem', /^only the option ssl-mode/],
    ['?ssl-mode=REQUIRED&ssl-mode=DISABLED', /^only the option ssl-mode/],
    ['?ssl-mode=', /^one of DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY for ssl-mode/],
    ['?ssl-mode=PREFERRED', /^one of DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY for ssl-mode/],
    ['?ssl-mode=toString', /^one of DISABLED/],
    ['#x', /# written as %23/],
  ])('%j is rejected', (options, expected) => {
    expect(parseDatabaseUrl(MYSQL + options)).toEqual({ expected: expect.stringMatching(expected) });
  });

  test.each(['127.0.0.1', '[::1]'])('the identity of the address %s can be verified', (host) => {
    expect(parseDatabaseUrl(`mysql://me@${host}/a?ssl-mode=VERIFY_IDENTITY`)).toMatchObject({
      tls: 'identity',
    });
  });
});

test.each(['50%', '%E0%A4'])('a password %s that is not encoded is rejected', (password) => {
  expect(parseDatabaseUrl(`mysql://me:${password}@db.test/archive`)).toEqual({
    expected: expect.stringMatching(/% written as %25$/),
  });
});

test('a file has no options', () => {
  expect(parseDatabaseUrl('sqlite:a.sqlite?mode=ro')).toEqual({ expected: 'sqlite:<file> without options' });
});
