import type { Kind } from '@archiefkast/types';
import { describe, expect, it } from 'vitest';
import { MAX_CLAUSES, MAX_QUERY_LENGTH, MAX_STARTS, parseQuery } from './parse-query.ts';
import { type Clause, QueryError, type QueryFault } from './query.ts';

const value = (field: string, wanted: string): Clause => ({ type: 'value', field, value: wanted });
const text = (...phrases: string[]): Clause => ({ type: 'text', phrases, typed: phrases.join(' ') });
const range = (field: string, from: number, to: number): Clause => ({
  type: 'range',
  field,
  range: { from, to },
});

const near = (latitude: number, longitude: number, metres: number): Clause => ({
  type: 'near',
  circle: { latitude, longitude, metres },
});
const reference = (field: string, record: string): Clause => ({ type: 'reference', field, record });

const without = (phrase: string): Clause => ({ type: 'text', phrases: [phrase], typed: '' });

const PARSED: [q: string, ...clauses: Clause[]][] = [
  ['gender:Man', { type: 'any', clauses: [value('gender', 'man'), value('gender', 'male')] }],
  ['gender:male', value('gender', 'male')],
  ['LAST_NAME: Vries ', value('last_name', 'vries')],
  ['last_name:Bosch - Reitz', value('last_name', 'bosch-reitz')],
  ['city:Den Haag street:Lange Voorhout', value('city', 'den haag'), value('street', 'lange voorhout')],
  ['city:"Den Haag" kunst', value('city', 'den haag'), text('kunst')],
  ['name:"Titel: ondertitel"', value('name', 'titel: ondertitel')],
  ['name:Titel:ondertitel', value('name', 'titel:ondertitel')],
  ['name:"open city:x', value('name', 'open city:x')],
  ['name:a"b', value('name', 'a"b')],
  ['last_name:%_*', value('last_name', '%_*')],
  ['Schilder uit IJsselstein', text('schilder', 'uit', 'ysselstein')],
  ['een een Een', { type: 'text', phrases: ['een'], typed: 'een een een' }],
  ['"gouden eeuw" kunst', text('gouden eeuw', 'kunst')],
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
  ['kind:Persons vos', { type: 'kind', kind: 'person' }, text('vos')],
  ['last_name:=Vries', { type: 'value', field: 'last_name', value: 'vries', whole: true }],
  ['city:="Den Haag" kunst', { type: 'value', field: 'city', value: 'den haag', whole: true }, text('kunst')],
  ['century:09 has:Image', value('century', '9'), value('has', 'image')],
  [
    'content:Gouden Eeuw city:x',
    { type: 'words', field: 'content', phrases: ['gouden', 'eeuw'] },
    value('city', 'x'),
  ],
  ['summary:"Gouden Eeuw"', { type: 'words', field: 'summary', phrases: ['gouden eeuw'] }],
  ['near:52.37,4.89,500m', near(52.37, 4.89, 500)],
  ['near: -52.37 , -4.89 , 1.5km kerk', near(-52.37, -4.89, 1500), text('kerk')],
  ['within:52.3,4.8,52.4,5', { type: 'within', box: { south: 52.3, west: 4.8, north: 52.4, east: 5 } }],
  ['within:-90,170,90,-170', { type: 'within', box: { south: -90, west: 170, north: 90, east: -170 } }],
  ['person:12 vos', reference('person', '12'), text('vos')],
  ['UNDER:0B6F5A4E-0000-4000-8000-000000000001', reference('under', '0b6f5a4e-0000-4000-8000-000000000001')],
  ['birth_date:1620..1650 vos', range('birth_date', 1620_00_00, 1650_99_99), text('vos')],
  ['birth_date:1620..', range('birth_date', 1620_00_00, 9999_99_99)],
  ['birth_date:..1650-03', range('birth_date', 0, 1650_03_99)],
  ['date:1620-03-01 .. 1620-03-01', range('date', 1620_03_01, 1620_03_01)],
  ['death_date:0800..0900', range('death_date', 800_00_00, 900_99_99)],
  ['name:1620..1650', value('name', '1620..1650')],
  ['birth_date:-03-01', value('birth_date', '-03-01')],
  ['date:20-03', value('date', '20-03')],
  ['uuid:0B6F-', value('uuid', '0b6f-')],
  ['place:Den Haag', { type: 'place', value: 'den haag' }],
  ['place:="Den Haag" kunst', { type: 'place', value: 'den haag', whole: true }, text('kunst')],
];

