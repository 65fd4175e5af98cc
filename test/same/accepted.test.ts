import { expect, test } from 'vitest';
import { isAccepted, readAccepted } from './accepted.ts';

const difference = { field: 'facets.city[3].count', before: '1', now: '2' };

test('a line accepts its field of its addresses, and counts its uses', () => {
  const accepted = readAccepted('# why\n\nGET /{lang}/api/facets?q=* | facets.*.count | a reason\n');
  expect(isAccepted(accepted, 'GET /nl/api/facets?q=de&of=city', difference)).toBe(true);
  expect(isAccepted(accepted, 'GET /nl/api/facets?of=city', difference)).toBe(false);
  expect(isAccepted(accepted, 'HEAD /nl/api/facets?q=de', difference)).toBe(false);
  expect(isAccepted(accepted, 'GET /nl/api/facets?q=de', { ...difference, field: 'count' })).toBe(false);
  expect(accepted.map(({ number, uses }) => ({ number, uses }))).toEqual([{ number: 3, uses: 1 }]);
});

test('a line of text is accepted by what stands in it, before and now', () => {
  const accepted = readAccepted('GET /{lang}/zoeken/* | line /class="hint"/ | a reason');
  const line = { field: 'line 7', before: '<p class="hint">', now: '' };
  expect(isAccepted(accepted, 'GET /en/zoeken/?q=de', line)).toBe(true);
  expect(isAccepted(accepted, 'GET /en/zoeken/?q=de', { ...line, now: '<p>' })).toBe(false);
});

test.each([
  'GET /{lang}/api/search* | count | all searches',
  'GET /{lang}/api/{kind}/{uuid} | vary | all records',
  'GET /{lang}/api/search?q=huygens | results[0].score | one search',
  '* | etag | everything',
])('%s: accepts an address of the contract', (line) => {
  expect(() => readAccepted(`\n${line}`)).toThrow(
    /^accepted\.txt:2: .*: is an address of the contract, such as [A-Z]+ \//,
  );
});

test('a line of another form is refused', () => {
  expect(() => readAccepted('GET /en/ | body')).toThrow(
    'accepted.txt:1: GET /en/ | body: expected SUBJECT | FIELD | WHY',
  );
});
