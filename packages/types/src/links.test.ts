import { describe, expect, test } from 'vitest';
import { apiReference, isWebAddress, parseApiReference, parseWebAddress, uuidOfReference } from './links.ts';

const uuid = '0e2a4b66-9c1d-4f1e-8a3b-5d6c7e8f9a0b';
const base = 'https://example.test/archive';

describe('link shapes', () => {
  test('an API reference is built and parsed', () => {
    const url = apiReference(base, 'nl', 'subject', uuid);
    expect(url).toBe(`${base}/nl/api/subjects/${uuid}`);
    const parsed = { kind: 'subject', uuid };
    expect(parseApiReference(url)).toEqual(parsed);
    expect(parseApiReference(`${url}?format=api`)).toEqual(parsed);
  });

  test.each([
    `ftp://example.test/en/api/persons/${uuid}`,
    `${base}/de/api/persons/${uuid}`,
    `${base}/en/api/people/${uuid}`,
    `${base}/en/api/persons/12`,
    `${base}/en/api/persons/${uuid}?format=xml`,
  ])('%s is not an API reference', (url) => {
    expect(parseApiReference(url)).toBeUndefined();
  });

  test.each([
    [uuid, uuid],
    [uuid.toUpperCase(), uuid],
    [`${base}/en/api/persons/${uuid}`, uuid],
    [`${base}/en/api/persons/${uuid}?format=api`, uuid],
    [`${base}/en/personen/${uuid}/`, uuid],
    ['Rembrandt', undefined],
    [`${base}/en/api/persons/`, undefined],
  ])('the uuid of the reference %s is %s', (reference, expected) => {
    expect(uuidOfReference(reference)).toBe(expected);
  });
});

test.each([
  'https://archive.test',
  'http://archive.test:8080/a/b.jpg?c=d&e=;#f',
  'https://192.0.2.7/x.jpg',
  'https://[2001:db8::1]:8443/x.jpg',
  'https://[::ffff:192.0.2.7]/x.jpg',
  'https://my_museum.test/x.jpg',
  'https://münchen.test/x.jpg',
  'https://user:password@archive.test/x.jpg',
  'https://archive.test/x;script-src *,y.jpg'.replaceAll(' ', '%20'),
])('%s is a web address', (text) => {
  expect(isWebAddress(text)).toBe(true);
});

test.each([
  '',
  'foo.jpg',
  '//archive.test/foo.jpg',
  'http:foo.jpg',
  'https:/foo.jpg',
  'https:///archive.test/foo.jpg',
  'https:\\\\archive.test',
  'https://?x',
  'https://:80/',
  'https://@/',
  'http://host:port/x.jpg',
  'http://host:70000/x.jpg',
  'https://a;script-src-elem/x.jpg',
  'https://a;sandbox',
  "https://a'b/",
  'https://a,b/',
  'https://*',
  'https://*.test/x.jpg',
  'https://a b/',
  'https://archive.test/a b.jpg',
  'https://archive.test/\u00a0.jpg',
  ' https://archive.test/',
  'HTTP://archive.test/',
  'ftp://archive.test/',
  'javascript:alert(1)',
  'data:image/png;base64,xx',
])('%s is not a web address', (text) => {
  expect(isWebAddress(text)).toBe(false);
});

test('is normalised as URL does it', () => {
  expect(parseWebAddress('https://MÜNCHEN.test:443/a')?.href).toBe('https://xn--mnchen-3ya.test/a');
});