const EVENT: Clause = { type: 'kind', kind: 'event' };
const there = (clause: Clause): Clause => ({ type: 'at-location', clause });
const any = (...clauses: Clause[]): Clause => ({ type: 'any', clauses });

/** Fields of locations with `kind:event`; alternatives; starts of words. */
const COMBINED: [q: string, ...clauses: Clause[]][] = [
  ['kind:event city:Leiden', EVENT, there(value('city', 'leiden'))],
  ['street:Herengracht kind:events', there(value('street', 'herengracht')), EVENT],
  ['kind:event near:52.37,4.89,500m', EVENT, there(near(52.37, 4.89, 500))],
  ['kind:event related:12', EVENT, there(reference('related', '12'))],
  ['kind:event name:x', EVENT, value('name', 'x')],
  ['kind:event place:Leiden', EVENT, { type: 'place', value: 'leiden' }],
  [
    'kind:event city:Leiden OR city:Delft',
    EVENT,
    any(there(value('city', 'leiden')), there(value('city', 'delft'))),
  ],
  [
    'kind:person title:x OR city:y',
    { type: 'kind', kind: 'person' },
    any(value('title', 'x'), value('city', 'y')),
  ],
  ['kind:person OR kind:event', any({ type: 'kind', kind: 'person' }, EVENT)],
  [
    'jan schilder OR etser OR "jan steen"',
    any(text('schilder'), text('etser'), text('jan steen')),
    text('jan'),
  ],
  ['schilder or etser', text('schilder', 'or', 'etser')],
  ['schilder "OR" etser', text('schilder', 'or', 'etser')],
  ['schilder OR !!! OR etser', any(text('schilder'), text('etser'))],
  ['last_name:a OR b', value('last_name', 'a or b')],
  ['last_name:a or title:b', value('last_name', 'a or'), value('title', 'b')],
  ['last_name:"a" OR b', any(value('last_name', 'a'), text('b'))],
  ['schilder*', { type: 'text', phrases: ['schilder*'], typed: 'schilder' }],
  ['van-der* jan', { type: 'text', phrases: ['van der*', 'jan'], typed: 'van-der jan' }],
  ['"schilder*"', { type: 'text', phrases: ['schilder'], typed: 'schilder*' }],
  ['content:schil* city:x', { type: 'words', field: 'content', phrases: ['schil*'] }, value('city', 'x')],
  ['kind:event has:coordinates', EVENT, there(value('has', 'coordinates'))],
  ['schilder AND etser && jan', text('schilder', 'etser', 'jan')],
  ['a OR b || c | d', any(text('a'), text('b'), text('c'), text('d'))],
  [
    '+name:a AND name_en : b || name_nl:c',
    value('name', 'a'),
    any(value('name_en', 'b'), value('name_nl', 'c')),
  ],
  ['DELFT EN LEIDEN', text('delft', 'en', 'leiden')],
  ["«oude kerk» ''oude molen''", text('oude kerk', 'oude molen')],
];

/** Queries, with their clauses and excluded clauses. */
const EXCLUDING: [q: string, clauses: Clause[], excluded: Clause[]][] = [
  ['vos –kunst NOT etser !jan', [text('vos')], [without('kunst'), without('etser'), without('jan')]],
  [
    'title:vos —gender:male AND NOT "a b"',
    [value('title', 'vos')],
    [value('gender', 'male'), without('a b')],
  ],
  ['schilder -kunst -"gouden eeuw"', [text('schilder')], [without('kunst'), without('gouden eeuw')]],
  ['last_name:Bosch -Reitz', [value('last_name', 'bosch-reitz')], []],
  ['last_name:Bosch -city:Delft', [value('last_name', 'bosch')], [value('city', 'delft')]],
  ['last_name:"Bosch" -Reitz', [value('last_name', 'bosch')], [without('reitz')]],
  [
    'kind:person -vos -kind:event',
    [{ type: 'kind', kind: 'person' }],
    [without('vos'), { type: 'kind', kind: 'event' }],
  ],
  ['-birth_date:1620..1650', [], [range('birth_date', 1620_00_00, 1650_99_99)]],
  ['-17e-eeuwse', [], [without('17e eeuwse')]],
  ['kind:event -city:Leiden', [EVENT], [there(value('city', 'leiden'))]],
  ['-schil*', [], [{ type: 'text', phrases: ['schil*'], typed: '' }]],
  ['kind:person -city:Leiden', [{ type: 'kind', kind: 'person' }], [value('city', 'leiden')]],
  ['kunst - wetenschap', [{ type: 'text', phrases: ['kunst', 'wetenschap'], typed: 'kunst-wetenschap' }], []],
];

