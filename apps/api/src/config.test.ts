import { describe, expect, test } from 'vitest';
import { ConfigError, hidePassword, readConfig, SETTINGS } from './config.ts';

/** The errors of invalid settings, one per line. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

test('without settings, the defaults apply, and the base URL contains the port', () => {
  expect(readConfig({})).toMatchObject({
    database: { engine: 'sqlite', file: './data/archive.sqlite' },
    baseUrl: 'http://localhost:3000',
    port: 3000,
    host: '127.0.0.1',
    logLevel: 'info',
  });
  expect(readConfig({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080');
});

test('empty and unknown settings are ignored', () => {
  const empty = Object.fromEntries(SETTINGS.map(({ name }) => [name, '']));
  expect(readConfig({ ...empty, UNKNOWN: 'x' })).toEqual(readConfig({}));
});

test('the configuration is frozen', () => {
  const config = readConfig({});
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.database)).toBe(true);
});

describe('MAP_TILES', () => {
  const template = 'https://tile.test/{z}/{x}/{y}.png';

  test.each([
    ['off', undefined],
    [`${template}|© Test`, { template, credit: '© Test', link: undefined }],
    [
      `${template} | © Test | https://test/copyright`,
      { template, credit: '© Test', link: 'https://test/copyright' },
    ],
  ])('%s', (value, tiles) => {
    expect(readConfig({ MAP_TILES: value }).tiles).toEqual(tiles);
  });

  test.each([
    template,
    `${template}|`,
    'https://tile.test/{z}/{x}.png|© Test',
    'https://tile.test/{z}/{x}/{y}/{key}.png|© Test',
    '/{z}/{x}/{y}.png|© Test',
    'javascript:{z}{x}{y}|© Test',
    `${template}|© Test|javascript:1`,
    `${template}|© Test|https://test/|more`,
    'https://a;script-src *.test/{z}/{x}/{y}.png|© Test',
    'https://a;sandbox/{z}/{x}/{y}.png|© Test',
    'https://*/{z}/{x}/{y}.png|© Test',
    'https://host:port/{z}/{x}/{y}.png|© Test',
    'https:{z}/{x}/{y}.png|© Test',
    'https://me@tile.test/{z}/{x}/{y}.png|© Test',
  ])('%s is refused', (value) => {
    expect(faultsOf({ MAP_TILES: value })).toEqual([
      'MAP_TILES: expected a URL of tiles with {z}, {x} and {y}, a vertical bar and the attribution ' +
        `(https://tile.example/{z}/{x}/{y}.png|© Example), or off, got "${value}"`,
    ]);
  });
});

describe('DATABASE_URL', () => {
  test.each([
    ['sqlite:archive.sqlite', { engine: 'sqlite', file: 'archive.sqlite' }],
    ['sqlite:/var/lib/archive.sqlite', { engine: 'sqlite', file: '/var/lib/archive.sqlite' }],
    ['sqlite:///var/lib/archive.sqlite', { engine: 'sqlite', file: '/var/lib/archive.sqlite' }],
    ['mysql://me:pw@host:3307/archive', { engine: 'mysql', url: 'mysql://me:pw@host:3307/archive' }],
    ['mariadb://me@host/archive', { engine: 'mysql', url: 'mysql://me@host/archive' }],
  ])('%s', (url, database) => {
    expect(readConfig({ DATABASE_URL: url }).database).toEqual(database);
  });

  test.each([
    'sqlite:',
    'sqlite::memory:',
    'mysql://host',
    'mysql://host/',
    'postgres://host/db',
    'archive.db',
  ])('%s is refused', (url) => {
    expect(faultsOf({ DATABASE_URL: url })).toEqual([
      `DATABASE_URL: expected sqlite:<file> or mysql://user:password@host:port/database, got "${url}"`,
    ]);
  });
});

