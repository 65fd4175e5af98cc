import {
  COLLECTIONS,
  isCalendarDate,
  isKind,
  isUuid,
  KINDS,
  type Kind,
  kindOfCollection,
  UUID_PATTERN,
} from '@archiefkast/types';
import { nearestName } from '../../nearest-name.ts';
import { fold, wordsOf } from '../fields/fold.ts';
import type { Matching, SearchField } from '../fields/search-fields.ts';
import { type Box, type Circle, type Clause, type DateRange, QueryError, type QueryFault } from './query.ts';
import type { Extent, QueryReader, TypedValue } from './query-reader.ts';

/** How far an unquoted value extends, by matching. */
export const EXTENTS: Readonly<Record<Matching, Extent>> = {
  contains: 'to the next field',
  place: 'to the next field',
  words: 'to the next field',
  whole: 'word',
  date: 'word',
  element: 'word',
  reference: 'word',
  kind: 'word',
  number: 'numbers',
  near: 'numbers',
  within: 'numbers',
};

const ID = /^\d{1,16}$/;
const PART_OF_UUID = /^[\da-f-]{1,36}$/;
const UUID = new RegExp(UUID_PATTERN);

/**
 * Parses the value of a field into a clause.
 *
 * @throws QueryError if the value is missing, or cannot match the field
 */
export function parseClause(field: SearchField, reader: QueryReader): Clause {
  const { name, matching } = field;
  const isWhole = (matching === 'contains' || matching === 'place') && reader.equals();
  const typed = reader.value(EXTENTS[matching]);
  const value = fold(typed.text);
  const whole = isWhole ? { whole: true as const } : {};
  const refuse = (fault: QueryFault, ...values: (string | undefined)[]) => {
    const valid = values.filter((each) => each !== undefined && each !== value);
    return reader.refuse(
      fault,
      valid.map((each) => `${name}:${each}`),
    );
  };
  if (value === '') throw refuse({ reason: 'empty-value', field: name });
  switch (matching) {
    case 'kind':
      return { type: 'kind', kind: kindNamed(value, refuse) };
    case 'words':
      return { type: 'words', field: name, phrases: phrasesOf(typed) };
    case 'reference':
      if (isUuid(value) || ID.test(value)) return { type: 'reference', field: name, record: value };
      throw refuse({ reason: 'malformed-reference', field: name, value }, UUID.exec(value)?.[0]);
    case 'number':
      if (ID.test(value)) return { type: 'value', field: name, value };
      throw refuse({ reason: 'malformed-id', field: name, value }, alternatives(name, value));
    case 'near':
      return { type: 'near', circle: parseCircle(name, value, refuse) };
    case 'within':
      return { type: 'within', box: parseBox(name, value, refuse) };
    case 'element':
      return { type: 'value', field: name, value: elementOf(field, value, refuse) };
    case 'date':
      return parseDate(name, value, refuse);
    case 'place':
      return { type: 'place', value, ...whole };
    default:
      if (name === 'uuid' && !PART_OF_UUID.test(value)) {
        throw refuse({ reason: 'malformed-uuid', field: name, value }, UUID.exec(value)?.[0]);
      }
      return { type: 'value', field: name, value, ...whole };
  }
}

/** Creates the error of an invalid value; `values` are valid ones in its place. */
type Refuse = (fault: QueryFault, ...values: (string | undefined)[]) => QueryError;

function kindNamed(value: string, refuse: Refuse): Kind {
  const kind = isKind(value) ? value : kindOfCollection(value);
  if (kind) return kind;
  const kinds = [...KINDS, ...Object.values(COLLECTIONS)];
  throw refuse({ reason: 'unknown-kind', value, kinds }, nearestName(value, kinds));
}

/** The phrases of a value: one if it is quoted, otherwise every word. */
function phrasesOf({ text, isQuoted }: TypedValue): string[] {
  const words = wordsOf(text);
  if (words.length === 0) throw new QueryError({ reason: 'nothing-searchable', value: text.trim() });
  return isQuoted ? [words.join(' ')] : [...new Set(words)];
}

