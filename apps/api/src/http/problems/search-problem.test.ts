import { expect, test } from 'vitest';
import { Problem } from './problems.ts';
import { parseSearch } from './search-problem.ts';

/** The problem of an invalid query, in both languages. */
function problemOf(q: string): { en: Record<string, unknown>; nl: Record<string, unknown> } {
  try {
    parseSearch(q);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const bodyIn = (language: 'en' | 'nl') => ({ ...error.toBody(language, 'http://a.test') });
    return { en: bodyIn('en'), nl: bodyIn('nl') };
  }
  throw new Error(`"${q}" is valid`);
}

test.each([
  ['', /query is empty/, /zoekvraag is leeg/],
  ['x'.repeat(1_001), /has 1001 characters/, /heeft 1001 tekens/],
  ['a b c d e f g h i j k l m n o p q r s t u v w x y z', /too many words/, /te veel woorden/],
  [
    'lastname:x',
    /Unknown field "lastname"; did you mean "last_name"\?/,
    /Onbekend veld "lastname"; bedoelde u/,
  ],
  ['qqqqqqqq:x', /Unknown field "qqqqqqqq"\. Valid fields:/, /veld "qqqqqqqq"\. Geldige velden:/],
  ['last_name:', /Missing value for field "last_name"/, /veld "last_name" ontbreekt/],
  ['kind:people', /Unknown kind "people"/, /Onbekende soort "people"/],
  ['birth_date:1650-13..', /is not a range/, /is geen periode/],
  ['birth_date:1650..1620', /ends before it starts/, /eindigt voor het begin/],
  ['!!!', /contains no letters or digits/, /bevat geen letters of cijfers/],
])('%s', (q, english, dutch) => {
  const { en, nl } = problemOf(q);
  expect(en).toMatchObject({
    type: 'http://a.test/problems/invalid-query',
    title: 'Invalid search query',
    status: 400,
    detail: expect.stringMatching(english),
    expected: expect.stringMatching(/./),
  });
  expect(nl).toMatchObject({
    type: en['type'],
    title: 'Ongeldige zoekvraag',
    status: 400,
    detail: expect.stringMatching(dutch),
    expected: expect.stringMatching(/./),
  });
});

test('the problem of an unknown field lists the valid fields', () => {
  const { en, nl } = problemOf('lastname:x');
  expect(en['nearest']).toBe('last_name');
  expect(en['fields']).toEqual(expect.arrayContaining(['last_name', 'city', 'title_nl']));
  expect(nl['fields']).toEqual(en['fields']);
});
