import { expect, test } from 'vitest';
import { Problem } from './problems.ts';
import { parseSearch } from './search-problem.ts';

/** What is told of a query that cannot be answered, in both languages. */
function problemOf(q: string): { en: Record<string, unknown>; nl: Record<string, unknown> } {
  try {
    parseSearch(q);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const tell = (language: 'en' | 'nl') => ({ ...error.toBody(language, 'http://a.test') });
    return { en: tell('en'), nl: tell('nl') };
  }
  throw new Error(`"${q}" was answered`);
}

test.each([
  ['', /nothing in it/, /staat niets in/],
  ['x'.repeat(1_001), /has 1001 characters/, /heeft 1001 tekens/],
  ['a b c d e f g h i j k l m n o p q r s t u v w x y z', /too many words/, /te veel woorden/],
  ['lastname:x', /no field "lastname"; did you mean "last_name"\?/, /geen veld "lastname"; bedoelde u/],
  ['qqqqqqqq:x', /no field "qqqqqqqq"\. Fields:/, /geen veld "qqqqqqqq"\. Velden:/],
  ['last_name:', /no value after "last_name:"/, /geen waarde na "last_name:"/],
  ['kind:people', /no kind "people"/, /geen soort "people"/],
  ['birth_date:1650-13..', /is no range/, /is geen bereik/],
  ['birth_date:1650..1620', /ends before it begins/, /eindigt voor het begint/],
  ['!!!', /holds no letter or digit/, /bevat geen letter of cijfer/],
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

test('an unknown field comes with those that there are, for programs', () => {
  const { en, nl } = problemOf('lastname:x');
  expect(en['nearest']).toBe('last_name');
  expect(en['fields']).toEqual(expect.arrayContaining(['last_name', 'city', 'title_nl']));
  expect(nl['fields']).toEqual(en['fields']);
});
