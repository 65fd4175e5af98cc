import { describe, expect, it } from 'vitest';
import { conditionsOf, isFreeText, rangeOf, withRange } from './edit-query.ts';

describe('conditionsOf', () => {
  it.each<[q: string, ...conditions: [text: string, without: string][]]>([
    ['schilder'],
    ['"gouden eeuw" -kunst'],
    ['kind:person', ['kind:person', '']],
    [
      'kind:person schilder gender:female',
      ['kind:person', 'schilder gender:female'],
      ['gender:female', 'schilder kind:person'],
    ],
    [
      'city:Den Haag kind:event kunst',
      ['city:Den Haag', 'kunst kind:event'],
      ['kind:event', 'kunst city:Den Haag'],
    ],
    ['-city:"Delft" vos', ['-city:"Delft"', 'vos']],
    ['vos AND NOT name:«Delft', ['NOT name:«Delft"', 'vos']],
    ['kunst city:a OR city:b id:1', ['city:a OR city:b', 'kunst id:1'], ['id:1', 'kunst city:a OR city:b']],
    ['kind:person "gouden eeuw', ['kind:person', '"gouden eeuw"']],
    ['kind:person name:a"b', ['kind:person', 'name:a"b'], ['name:a"b', 'kind:person']],
  ])('finds those of %j', (q, ...conditions) => {
    expect(conditionsOf(q).map(({ text, without }) => [text, without])).toEqual(conditions);
  });

  it('has the clause of a single condition', () => {
    expect(conditionsOf('kind:person')[0]?.clause).toEqual({ type: 'kind', kind: 'person' });
    expect(conditionsOf('-kind:person')[0]).not.toHaveProperty('clause');
  });
});

it.each([
  ['schilder "gouden eeuw"', true],
  ['schilder OR etser', false],
  ['schilder -etser', false],
  ['schilder id:1', false],
])('isFreeText of %j is %j', (q, expected) => {
  expect(isFreeText(q)).toBe(expected);
});

describe('a range of dates', () => {
  it.each([
    ['vos birth_date:1620..1650', { field: 'birth_date', from: '1620', to: '1650' }],
    ['death_date:..1650-03', { field: 'death_date', from: '', to: '1650-03' }],
    ['date:0800..', { field: 'date', from: '0800', to: '' }],
    ['birth_date:1620', undefined],
    ['date_start:1620..', undefined],
  ])('of %j is found', (q, range) => {
    expect(rangeOf(q)).toEqual(range);
  });

  it.each([
    ['vos', '1620', '1650', 'birth_date:1620..1650 vos'],
    ['birth_date:..1700 vos kind:person', '1620', '', 'birth_date:1620.. vos kind:person'],
    ['birth_date:..1700 vos', '', '', 'vos'],
    ['', 'a "b', '', 'birth_date:"a b.."'],
  ])('of %j is set', (q, from, to, expected) => {
    expect(withRange(q, { field: 'birth_date', from, to })).toBe(expected);
  });
});
