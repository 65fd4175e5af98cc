import { expect, test } from 'vitest';
import { type ClientOptions, fillOptions, parseBaseUrl, repairedUrl } from './client-options.ts';
import { OptionError } from './errors.ts';

const baseUrl = 'http://a.test/base/';

test('adds defaults', () => {
  expect(fillOptions({ baseUrl })).toMatchObject({
    baseUrl: 'http://a.test/base',
    language: 'en',
    concurrency: 4,
    retries: 5,
    timeoutMs: 30_000,
    maxWaitMs: 300_000,
    maxBytes: 256_000_000,
    lenient: false,
  });
});

test.for<[Partial<ClientOptions>, string]>([
  [{ concurrency: 0 }, 'concurrency: expected a number of at least 1, not 0'],
  [{ rate: 0 }, 'rate: expected a number of at least 0.001, not 0'],
  [{ retries: -1 }, 'retries: expected a number of at least 0, not -1'],
  [{ timeoutMs: Number.NaN }, 'timeoutMs: expected a number of at least 1 and at most 2147483647, not NaN'],
  [
    { timeoutMs: 2 ** 31 },
    'timeoutMs: expected a number of at least 1 and at most 2147483647, not 2147483648',
  ],
  [{ maxWaitMs: -5 }, 'maxWaitMs: expected'],
  [{ headers: { from: 'Łukasz' } }, 'headers.from: expected characters of Latin-1, not "Łukasz"'],
  [{ maxBytes: 0 }, 'maxBytes: expected'],
])('refuses %j', ([options, message]) => {
  expect(() => fillOptions({ baseUrl, ...options })).toThrow(OptionError);
  expect(() => fillOptions({ baseUrl, ...options })).toThrow(message);
});

test.for([
  ...['', 'localhost:3000', '/en', 'ftp://a.test'].map((url) => [url, 'such as http://localhost:3000']),
  ...['http://a.test/?q=1', 'http://a.test/#x', 'http://a.test/?', '/en#'].map((url) => [
    url,
    'without ? and #',
  ]),
])('refuses the base URL "%s"', ([url = '', expected]) => {
  expect(() => parseBaseUrl(url)).toThrow(`base URL: expected an address ${expected}, not "${url}"`);
});

test.for([
  ['http://a.test/x?page=2', 'http://a.test/', 'http://a.test/x?page=2'],
  ['http://a.test:8080/x', 'http://a.test:8080/', 'http://a.test:8080/x'],
  ['http://a.test/x', 'https://a.test/', 'https://a.test/x'],
  ['http://a.test:80/x', 'https://a.test/', 'https://a.test/x'],
  ['http://a.test:8443/x', 'https://a.test:8443/', 'https://a.test:8443/x'],
  ['https://a.test/x', 'http://a.test/', undefined],
  ['http://b.test/x', 'http://a.test/', undefined],
  ['http://b.test/x', 'https://a.test/', undefined],
  ['http://a.test:8080/x', 'http://a.test/', undefined],
  ['http://a.test:8080/x', 'https://a.test/', undefined],
] as const)('%s from %s is followed as %s', ([url, base, expected]) => {
  expect(repairedUrl(url, base)).toBe(expected);
});
