import { nearestName } from '@archiefkast/bundle/nearest-name';
import { WRITTEN_DATES } from '@archiefkast/bundle/written-dates';
import {
  COLLECTIONS,
  forKinds,
  isKind,
  isUuid,
  KIND_NAMES,
  KINDS,
  type Kind,
  kindOfCollection,
  UUID_PATTERN,
} from '@archiefkast/types';
import { GENDERS, isCalendarDate } from '@archiefkast/types/internal';
import { fold, wordsOf } from '../fields/fold.ts';
import { REFERENCE_FIELDS } from '../fields/relations.ts';
import { isVerbatim, type Matching, type SearchField } from '../fields/search-fields.ts';
import { areOnEarth, DEGREES, readBox } from './box.ts';
import { foreignValue } from './foreign-syntax.ts';
import type { Box, Circle, Clause, DateRange, MalformedValue, QueryFault, TermFault } from './query.ts';
import type { Extent, QueryReader, TypedValue } from './query-reader.ts';

/** How far an unquoted value extends, by matching. */
export const EXTENTS: Readonly<Record<Matching, Extent>> = {
  contains: 'to the next field',
  place: 'to the next field',
  words: 'to the next field',
  whole: 'word',
  date: 'dates',
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
 * @throws TermFault if the value is missing, or cannot match the field
 */
export function parseClause(field: SearchField, reader: QueryReader): Clause {
  const { name, matching } = field;
  const isWhole = (matching === 'contains' || matching === 'place') && reader.equals();
  const typed = reader.value(name, EXTENTS[matching]);
  const value = fold(typed.text);
  const whole = isWhole ? { whole: true as const } : {};
  const words = wordsOf(typed.text).join(' ');
  const [uuid] = UUID.exec(value) ?? [];
  const isText = matching === 'contains' || matching === 'place' || matching === 'words';
  // What asks nothing may be left out.
  const plain = words === '' ? [''] : [];
  const refuse: Refuse = (fault, ...values) => {
    const valid = values.filter((each) => each !== undefined && each !== value);
    const instead = valid.map((each) => `${name}:${each}`);
    return reader.refuse(typeof fault === 'string' ? { reason: fault, field: name, value } : fault, [
      ...instead,
      ...plain,
    ]);
  };
  if (value === '') throw refuse({ reason: 'empty-value', field: name });
  const isBracketed = matching !== 'date' && /^[([{]/.test(value);
  if (!typed.isQuoted && !isVerbatim(name) && (isText || matching === 'whole' || isBracketed)) {
    const text = typed.text.trim().replace(/\s+/g, ' ');
    const foreign = foreignValue(name, text, matching === 'words');
    if (foreign) throw refuse({ reason: 'foreign-syntax', text, use: foreign.use }, ...foreign.instead);
  }
  switch (matching) {
    case 'kind':
      return { type: 'kind', kind: kindNamed(value, refuse) };
    case 'words':
      return { type: 'words', field: name, phrases: phrasesOf(typed, refuse) };
    case 'reference':
      if (isUuid(value) || ID.test(value)) return { type: 'reference', field: name, record: value };
      throw reader.refuse({ reason: 'malformed-reference', field: name, value }, [
        uuid ? `${name}:${uuid}` : `kind:${REFERENCE_FIELDS[name]?.kind} ${words}`,
        ...plain,
      ]);
    case 'number':
      if (ID.test(value)) return { type: 'value', field: name, value };
      throw refuse('malformed-id', alternatives(name, value));
    case 'near':
      return { type: 'near', circle: parseCircle(value, refuse) };
    case 'within':
      return { type: 'within', box: parseBox(value, refuse) };
    case 'element':
      return { type: 'value', field: name, value: elementOf(field, value, refuse) };
    case 'date':
      return parseDate(name, value, refuse);
    case 'place':
      return { type: 'place', value, ...whole };
    case 'whole':
      if (typed.isQuoted || !/[,|]/.test(value)) return inOtherWords({ type: 'value', field: name, value });
      throw refuse(
        { reason: 'foreign-syntax', text: value, use: 'operator' },
        value.split(/\s*[,|]+\s*/).join(` OR ${name}:`),
      );
    default:
      if (name === 'uuid' && !PART_OF_UUID.test(value)) throw refuse('malformed-uuid', uuid);
      return { type: 'value', field: name, value, ...whole };
  }
}

/** A gender, or in its usual word: `man` also finds `male`. */
function inOtherWords(clause: Clause & { type: 'value' }): Clause {
  const [gender = clause.value] = GENDERS.find(([, words]) => words.includes(clause.value)) ?? [];
  return gender === clause.value ? clause : { type: 'any', clauses: [clause, { ...clause, value: gender }] };
}

/** Creates the error of an invalid value, of one that is malformed by its reason; `values` are valid ones in its place. */
type Refuse = (fault: QueryFault | MalformedValue, ...values: (string | undefined)[]) => TermFault;

function kindNamed(value: string, refuse: Refuse): Kind {
  const kind = isKind(value) ? value : kindOfCollection(value);
  if (kind) return kind;
  const kinds = [...KINDS, ...Object.values(COLLECTIONS)];
  const several = value.split(/[,|/]+/).map((each) => each.trim());
  const near = (each: string) =>
    [nearestName(each, kinds), KINDS.find((kind) => nearestName(each, KIND_NAMES_OF[kind]))].filter(Boolean);
  const joined = several.slice(0, KINDS.length).flatMap((each) => near(each).slice(0, 1));
  throw refuse(
    { reason: 'unknown-kind', value, kinds },
    ...(joined.length > 1 ? [joined.join(' OR kind:')] : []),
    ...near(value),
  );
}

/** The names of each kind in Dutch. */
const KIND_NAMES_OF = forKinds((kind) => {
  const { one, many } = KIND_NAMES.nl[kind];
  return [fold(one), fold(many)];
});

/** The phrases of a value: one if it is quoted, otherwise every word, of which a final `*` stands for the rest. */
function phrasesOf({ text, isQuoted }: TypedValue, refuse: Refuse): string[] {
  const words = wordsOf(text);
  if (words.length === 0) throw refuse({ reason: 'nothing-searchable', value: text.trim() });
  if (isQuoted) return [words.join(' ')];
  const typed = text.split(/\s+/).flatMap((word) => {
    const own = wordsOf(word);
    return own.map((each, at) => (at === own.length - 1 && word.endsWith('*') ? `${each}*` : each));
  });
  return [...new Set(typed)];
}

/** Most ids that a range of them is corrected to. */
const MOST_IDS = 10;

/** Several ids as alternatives: `1 OR id:2` for `1,2` and for `1..2`; undefined if they are not ids. */
function alternatives(field: string, value: string): string | undefined {
  const [, first = '', last = ''] = /^(\d{1,15})\s*(?:\.\.|-)\s*(\d{1,15})$/.exec(value) ?? [];
  const count = Math.min(Number(last) - Number(first) + 1, MOST_IDS);
  const ids =
    first !== '' && count > 0
      ? Array.from({ length: count }, (_, at) => String(Number(first) + at))
      : value.split(',').map((id) => id.trim());
  return ids.every((id) => ID.test(id)) ? ids.join(` OR ${field}:`) : undefined;
}

/** Validates a value of a list: one of `values`, or a century. */
function elementOf({ name, values }: SearchField, value: string, refuse: Refuse): string {
  if (values?.includes(value)) return value;
  const several = value.split(/,|\.\.|-|\|/).map((each) => each.trim());
  if (values) {
    throw refuse(
      { reason: 'unknown-value', field: name, value, values },
      ...(several.length > 1 ? [several.join(` OR ${name}:`)] : []),
      nearestName(value, values),
    );
  }
  if (/^\d{1,2}$/.test(value) && Number(value) > 0) return String(Number(value));
  const near = several.flatMap((each) => centuryNear(each) ?? []);
  throw refuse('malformed-century', near.join(` OR ${name}:`) || undefined);
}

const ROMAN = ['x', 'xi', 'xii', 'xiii', 'xiv', 'xv', 'xvi', 'xvii', 'xviii', 'xix', 'xx', 'xxi'];

/** The number of a century that is written in another way: `17e`, `XVII`, or a year of it. */
function centuryNear(value: string): string | undefined {
  const number =
    Number(/\d+/.exec(value)?.[0] ?? 0) || (ROMAN.includes(value) ? ROMAN.indexOf(value) + 10 : 0);
  const century = number < 100 ? number : Math.ceil(number / 100);
  return century > 0 && century < 100 ? String(century) : undefined;
}

const BOUND = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** Parses the value of a date field: a part of a date, or a range. */
function parseDate(field: string, value: string, refuse: Refuse): Clause {
  const range = parseRange(value);
  if (range && range.from <= range.to) return { type: 'range', field, range };
  if (isPartOfDate(value)) return { type: 'value', field, value };
  const malformed = value.includes('..') ? 'malformed-range' : 'malformed-date';
  throw refuse(range ? 'inverted-range' : malformed, dateNear(value));
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

/** Whether a date can contain the value: `1620`, `162`, `1620-03`, `-03-01`; not half a month: `1620-`, `1620-1`. */
function isPartOfDate(value: string): boolean {
  if (/^\d{4}-(?:\d|\d{2}-\d?)?$/.test(value)) return false;
  if (/^\d{1,4}$/.test(value)) return true;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return isCalendarDate(value);
  const [, rest = value] = /^\d{0,4}(-.*)$/.exec(value) ?? [];
  return DAYS.some((day) => day.startsWith(rest) || day.includes(value));
}

const SIDE = String.raw`\d{1,4}(?:-\d{1,2}(?:-\d{1,2})?)?|\*|`;
const BETWEEN = new RegExp(
  String.raw`^(${SIDE})\s*(?:\.{2,}|[-/_,]|\b(?:to|tot|t/m|until|and|en)\b)\s*(${SIDE})$`,
);
const COMPARED = /([<>]=?)\s*(\d{1,4}(?:-\d{2}(?:-\d{2})?)?)/g;
const WORDED = /^(before|voor|until|tot|after|na|since|sinds|from|vanaf)\s*(\d.*)$/;
const SIGN_OF: Readonly<Record<string, string>> = {
  ...{ before: '<', voor: '<', until: '<=', tot: '<=' },
  ...{ after: '>', na: '>', since: '>=', sinds: '>=', from: '>=', vanaf: '>=' },
};
const UNFINISHED = /^(\d{2})(\d?)[x*?_u%]+$/;
const CENTURY = /^(\d{1,2})(?:e|de|ste|st|nd|rd|th)?\s+(?:eeuw|century)$/;

const YEAR = /\d{4}/;

/** The valid date or range nearest to an invalid one; undefined if there is none. */
function dateNear(typed: string): string | undefined {
  const value = typed
    .replace(/[[\](){}]|(?<=\d)t\d\d:[\d:.]*z?|^(?:between|tussen)\s|(?<!\.)[,;.]$/g, '')
    .replace(/≤/g, '<=')
    .replace(/≥/g, '>=')
    .trim();
  const [, tens = '', units = ''] = UNFINISHED.exec(value.replace(/0?0'?s$/, 'x')) ?? [];
  const [, century] = CENTURY.exec(value) ?? [];
  const [, word = '', rest] = WORDED.exec(value) ?? [];
  const candidates = [
    value === '*' ? '0001..' : undefined,
    ...WRITTEN_DATES.map(({ read }) => read(value)),
    tens && `${(tens + units).padEnd(4, '0')}..${(tens + units).padEnd(4, '9')}`,
    century && `${joinYear(Number(century) * 100 - 99)}..${joinYear(Number(century) * 100)}`,
    comparedRange(rest ? SIGN_OF[word] + rest : value),
    rangeNear(value),
    YEAR.exec(value)?.[0],
  ];
  return candidates.find((each) => {
    const range = each && parseRange(each);
    return range ? range.from <= range.to : each && isPartOfDate(each);
  });
}

function joinYear(year: number | string): string {
  return String(year).padStart(4, '0');
}

/** `..1699` for `<1700`, `1601..1699` for `>1600 <1700`; with a month or day, the boundary is included. */
function comparedRange(value: string): string | undefined {
  let [from, to] = ['', ''];
  for (const [, sign = '', side = ''] of value.matchAll(COMPARED)) {
    const isExact = sign.endsWith('=') || side.includes('-');
    if (sign.startsWith('<')) to = isExact ? side : joinYear(Number(side) - 1);
    else from = isExact ? side : joinYear(Number(side) + 1);
  }
  return from + to === '' ? undefined : `${from}..${to}`;
}

/** A valid range between the sides of an invalid one, or turned round; of half a year, its decade: `162` is 1620 to 1629. */
function rangeNear(value: string): string | undefined {
  const outer = value.split(/\.{2,}/).map((side) => side.trim());
  const [, first = outer.at(0), last = outer.at(-1)] = BETWEEN.exec(value) ?? [];
  if (first === undefined || last === undefined || (outer.length < 2 && !BETWEEN.test(value)))
    return undefined;
  const [from, to] = [sideNear(first, '0'), sideNear(last, '9', first)];
  const isInverted = to !== '' && (dayOf(from, 0) ?? 0) > (dayOf(to, 99) ?? 0);
  if (from === to) return undefined;
  return isInverted ? `${sideNear(last, '0', first)}..${sideNear(first, '9')}` : `${from}..${to}`;
}

/** A valid side of a range; missing digits are those of the other side, or the first or last year that begins so. */
function sideNear(side: string, filler: string, other = ''): string {
  const parts = side.split('-').filter(Boolean);
  const dated = parts.map((part) => part.padStart(2, '0')).join('-');
  if (dayOf(dated, 0) !== undefined) return dated;
  const [, hundreds, years] = /^(\d\d)(\d\d)/.exec(other) ?? [];
  if (hundreds !== undefined && /^\d{2}$/.test(side)) return side > `${years}` ? hundreds + side : other;
  // A year below 1000 is not one of an archive.
  if (/^\d{2,3}$/.test(side))
    return Number(side.padEnd(3, '0')) < 300 ? side.padEnd(4, filler) : joinYear(side);
  return YEAR.exec(side)?.[0] ?? '';
}

const CIRCLE = new RegExp(String.raw`^${DEGREES},${DEGREES},\s*(\d{1,9}(?:\.\d{1,20})?)(k?m)\s*$`);

/**
 * Parses `latitude,longitude,distance`, such as `52.37,4.89,500m` or `52.37,4.89,2km`.
 *
 * @throws TermFault if it is malformed
 */
function parseCircle(value: string, refuse: Refuse): Circle {
  const circle = circleOf(value);
  if (circle) return circle;
  throw refuse('malformed-circle', [`${value},1km`, `${value}m`].find(circleOf));
}

function circleOf(value: string): Circle | undefined {
  const [, first, second, amount, unit] = CIRCLE.exec(value) ?? [];
  const [latitude, longitude] = [Number(first), Number(second)];
  const metres = Number(amount) * (unit === 'km' ? 1_000 : 1);
  return areOnEarth([latitude], [longitude]) && metres > 0 ? { latitude, longitude, metres } : undefined;
}

/**
 * Parses `south,west,north,east` in degrees, such as `52.3,4.8,52.4,5.0`.
 *
 * @throws TermFault if it is malformed, or `south` is greater than `north`
 */
function parseBox(value: string, refuse: Refuse): Box {
  const box = readBox(value, ['south', 'west', 'north', 'east']);
  if (box && box.south <= box.north) return box;
  throw refuse('malformed-box', box && [box.north, box.west, box.south, box.east].join(','));
}
