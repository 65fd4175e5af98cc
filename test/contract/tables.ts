import { expect } from 'vitest';
import type { Json } from '../support/walk.ts';

/** Checks a value against a row of a contract table. */
export type Check = (value: unknown, language: 'en' | 'nl') => void;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const BASE = 'https://archive\\.test/base';

const integer: Check = (value) => expect(Number.isSafeInteger(value), `${value}`).toBe(true);
const string: Check = (value) => expect(value).toBeTypeOf('string');
const uuid: Check = (value) => expect(value).toMatch(new RegExp(`^${UUID}$`));
const isTrue: Check = (value) => expect(value).toBe(true);
const isNull: Check = (value) => expect(value).toBeNull();
const date: Check = (value) => expect(value).toMatch(/^\d{4}-\d{2}-\d{2}$/);
const url: Check = (value) => expect(value).toMatch(/^https?:\/\/\S+$/);
const decimal: Check = (value) => expect(value).toMatch(/^(-?\d+(\.\d+)?)?$/);
const point: Check = (value) => expect(value).toMatch(/^(SRID=4326;POINT \(-?[\d.]+ -?[\d.]+\))?$/);
const emptyString: Check = (value) => expect(value).toBe('');
const page =
  (segment: string): Check =>
  (value, language) =>
    expect(value).toMatch(new RegExp(`^${BASE}/${language}/${segment}/${UUID}/$`));
const reference =
  (collection: string): Check =>
  (value, language) =>
    expect(value).toMatch(new RegExp(`^${BASE}/${language}/api/${collection}/${UUID}(\\?format=api)?$`));
const orNull =
  (check: Check): Check =>
  (value, language) =>
    value === null || check(value, language);
const arrayOf =
  (check: Check): Check =>
  (value, language) => {
    if (!Array.isArray(value)) expect.fail(`expected an array, got ${JSON.stringify(value)}`);
    for (const item of value) check(item, language);
  };
const either =
  (one: Check, other: Check): Check =>
  (value, language) =>
    value === '' ? other(value, language) : one(value, language);

/** The rows of a contract table: every field, in order. */
export type Table = Readonly<Record<string, Check>>;

/** Checks that an object has exactly the fields of a table, in its order. */
export function checkTable(table: () => Table): Check {
  return (value, language) => {
    if (typeof value !== 'object' || value === null) expect.fail(`expected an object, got ${value}`);
    expect(Object.keys(value)).toEqual(Object.keys(table()));
    for (const [field, check] of Object.entries(table())) check((value as Json)[field], language);
  };
}

const multilingual = (name: string) => ({ [name]: string, [`${name}_nl`]: string, [`${name}_en`]: string });

export const FILE: Table = {
  id: integer,
  uuid,
  name: string,
  title: string,
  alt: string,
  url: either(url, emptyString),
  path: orNull(url),
  filetype: string,
  description: string,
  author: string,
  copyright: string,
};

const file = checkTable(() => FILE);

export const PERSON: Table = {
  id: integer,
  image: orNull(file),
  pictures: arrayOf(() => expect.fail('expected no pictures')),
  url: page('personen'),
  subjects: arrayOf(reference('subjects')),
  published: isTrue,
  uuid,
  first_name: string,
  last_name: string,
  infix: string,
  ...multilingual('title'),
  title_en: orNull(string),
  ...multilingual('content'),
  birth_date: orNull(date),
  death_date: orNull(date),
  gender: string,
  birth_place: string,
  birth_country: string,
  death_place: string,
  death_country: string,
  ...multilingual('summary'),
  same_as: isNull,
  files: arrayOf(file),
};

export const SUBJECT: Table = {
  id: integer,
  image: orNull(file),
  url: page('onderwerpen'),
  published: isTrue,
  uuid,
  ...multilingual('name'),
  ...multilingual('description'),
  ...multilingual('summary'),
  same_as: orNull(arrayOf(url)),
  parent: orNull(integer),
  files: arrayOf(file),
};

export const ABBREVIATED_EVENT: Table = {
  id: integer,
  main_image: orNull(file),
  url: page('gebeurtenissen'),
  subjects: arrayOf(reference('subjects')),
  persons: arrayOf(reference('persons')),
  location: reference('locations'),
  published: isTrue,
  uuid,
  ...multilingual('name'),
  ...multilingual('content'),
  ...multilingual('summary'),
  date: orNull(date),
  date_start: orNull(date),
  date_end: orNull(date),
  same_as: isNull,
  files: arrayOf(file),
};

export const LOCATION: Table = {
  id: integer,
  files: arrayOf(file),
  main_image: orNull(file),
  latitude: decimal,
  longitude: decimal,
  events: arrayOf(checkTable(() => ABBREVIATED_EVENT)),
  subjects: arrayOf(checkTable(() => SUBJECT)),
  related_locations: arrayOf(reference('locations')),
  url: page('locaties'),
  published: isTrue,
  ...multilingual('name'),
  uuid,
  ...multilingual('content'),
  position: point,
  ...multilingual('summary'),
  same_as: isNull,
  street: string,
  zipcode: string,
  city: string,
  state: string,
  land: string,
  location_events: arrayOf(integer),
};

export const EVENT: Table = {
  id: integer,
  main_image: orNull(file),
  files: arrayOf(file),
  persons: arrayOf(checkTable(() => PERSON)),
  location: orNull(checkTable(() => LOCATION)),
  url: page('gebeurtenissen'),
  published: isTrue,
  uuid,
  ...multilingual('name'),
  ...multilingual('content'),
  date: orNull(date),
  date_start: orNull(date),
  date_end: orNull(date),
  ...multilingual('summary'),
  same_as: isNull,
};

export const ENVELOPE: Table = {
  next: orNull(url),
  previous: orNull(url),
  count: integer,
  total: integer,
  language: (value, language) => expect(value).toBe(language),
  results: arrayOf((value) => expect(value).toBeTypeOf('object')),
};

/** The table for the records of each kind. */
export const TABLES = { person: PERSON, subject: SUBJECT, location: LOCATION, event: EVENT } as const;