/** Several ids as alternatives: `1 OR id:2` for `1,2`; undefined if they are not ids. */
function alternatives(field: string, value: string): string | undefined {
  const ids = value.split(',').map((id) => id.trim());
  return ids.every((id) => ID.test(id)) ? ids.join(` OR ${field}:`) : undefined;
}

/** Validates a value of a list: one of `values`, or a century. */
function elementOf({ name, values }: SearchField, value: string, refuse: Refuse): string {
  if (values?.includes(value)) return value;
  if (values) {
    throw refuse({ reason: 'unknown-value', field: name, value, values }, nearestName(value, values));
  }
  if (/^\d{1,2}$/.test(value) && Number(value) > 0) return String(Number(value));
  const number = Number(/\d+/.exec(value)?.[0] ?? 0);
  const century = number < 100 ? number : Math.ceil(number / 100);
  throw refuse(
    { reason: 'malformed-century', field: name, value },
    century > 0 && century < 100 ? String(century) : undefined,
  );
}

const BOUND = /^(\d{3,4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** Parses the value of a date field: a part of a date, or a range. */
function parseDate(field: string, value: string, refuse: Refuse): Clause {
  const range = parseRange(value);
  if (range && range.from <= range.to) return { type: 'range', field, range };
  if (range) throw refuse({ reason: 'inverted-range', field, value }, dateNear(value));
  if (isPartOfDate(value)) return { type: 'value', field, value };
  const reason = value.includes('..') ? 'malformed-range' : 'malformed-date';
  throw refuse({ reason, field, value }, dateNear(value));
}

/**
 * Parses `from..to`, `from..` or `..to`, each side a year, a month (`1620-03`) or a day (`1620-03-01`). A year or
 * month includes all its days.
 *
 * @returns undefined if it is not a range, or malformed
 */
function parseRange(value: string): DateRange | undefined {
  if (!value.includes('..')) return undefined;
  const [first = '', last = '', ...more] = value.split('..').map((side) => side.trim());
  const from = first === '' ? 0 : dayOf(first, 0);
  const to = last === '' ? 9999_99_99 : dayOf(last, 99);
  if (from === undefined || to === undefined || first + last === '' || more.length > 0) return undefined;
  return { from, to };
}

/** The day as a number YYYYMMDD, with `filler` for a missing month or day. */
function dayOf(text: string, filler: number): number | undefined {
  const [, year, month, date] = BOUND.exec(text) ?? [];
  if (!year || Number(month ?? 1) > 12 || Number(date ?? 1) > 31) return undefined;
  return Number(year) * 10_000 + Number(month ?? filler) * 100 + Number(date ?? filler);
}

/** Every day of a leap year, after the year: `-01-01`, `-01-02` … */
const DAYS = Array.from({ length: 366 }, (_, day) =>
  new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(4, 10),
);

/** Whether a date can contain the value: `1620`, `162`, `1620-03`, `-03-01`. */
function isPartOfDate(value: string): boolean {
  if (/^\d{1,4}$/.test(value)) return true;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return isCalendarDate(value);
  const [, rest = value] = /^\d{0,4}(-.*)$/.exec(value) ?? [];
  return DAYS.some((day) => day.startsWith(rest) || day.includes(value));
}

const SIDE = String.raw`\d{3,4}(?:-\d{2}(?:-\d{2})?)?`;
const BETWEEN = new RegExp(`^(${SIDE})[-/_](${SIDE})$`);
const COMPARED = new RegExp(`^([<>])(=?)\\s*(${SIDE})$`);
const DECADE = /^(\d\d)(\d)0'?s$/;
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/;
const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const YEAR = /\d{4}/;

/** The valid date or range nearest to an invalid one; undefined if there is none. */
function dateNear(value: string): string | undefined {
  const [, year, month, day] = YEAR_FIRST.exec(value) ?? [];
  const [, day2, month2, year2] = DAY_FIRST.exec(value) ?? [];
  const [, first, last] = BETWEEN.exec(value) ?? [];
  const [, century, decade] = DECADE.exec(value) ?? [];
  const candidates = [
    year && joinDate(year, month, day),
    year2 && joinDate(year2, month2, day2),
    first && `${first}..${last}`,
    century && (decade === '0' ? `${century}00..${century}99` : `${century}${decade}0..${century}${decade}9`),
    comparedRange(value),
    rangeNear(value),
    YEAR.exec(value)?.[0],
  ];
  return candidates.find((each) => each && isDateOrRange(each));
}

function isDateOrRange(value: string): boolean {
  const range = parseRange(value);
  return range ? range.from <= range.to : isPartOfDate(value);
}

function joinDate(...parts: (string | undefined)[]): string {
  return parts.flatMap((part) => part?.padStart(2, '0') ?? []).join('-');
}

/** `..1699` for `<1700`; with a month or day, the boundary is included. */
function comparedRange(value: string): string | undefined {
  const [, sign, equals, side = ''] = COMPARED.exec(value) ?? [];
  if (sign === undefined) return undefined;
  const isExact = equals !== '' || side.includes('-');
  if (sign === '<') return `..${isExact ? side : Number(side) - 1}`;
  return `${isExact ? side : Number(side) + 1}..`;
}

/** A valid range between the outer sides of an invalid one. */
function rangeNear(value: string): string | undefined {
  const sides = value.split(/\.{2,}/).map((side) => side.trim());
  if (sides.length < 2) return undefined;
  const [first = '', last = ''] = [sides.at(0), sides.at(-1)].map((side = '') =>
    dayOf(side, 0) === undefined ? (YEAR.exec(side)?.[0] ?? '') : side,
  );
  const isInverted = last !== '' && (dayOf(first, 0) ?? 0) > (dayOf(last, 99) ?? 0);
  return isInverted ? `${last}..${first}` : `${first}..${last}`;
}

const NUMBER = /^-?\d{1,3}(?:\.\d{1,20})?$/;
const DISTANCE = /^(\d{1,9}(?:\.\d{1,20})?)(k?m)$/;

/**
 * Parses `latitude,longitude,distance`, such as `52.37,4.89,500m` or `52.37,4.89,2km`.
 *
 * @throws QueryError if it is malformed
 */
function parseCircle(field: string, value: string, refuse: Refuse): Circle {
  const circle = circleOf(value);
  if (circle) return circle;
  const nearest = [`${value},1km`, `${value}m`].find(circleOf);
  throw refuse({ reason: 'malformed-circle', field, value }, nearest);
}

function circleOf(value: string): Circle | undefined {
  const [first, second, distance = '', ...more] = partsOf(value);
  const [latitude, longitude] = [degreesOf(first, 90), degreesOf(second, 180)];
  const [, amount, unit] = DISTANCE.exec(distance) ?? [];
  const metres = Number(amount) * (unit === 'km' ? 1_000 : 1);
  if (latitude === undefined || longitude === undefined || !(metres > 0) || more.length > 0) return undefined;
  return { latitude, longitude, metres };
}

/**
 * Parses `south,west,north,east` in degrees, such as `52.3,4.8,52.4,5.0`.
 *
 * @throws QueryError if it is malformed, or `south` is greater than `north`
 */
function parseBox(field: string, value: string, refuse: Refuse): Box {
  const [first, second, third, fourth, ...more] = partsOf(value);
  const [south, west] = [degreesOf(first, 90), degreesOf(second, 180)];
  const [north, east] = [degreesOf(third, 90), degreesOf(fourth, 180)];
  const isBox = south !== undefined && west !== undefined && north !== undefined && east !== undefined;
  if (!isBox || south > north || more.length > 0) {
    const turned = isBox && more.length === 0 ? [north, west, south, east].join(',') : undefined;
    throw refuse({ reason: 'malformed-box', field, value }, turned);
  }
  return { south, west, north, east };
}

function partsOf(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}

function degreesOf(text: string | undefined, most: number): number | undefined {
  const number = text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) <= most ? number : undefined;
}
