import { expect, test } from 'vitest';
import { repairedUrl } from './repaired-url.ts';

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
