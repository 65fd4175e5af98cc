import type { Language } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { recordTable } from './reading-tables.ts';

/** The row of an event, as cells by column. */
function cells(record: object, language: Language = 'en') {
  const { columns, rows } = recordTable('event');
  const names = { ofUuid: () => undefined, ofSubject: () => undefined };
  const [row = []] = rows('event', { ...record }, { language, names });
  return Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]));
}

test.for([
  [{ date: '1629-05-01', date_start: '1630-01-01' }, '1629'],
  [{ date: null, date_start: '1630-01-01', date_end: null }, '1630'],
  [{ date: null, date_start: null, date_end: '1631-01-01' }, '1631'],
  [{ date: null }, ''],
] as const)('the year of %o is %s', ([dates, year]) => {
  expect(cells(dates)).toMatchObject({ year });
});

test.for([
  ['en', '', '', ''],
  ['en', 'nl', '', 'nl'],
  ['en', 'nl', 'en', 'en'],
  ['nl', 'nl', 'en', 'nl'],
  ['nl', '', 'en', 'en'],
] as const)('served in %s, a text of nl "%s" and en "%s" is in "%s"', ([language, nl, en, expected]) => {
  const record = { content: nl || en, content_nl: nl, content_en: en };
  expect(cells(record, language)).toMatchObject({ text_language: expected });
});