const REFUSED: [q: string, fault: Partial<QueryFault>][] = [
  ['', { reason: 'empty-query' }],
  [' \t\n', { reason: 'empty-query' }],
  ['!!! …', { reason: 'nothing-searchable', value: '!!! …' }],
  ['""', { reason: 'nothing-searchable' }],
  ['\ud800', { reason: 'nothing-searchable' }],
  ['vries colour:x', { reason: 'unknown-field', field: 'colour', nearest: undefined }],
  ['last_name:', { reason: 'empty-value', field: 'last_name' }],
  ['last_name:""', { reason: 'empty-value', field: 'last_name' }],
  ['last_name: city:Delft', { reason: 'empty-value', field: 'last_name' }],
  ['last_name:\u200b', { reason: 'empty-value', field: 'last_name' }],
  ['person:huygens', { reason: 'malformed-reference', field: 'person', value: 'huygens' }],
  ['parent:0b6f5a4e-0000-4000-8000-00000000000', { reason: 'malformed-reference' }],
  ['subject:12345678901234567', { reason: 'malformed-reference' }],
  ['-', { reason: 'nothing-searchable' }],
  ['-colour:red', { reason: 'unknown-field', field: 'colour' }],
  [
    `content:${Array.from({ length: MAX_CLAUSES + 1 }, (_, i) => `w${i}`).join(' ')}`,
    { reason: 'too-many-clauses' },
  ],
  ['near:52.37,4.89', { reason: 'malformed-circle', value: '52.37,4.89' }],
  ['within:52.4,4.8,52.3,5', { reason: 'malformed-box', value: '52.4,4.8,52.3,5' }],
  ['kind:boat', { reason: 'unknown-kind', value: 'boat' }],
  ['birth_date:1620-01-32..1630', { reason: 'malformed-range' }],
  ['x'.repeat(MAX_QUERY_LENGTH + 1), { reason: 'too-long', characters: MAX_QUERY_LENGTH + 1 }],
  [Array.from({ length: MAX_CLAUSES + 1 }, (_, i) => `w${i}`).join(' '), { reason: 'too-many-clauses' }],
  [`"${'w '.repeat(MAX_CLAUSES + 1)}"`, { reason: 'too-many-clauses', limit: MAX_CLAUSES }],
  ['id:1 '.repeat(MAX_CLAUSES + 1), { reason: 'too-many-clauses' }],
  ['jan* piet* -klaas* dirk* OR kees*', { reason: 'too-many-starts', limit: MAX_STARTS }],
];

/** The fault with which parseQuery rejects a query. */
function refusal(q: string, kind?: Kind): QueryError {
  try {
    parseQuery(q, kind);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`${q}: expected a QueryError`);
}

describe('parseQuery', () => {
  it.each(PARSED)('parses %j', (q, ...clauses) => {
    expect(parseQuery(q)).toEqual({ clauses, excluded: [] });
  });

  it.each(COMBINED)('combines %j', (q, ...clauses) => {
    expect(parseQuery(q)).toEqual({ clauses, excluded: [] });
  });

  it('takes fields of locations for those of events if only events can be hits', () => {
    expect(parseQuery('city:Leiden', 'event').clauses).toEqual([there(value('city', 'leiden'))]);
    expect(refusal('city:Leiden', 'person').corrections).toEqual(['place:Leiden']);
    expect(refusal('kind:event', 'person').corrections).toEqual([]);
  });

  it.each(EXCLUDING)('parses %j', (q, clauses, excluded) => {
    expect(parseQuery(q)).toEqual({ clauses, excluded });
  });

  it.each(REFUSED)('rejects %j', (q, fault) => {
    const error = refusal(q);
    expect(error.fault).toMatchObject(fault);
    expect(error.message).toMatch(/^q: \S/);
  });

  it('lists the valid fields if a field is unknown', () => {
    expect(refusal('colour:red').message).toContain('last_name');
  });
});
