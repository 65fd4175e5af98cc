import { describe, expect, test } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

const MYSQL = 'mysql://me:pw@db.test/archive';

describe('the options of a MySQL address', () => {
  test.each([
    ['', undefined],
    ['?ssl-mode=DISABLED', undefined],
    ['?ssl-mode=required', { verify: 'nothing' }],
    ['?ssl-mode=VERIFY_CA', { verify: 'certificate' }],
    ['?ssl-mode=VERIFY_IDENTITY', { verify: 'identity' }],
    ['?ssl-ca=/etc/ca.pem', { verify: 'identity', ca: '/etc/ca.pem' }],
    [
      '?ssl-mode=VERIFY_CA&ssl-ca=ca.pem&ssl-cert=c.pem&ssl-key=k%20y.pem',
      { verify: 'certificate', ca: 'ca.pem', cert: 'c.pem', key: 'k y.pem' },
    ],
  ])('%j', (options, tls) => {
    expect(parseDatabaseUrl(MYSQL + options)).toEqual({
      engine: 'mysql',
      url: MYSQL,
      ...(tls && { tls }),
    });
  });

  test.each([
    ['?sslmode=require', /^only the options ssl-mode, ssl-ca, ssl-cert, ssl-key, each/],
    ['?connectTimeout=5', /^only the options/],
    ['?ssl-mode=', /^only the options/],
    ['?ssl-mode=REQUIRED&ssl-mode=DISABLED', /^only the options/],
    ['?ssl-mode=PREFERRED', /^one of DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY for ssl-mode/],
    ['?ssl-mode=toString', /^one of DISABLED/],
    ['?ssl-mode=DISABLED&ssl-ca=ca.pem', /^no certificates with ssl-mode DISABLED/],
    ['?ssl-mode=REQUIRED&ssl-ca=ca.pem', /^ssl-mode VERIFY_CA or VERIFY_IDENTITY with ssl-ca/],
    ['?ssl-cert=c.pem', /^ssl-cert and ssl-key together/],
    ['#x', /# written as %23/],
  ])('%j is rejected', (options, expected) => {
    expect(parseDatabaseUrl(MYSQL + options)).toEqual({ expected: expect.stringMatching(expected) });
  });

  test.each(['127.0.0.1', '[::1]'])('the identity of the address %s can be verified', (host) => {
    expect(parseDatabaseUrl(`mysql://me@${host}/a?ssl-mode=VERIFY_IDENTITY`)).toMatchObject({
      tls: { verify: 'identity' },
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
