import { describe, expect, test } from 'vitest';
import { apiReference, parseApiReference, uuidOfReference } from './links.ts';

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
