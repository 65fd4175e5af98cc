import { describe, expect, it } from 'vitest';
import { MAX_CLAUSES, MAX_QUERY_LENGTH, parseQuery } from './parse-query.ts';
import type { Clause } from './query.ts';
import { QueryError, type QueryFault } from './query-error.ts';

const value = (field: string, wanted: string): Clause => ({ type: 'value', field, value: wanted });
const text = (...phrases: string[]): Clause => ({ type: 'text', phrases, typed: phrases.join(' ') });
const range = (field: string, from: number, to: number): Clause => ({
  type: 'range',
  field,
  range: { from, to },
});

const PARSED: [q: string, ...clauses: Clause[]][] = [
  ['last_name:Vries', value('last_name', 'vries')],
  ['LAST_NAME: Vries ', value('last_name', 'vries')],
  ['last_name:Bosch - Reitz', value('last_name', 'bosch-reitz')],
  ['city:Den Haag', value('city', 'den haag')],
  ['city:Den Haag street:Lange Voorhout', value('city', 'den haag'), value('street', 'lange voorhout')],
  ['city:"Den Haag" kunst', value('city', 'den haag'), text('kunst')],
  ['name:"Titel: ondertitel"', value('name', 'titel: ondertitel')],
  ['name:“Titel: ondertitel”', value('name', 'titel: ondertitel')],
  ['name:Titel:ondertitel', value('name', 'titel:ondertitel')],
  ['name:"open city:x', value('name', 'open city:x')],
  ['name:a"b', value('name', 'a"b')],
  ['last_name:%_*', value('last_name', '%_*')],
  ['last_name:!!!', value('last_name', '!!!')],
  ['id:12', value('id', '12')],
  ['schilder', text('schilder')],
  ['Schilder uit IJsselstein', text('schilder', 'uit', 'ysselstein')],
  ['een een Een', { type: 'text', phrases: ['een'], typed: 'een een een' }],
  ['"gouden eeuw" kunst', text('gouden eeuw', 'kunst')],
  ['"gouden eeuw', text('gouden eeuw')],
  [
    '17e-eeuwse d’Artagnan',
    { type: 'text', phrases: ['17e eeuwse', 'd artagnan'], typed: "17e-eeuwse d'artagnan" },
  ],
  [
    'kunst & "Weten-schap"',
    { type: 'text', phrases: ['kunst', 'weten schap'], typed: 'kunst & weten-schap' },
  ],
  ['kunst last_name:Vos', value('last_name', 'vos'), text('kunst')],
  ['"last_name:Vos"', { type: 'text', phrases: ['last name vos'], typed: 'last_name:vos' }],
  ['kind:person', { type: 'kind', kind: 'person' }],
  ['kind:Persons vos', { type: 'kind', kind: 'person' }, text('vos')],
  ['id:12 vos', value('id', '12'), text('vos')],
  ['birth_date:1620..1650 vos', range('birth_date', 1620_00_00, 1650_99_99), text('vos')],
  ['birth_date:1620', value('birth_date', '1620')],
  ['birth_date:1620..1650', range('birth_date', 1620_00_00, 1650_99_99)],
  ['birth_date:1620..', range('birth_date', 1620_00_00, 9999_99_99)],
  ['birth_date:..1650-03', range('birth_date', 0, 1650_03_99)],
  ['date:1620-03-01 .. 1620-03-01', range('date', 1620_03_01, 1620_03_01)],
  ['death_date:800..900', range('death_date', 800_00_00, 900_99_99)],
  ['name:1620..1650', value('name', '1620..1650')],
];

const REFUSED: [q: string, fault: Partial<QueryFault>][] = [
  ['', { reason: 'empty-query' }],
  [' \t\n', { reason: 'empty-query' }],
  ['!!! …', { reason: 'nothing-searchable', value: '!!! …' }],
  ['""', { reason: 'nothing-searchable' }],
  ['\0', { reason: 'nothing-searchable' }],
  ['\ud800', { reason: 'nothing-searchable' }],
  ['lastname:Vries', { reason: 'unknown-field', field: 'lastname', nearest: 'last_name' }],
  ['vries plaats:x', { reason: 'unknown-field', field: 'plaats', nearest: undefined }],
  ['last_name:', { reason: 'empty-value', field: 'last_name' }],
  ['last_name:""', { reason: 'empty-value', field: 'last_name' }],
  ['last_name: city:Delft', { reason: 'empty-value', field: 'last_name' }],
  ['last_name:\u200b', { reason: 'empty-value', field: 'last_name' }],
  ['kind:boat', { reason: 'unknown-kind', value: 'boat' }],
  ['birth_date:1650..1620', { reason: 'inverted-range', field: 'birth_date', value: '1650..1620' }],
  ['birth_date:..', { reason: 'malformed-range', field: 'birth_date', value: '..' }],
  ['birth_date:1620..x', { reason: 'malformed-range' }],
  ['birth_date:1620...1650', { reason: 'malformed-range' }],
  ['birth_date:1620..1630..1640', { reason: 'malformed-range' }],
  ['birth_date:1620-13..1630', { reason: 'malformed-range' }],
  ['birth_date:1620-01-32..1630', { reason: 'malformed-range' }],
  ['x'.repeat(MAX_QUERY_LENGTH + 1), { reason: 'too-long', characters: MAX_QUERY_LENGTH + 1 }],
  [Array.from({ length: MAX_CLAUSES + 1 }, (_, i) => `w${i}`).join(' '), { reason: 'too-many-clauses' }],
  [`"${'w '.repeat(MAX_CLAUSES + 1)}"`, { reason: 'too-many-clauses', limit: MAX_CLAUSES }],
  ['id:1 '.repeat(MAX_CLAUSES + 1), { reason: 'too-many-clauses' }],
];

/** What parseQuery refuses the query with. */
function refusal(q: string): QueryError {
  try {
    parseQuery(q);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`${q}: expected a QueryError`);
}

describe('parseQuery', () => {
  it.each(PARSED)('reads %j', (q, ...clauses) => {
    expect(parseQuery(q)).toEqual({ clauses });
  });

  it.each(REFUSED)('refuses %j', (q, fault) => {
    const error = refusal(q);
    expect(error.fault).toMatchObject(fault);
    expect(error.message).toMatch(/^q: \S/);
  });

  it('lists the fields when one is unknown', () => {
    expect(refusal('colour:red').message).toContain('last_name');
  });
});