describe('BASE_URL', () => {
  test.each([
    ['https://archive.test', 'https://archive.test'],
    ['https://archive.test/', 'https://archive.test'],
    ['https://archive.test/a/b//', 'https://archive.test/a/b'],
    ['HTTP://Archive.Test:80/x', 'http://archive.test/x'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s becomes %s', (given, baseUrl) => {
    expect(readConfig({ BASE_URL: given }).baseUrl).toBe(baseUrl);
  });

  test.each([
    'archive.test',
    'ftp://archive.test',
    'https://a.test/?x=1',
    'https://a.test/#x',
    'https://me@a.test',
    'https://:secret@a.test',
    'https://*',
    'https://a;sandbox/',
    'https://a,b/',
    "https://'unsafe-inline'/",
    'https://a_b.test',
    'https://a.test:port',
  ])('%s is refused', (given) => {
    expect(faultsOf({ BASE_URL: given })[0]).toMatch(/^BASE_URL: expected an absolute http or https URL/);
  });

  test('must be set when the system chooses the port', () => {
    expect(faultsOf({ PORT: '0' })).toEqual([expect.stringMatching(/^BASE_URL: must be set when PORT is 0/)]);
    expect(readConfig({ PORT: '0', BASE_URL: 'http://a.test' }).port).toBe(0);
  });
});

test.each(['65536', '-1', '80.5', 'http', '0x50', ' 80'])('PORT=%s is refused', (port) => {
  expect(faultsOf({ PORT: port })[0]).toBe(`PORT: expected a whole number from 0 to 65535, got "${port}"`);
});

test('LOG_LEVEL is case-insensitive; an unknown level is refused', () => {
  expect(readConfig({ LOG_LEVEL: 'WARN' }).logLevel).toBe('warn');
  expect(faultsOf({ LOG_LEVEL: 'loud' })).toEqual([
    'LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, got "loud"',
  ]);
});

test('every error is on its own line, without passwords', () => {
  const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'x', DATABASE_URL: 'pg://me:secret@host/db' });
  expect(faults).toHaveLength(3);
  expect(faults.join()).not.toContain('secret');
});

test.each([
  ['mysql://me:secret@host/db', 'mysql://me:***@host/db'],
  ['mysql://me@host/db', 'mysql://me@host/db'],
  ['sqlite:file', 'sqlite:file'],
])('%s is shown as %s', (url, shown) => {
  expect(hidePassword(url)).toBe(shown);
});

describe('caching', () => {
  test('the defaults, in bytes and milliseconds', () => {
    expect(readConfig({})).toMatchObject({
      cacheControl: 'public, max-age=60, stale-while-revalidate=600',
      pinnedCacheControl: 'public, max-age=86400, immutable',
      cacheBytes: 64 * 2 ** 20,
    });
    expect(
      readConfig({
        CACHE_CONTROL: 'no-cache',
        PINNED_CACHE_CONTROL: 'public, max-age=600',
        CACHE_MB: '0',
      }),
    ).toMatchObject({
      cacheControl: 'no-cache',
      pinnedCacheControl: 'public, max-age=600',
      cacheBytes: 0,
    });
  });

  test.each([
    [
      'CACHE_CONTROL',
      'max-age=1\r\nX-Other: 1',
      'CACHE_CONTROL: expected directives such as public, max-age=60',
    ],
    ['CACHE_MB', '-1', 'CACHE_MB: expected a whole number from 0 to 1000000, got "-1"'],
    ['CACHE_MB', '1.5', 'CACHE_MB: expected a whole number from 0 to 1000000, got "1.5"'],
    ['STOP_SECONDS', '0', 'STOP_SECONDS: expected a whole number from 1 to 600, got "0"'],
    ['STOP_SECONDS', 'soon', 'STOP_SECONDS: expected a whole number from 1 to 600, got "soon"'],
  ])('%s=%j is refused', (name, value, fault) => {
    expect(faultsOf({ [name]: value }).join('\n')).toContain(fault);
  });
});
