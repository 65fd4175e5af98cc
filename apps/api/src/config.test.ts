import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const MYSQL = 'mysql://me:pw@db.test/archive';
const TILES = 'https://tile.test/{z}/{x}/{y}.png';

test.each([
  ['MAP_TILES', 'off', { tiles: undefined }],
  ['MAP_TILES', `${TILES}|© Test`, { tiles: { template: TILES, credit: '© Test', link: undefined } }],
  [
    'MAP_TILES',
    `${TILES} | © Test | https://test/copyright`,
    { tiles: { template: TILES, credit: '© Test', link: 'https://test/copyright' } },
  ],
  ['DATABASE_URL', 'sqlite:archive.sqlite', { database: { engine: 'sqlite', file: 'archive.sqlite' } }],
  ['DATABASE_URL', 'sqlite:/var/a.sqlite', { database: { engine: 'sqlite', file: '/var/a.sqlite' } }],
  ['DATABASE_URL', 'sqlite:///var/a.sqlite', { database: { engine: 'sqlite', file: '/var/a.sqlite' } }],
  [
    'DATABASE_URL',
    'mysql://me:pw@host:3307/a',
    { database: { engine: 'mysql', url: 'mysql://me:pw@host:3307/a' } },
  ],
  ['DATABASE_URL', 'mariadb://me@host/a', { database: { engine: 'mysql', url: 'mysql://me@host/a' } }],
  ['DATABASE_URL', MYSQL, { database: { url: MYSQL, tls: undefined } }],
  ['DATABASE_URL', `${MYSQL}?ssl-mode=DISABLED`, { database: { url: MYSQL, tls: undefined } }],
  ['DATABASE_URL', `${MYSQL}?ssl-mode=required`, { database: { url: MYSQL, tls: 'nothing' } }],
  ['DATABASE_URL', `${MYSQL}?ssl-mode=VERIFY_CA`, { database: { url: MYSQL, tls: 'certificate' } }],
  ['DATABASE_URL', `${MYSQL}?ssl-mode=VERIFY_IDENTITY`, { database: { url: MYSQL, tls: 'identity' } }],
  ['BASE_URL', 'https://archive.test', { baseUrl: 'https://archive.test' }],
  ['BASE_URL', 'https://archive.test/a/b//', { baseUrl: 'https://archive.test/a/b' }],
  ['BASE_URL', 'HTTP://Archive.Test:80/x', { baseUrl: 'http://archive.test/x' }],
  ['BASE_URL', 'http://[::1]:3000', { baseUrl: 'http://[::1]:3000' }],
  ['LOG_LEVEL', 'WARN', { logLevel: 'warn' }],
  [
    'CACHE_CONTROL',
    'no-cache',
    { cacheControl: 'no-cache', pinnedCacheControl: 'public, max-age=86400, immutable' },
  ],
  ['PINNED_CACHE_CONTROL', 'public, max-age=600', { pinnedCacheControl: 'public, max-age=600' }],
  ['CACHE_MB', '0', { cacheBytes: 0 }],
  ['CACHE_MB', '', { cacheBytes: 64 * 2 ** 20 }],
])('%s=%s', (name, value, config) => {
  expect(readConfig({ [name]: value })).toMatchObject(config);
});

const INVALID = {
  DERIVED_DIR: ['~/derived'],
  MEDIA_DIR: ['~', '~anna/media'],
  MAX_STALE: ['1000h'],
  MAP_TILES: [
    ...[TILES, `${TILES}|`, `${TILES}|© Test|javascript:1`, `${TILES}|© Test|https://test/|more`],
    ...['https://tile.test/{z}/{x}.png|© Test', 'https://tile.test/{z}/{x}/{y}/{key}.png|© Test'],
    ...['/{z}/{x}/{y}.png|© Test', 'javascript:{z}{x}{y}|© Test', 'https:{z}/{x}/{y}.png|© Test'],
    ...['https://a;script-src *.test/{z}/{x}/{y}.png|© Test', 'https://a;sandbox/{z}/{x}/{y}.png|© Test'],
    ...['https://*/{z}/{x}/{y}.png|© Test', 'https://host:port/{z}/{x}/{y}.png|© Test'],
    'https://me@tile.test/{z}/{x}/{y}.png|© Test',
  ],
  DATABASE_URL: [
    ...[
      'sqlite:',
      'sqlite:~/a.sqlite',
      'sqlite::memory:',
      'mysql://host',
      'mysql://host/',
      'postgres://host/db',
      'archive.db',
    ],
  ],
  BASE_URL: [
    ...[
      'archive.test',
      'ftp://archive.test',
      'https://a.test/?x=1',
      'https://a.test/#x',
      'https://me@a.test',
    ],
    ...[
      'https://:secret@a.test',
      'https://*',
      'https://a;sandbox/',
      'https://a,b/',
      "https://'unsafe-inline'/",
    ],
    ...['https://a_b.test', 'https://a.test:port'],
  ],
  PORT: ['65536', '-1', '80.5', 'http', '0x50', ' 80'],
  CACHE_CONTROL: ['max-age=1\r\nX-Other: 1'],
  CACHE_MB: ['1.5'],
  STOP_SECONDS: ['0'],
};

test.each(Object.entries(INVALID))('invalid values of %s', (name, values) => {
  for (const value of values) {
    expect(() => readConfig({ [name]: value }), value).toThrow(new RegExp(`^${name}: expected `));
  }
});

test.each([
  [
    'mysql://me:secret@host/db?a=b',
    'only the option ssl-mode, at most once, got "mysql://me:***@host/db?a=b"',
  ],
  ['mysql://me@host/db?ssl-ca=ca.pem', 'only the option ssl-mode'],
  ['mysql://me@host/db?ssl-mode=REQUIRED&ssl-mode=DISABLED', 'only the option ssl-mode'],
  [
    'mysql://me@host/db?ssl-mode=',
    'one of DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY for ssl-mode, got "mysql://me@host/db?ssl-mode="',
  ],
  ['mysql://me@host/db?ssl-mode=PREFERRED', 'one of DISABLED'],
  ['mysql://me@host/db?ssl-mode=toString', 'one of DISABLED'],
  ['mysql://me@host/db#x', /with # written as %23/],
  ['mysql://me:50%@host/db', /with % written as %25/],
  ['mysql://me:%E0%A4@host/db', /with % written as %25/],
  ['sqlite:a.sqlite?mode=ro', 'sqlite:<file> without options'],
])('DATABASE_URL=%s: what is expected', (url, expected) => {
  expect(() => readConfig({ DATABASE_URL: url })).toThrow(
    typeof expected === 'string' ? `DATABASE_URL: expected ${expected}` : expected,
  );
});
