import { excessOfHtml } from '@archiefkast/formats/html-bounds';
import { type Attribute, attributeOf, walkHtml } from '@archiefkast/formats/walk-html';
import { forKinds, KIND_FACTS, type Kind, RECORD_COLUMN_FIELDS } from '@archiefkast/types';
import { isMediaPath } from '../../media-path.ts';
import { MULTILINGUAL } from './multilingual.ts';
import type { BundleFile, BundleRecord } from './record-schemas.ts';
import type { WarningCode, WarningList } from './warning-list.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reports a possible mistake. */
type Warn = (field: string, reason: string) => void;

/** Looks for one sort of mistake in a record. */
type Rule = (record: Fields, kind: Kind, warn: Warn) => void;

/** The warnings about one record alone, each with what finds it. */
const RULES: readonly (readonly [WarningCode, Rule])[] = [
  [
    'no-name',
    (record, kind, warn) => {
      const { nl, en } = MULTILINGUAL[kind].name;
      if (!record[nl] && !record[en]) warn(nl, `is empty, and ${en} too: the record has no name`);
    },
  ],
  [
    'script',
    inHtml((html) => (hasScript(html) ? 'contains a script, which sites that show it would run' : '')),
  ],
  [
    'too-much-markup',
    inHtml((html) => {
      const excess = excessOfHtml(html);
      return excess && `${excess}: pages show it as plain text`;
    }),
  ],
  [
    'tags-as-text',
    inHtml((html) => {
      const tag = WRITTEN_TAG.exec(html)?.[1];
      return tag && `shows the tag <${tag}> to readers, as HTML in Markdown or plain text is not HTML`;
    }),
  ],
  [
    'footnote-missing',
    inHtml((html) => {
      const mark = markWithoutNote(html);
      return mark && `has the footnote mark ${mark} without a footnote of that name`;
    }),
  ],
  [
    'no-english',
    (record, kind, warn) => {
      const [first, ...more] = MULTILINGUAL[kind].all.filter(({ nl, en }) => record[nl] && !record[en]);
      const list = more.length > 0 ? ` (${[first, ...more].map((text) => text?.en).join(', ')})` : '';
      if (first) warn(first.en, `is empty, but there is a Dutch text${list}`);
    },
  ],
  [
    'no-dutch',
    (record, kind, warn) => {
      const [first, ...more] = MULTILINGUAL[kind].all.filter(({ nl, en }) => record[en] && !record[nl]);
      const list = more.length > 0 ? ` (${[first, ...more].map((text) => text?.nl).join(', ')})` : '';
      if (first)
        warn(first.nl, `is empty, so that ${first.field} is "" in Dutch; there is an English text${list}`);
    },
  ],
  [
    'spaces',
    (record, kind, warn) => {
      const { nl, en } = MULTILINGUAL[kind].name;
      for (const field of [nl, en, 'first_name', 'infix', 'last_name']) {
        const name = textIn(record, field);
        const end = name === name.trimEnd() ? 'begins' : 'ends';
        if (name !== name.trim()) warn(field, `${end} with a space: ${JSON.stringify(name)}`);
      }
    },
  ],
  [
    'gender',
    (record, _, warn) => {
      const given = textIn(record, 'gender');
      const gender = GENDERS.get(given.trim().toLowerCase());
      if (gender !== undefined && gender !== given) warn('gender', `is "${given}"; expected ${gender}`);
    },
  ],
  [
    'date-unlikely',
    (record, kind, warn) => {
      for (const field of DATES[kind]) {
        const reason = doubtOf(textIn(record, field));
        if (reason) warn(field, reason);
      }
    },
  ],
  [
    'dates-reversed',
    (record, _, warn) => {
      for (const [begin, end] of PERIODS) {
        const [first, last] = [textIn(record, begin), textIn(record, end)];
        if (first && last && last < first) warn(end, `${last} is before ${begin}, ${first}`);
      }
    },
  ],
  [
    'image-address',
    (record, kind, warn) => {
      for (const { field, path } of picturesOf(kind, record)) {
        const reason = faultInAddress(path);
        if (reason) warn(field, reason);
      }
      const image = imageOf(record, kind);
      if (image && !image.url && !image.path)
        warn(`${KIND_FACTS[kind].image}.url`, 'is empty: the image has no URL');
    },
  ],
  [
    'image-rights',
    (record, kind, warn) => {
      const image = imageOf(record, kind);
      const field = KIND_FACTS[kind].image;
      if (image && !image.alt) warn(`${field}.alt`, 'is empty: the image has no credit line');
      else if (image && !image.author && !image.copyright) {
        warn(`${field}.copyright`, 'is empty, and author too: the image has no licence');
      }
    },
  ],
  ['formula', (record, _, warn) => warnOfFormulas(record, warn)],
  [
    'coordinates-zero',
    (record, _, warn) => {
      const point = pointOf(record);
      if (point?.every((degrees) => degrees === 0))
        warn('latitude', 'is 0, and the longitude is 0 too: a point in the sea off Ghana');
    },
  ],
];

/** Checks the records of a kind for possible mistakes: `look` at each record, then `finish`. */
interface Warner<K extends Kind> {
  look(record: BundleRecord[K], at: number): void;
  finish(): void;
}

/** Creates a warner for a kind, which adds its findings to `warnings`. */
export function createWarner<K extends Kind>(kind: K, warnings: WarningList): Warner<K> {
  const names = new Set<string>();
  const points: { at: number; latitude: number; longitude: number }[] = [];
  return {
    look(record, at) {
      const fields: Fields = record;
      const { nl, en } = MULTILINGUAL[kind].name;
      const name = textIn(fields, nl) || textIn(fields, en);
      if (names.has(name))
        warnings.add('same-name', kind, at, nl, `"${name}" is also the name of another ${kind}`);
      else if (name !== '') names.add(name);
      for (const [code, look] of RULES)
        look(fields, kind, (field, reason) => warnings.add(code, kind, at, field, reason));
      const [latitude = 0, longitude = 0] = pointOf(fields) ?? [];
      if (latitude !== 0 || longitude !== 0) points.push({ at, latitude, longitude });
    },
    finish() {
      const reason = 'is far from the other locations; latitude and longitude may be swapped';
      for (const at of findSwapped(points)) warnings.add('coordinates-swapped', kind, at, 'latitude', reason);
    },
  };
}

function textIn(record: Fields, field: string): string {
  const value = record[field];
  return typeof value === 'string' ? value : '';
}

/** A rule for the HTML of a record: it says what is wrong with it, if anything. */
function inHtml(doubt: (html: string) => string | undefined): Rule {
  return (record, kind, warn) => {
    const { nl, en } = MULTILINGUAL[kind].html;
    for (const field of [nl, en]) {
      const html = textIn(record, field);
      const reason = html === '' ? undefined : doubt(html);
      if (reason) warn(field, reason);
    }
  };
}

/** Other words for the values of `gender` that search, facets and pages of archives use. */
const GENDERS = new Map(
  Object.entries({
    male: ['male', 'm', 'man', 'mannelijk', 'heer'],
    female: ['female', 'f', 'v', 'vrouw', 'vrouwelijk', 'woman', 'w', 'mevrouw'],
  }).flatMap(([gender, words]) => words.map((word) => [word, gender] as const)),
);

const PERIODS = [
  ['birth_date', 'death_date'],
  ['date_start', 'date_end'],
] as const;

/** The dates of each kind. */
const DATES = forKinds((kind) =>
  RECORD_COLUMN_FIELDS[kind].filter(({ type }) => type === 'date').map(({ name }) => name),
);

/** The last year of the Julian calendar alone. */
const GREGORIAN = 1582;

const THIS_YEAR = new Date().getUTCFullYear();

/** Why a date is unlikely; undefined if it is not. */
export function doubtOf(date: string): string | undefined {
  const year = Number(date.slice(0, 4));
  if (date.startsWith('0000')) return `${date} is in the year 0, which no calendar of history has`;
  if (year >= THIS_YEAR && date > new Date().toISOString().slice(0, 10)) return `${date} is in the future`;
  const isJulianLeap = year % 100 === 0 && year % 400 !== 0;
  if (year > GREGORIAN && isJulianLeap && date.endsWith('-02-29'))
    return `${date} is a day of the Julian calendar only; in the Gregorian one, ${year} has no 29 February`;
  return undefined;
}

/** The image of a record. */
function imageOf(record: Fields, kind: Kind): BundleFile | undefined {
  const image = record[KIND_FACTS[kind].image];
  return isFile(image) ? image : undefined;
}

/** The addresses of a record's image and files, each with its field. */
export function picturesOf(
  kind: Kind,
  fields: Readonly<Record<string, unknown>>,
): { field: string; path: string }[] {
  const files = Array.isArray(fields['files']) ? fields['files'] : [];
  const all = [
    [KIND_FACTS[kind].image, fields[KIND_FACTS[kind].image]] as const,
    ...files.map((file, place) => [`files[${place}]`, file] as const),
  ];
  return all.flatMap(([name, file]) =>
    isFile(file)
      ? [
          { field: `${name}.url`, path: file.url },
          { field: `${name}.path`, path: file.path ?? '' },
        ].filter(({ path }) => path !== '')
      : [],
  );
}

/** A path in MEDIA_DIR that looks like a web address: its first name has a colon, or a dot and a name after it. */
const LIKE_AN_ADDRESS = /^(?:[a-z]+:\/*)?((?:[\w-]+\.)+[a-z]{2,}\/.*)$|^[a-z]+:\/*(.*)$/i;

/** Why the address of a picture shows nothing; undefined if it may. */
function faultInAddress(path: string): string | undefined {
  const [, ending] = /\.(tiff?|heic|psd)$/i.exec(path) ?? [];
  if (ending !== undefined) return `browsers do not show .${ending.toLowerCase()}; save it as .jpg or .png`;
  if (!isMediaPath(path)) return undefined;
  const [, host, rest] = LIKE_AN_ADDRESS.exec(path) ?? [];
  const address = host ?? rest;
  return address === undefined
    ? undefined
    : `"${path}" is read as a path in MEDIA_DIR; if it is a web address, write https://${address}`;
}

function isFile(value: unknown): value is BundleFile {
  return typeof value === 'object' && value !== null && 'alt' in value;
}

/** First characters by which a spreadsheet recognises a formula in CSV. */
const SIGNS = '=+-@\t\r';

/** A signed number, which is not a formula. */
const NUMBER = /^[+-]?\d+([.,]\d+)?$/;

/** The tags at the start of HTML, which CSV leaves out. */
const TAGS = /^(?:\s*<[^<>]*>)+/;

/** Characters of HTML that are searched for the start of its text. */
const HEAD = 200;

/**
 * Finds the texts of a record, its images and its files that a spreadsheet would evaluate as formulas when it opens
 * them as CSV.
 */
function warnOfFormulas(record: Fields, warn: Warn, within = ''): void {
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === 'string') {
      const text = value.startsWith('<') ? value.slice(0, HEAD).replace(TAGS, '') : value;
      if (!isFormula(text)) continue;
      const sign = JSON.stringify(text.charAt(0));
      warn(within + name, `starts with ${sign}: a spreadsheet may evaluate it as a formula`);
    } else if (Array.isArray(value)) {
      for (const [place, one] of value.entries()) {
        if (isObject(one)) warnOfFormulas(one, warn, `${within}${name}[${place}].`);
      }
    } else if (isObject(value)) warnOfFormulas(value, warn, `${within}${name}.`);
  }
}

function isFormula(text: string): boolean {
  return text.length > 1 && SIGNS.includes(text.charAt(0)) && !NUMBER.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A tag that is shown as text: its `<` is escaped. */
const WRITTEN_TAG =
  /&lt;\/?(p|div|span|br|b|i|u|em|strong|a|o:p|table|tr|td|ul|ol|li|h[1-6]|font|img|sup)(?=[\s/]|&gt;)/i;

/** Cheap test for a possible script: only matching texts are parsed. */
const LIKE_SCRIPT = /<script|\son\w+\s*=|javascript:/i;
const NOTE = /^#(fn-?[\w:-]+)$/;
/** A plain-text footnote mark, or an unclosed one up to a space; matching takes linear time. */
const PLAIN_MARK = /\[\^[^\]\s]+\]?/g;

/** Whether a browser that shows the HTML unchanged would run a script. */
export function hasScript(html: string): boolean {
  if (!LIKE_SCRIPT.test(html)) return false;
  let found = false;
  // Closes an unfinished tag, as the rest of a page would.
  walkHtml(`${html} '">`, {
    text() {},
    tag({ name, closing, attributes }) {
      found ||= (name === 'script' && !closing) || attributes.some(runsScript);
    },
  });
  return found;
}

function runsScript([name, value]: Attribute): boolean {
  return /^on\w/.test(name) || (/(?:href|src)$/.test(name) && /^\s*javascript:/i.test(value));
}

/** The first footnote mark in HTML without a footnote; undefined if there is none. */
export function markWithoutNote(html: string): string | undefined {
  return linkWithoutNote(html) ?? plainMark(html);
}

function linkWithoutNote(html: string): string | undefined {
  if (!html.includes('#fn')) return undefined;
  const marks: string[] = [];
  const ids = new Set<string>();
  walkHtml(html, {
    text() {},
    tag(tag) {
      const name = NOTE.exec(attributeOf(tag, 'href'))?.[1];
      if (name !== undefined && !name.startsWith('fnref')) marks.push(name);
      ids.add(attributeOf(tag, 'id'));
    },
  });
  const missing = marks.find((name) => !ids.has(name));
  return missing === undefined ? undefined : `#${missing}`;
}

function plainMark(html: string): string | undefined {
  for (const [mark] of html.matchAll(PLAIN_MARK)) if (mark.endsWith(']')) return mark;
  return undefined;
}

/** The latitude and longitude of a record, in degrees; undefined without them. */
function pointOf(record: Fields): [latitude: number, longitude: number] | undefined {
  const [latitude, longitude] = [textIn(record, 'latitude'), textIn(record, 'longitude')];
  return latitude && longitude ? [Number(latitude), Number(longitude)] : undefined;
}

/** Degrees from the median beyond which a location is far away; within half of it, it is near. */
const FAR = 20;

/** Minimum number of locations for a meaningful median. */
const ENOUGH = 3;

/** The points that are far from the median, but near it with latitude and longitude swapped. */
function findSwapped(points: readonly { at: number; latitude: number; longitude: number }[]): number[] {
  if (points.length < ENOUGH) return [];
  const north = median(points.map(({ latitude }) => latitude));
  const east = median(points.map(({ longitude }) => longitude));
  const distance = (a: number, b: number) => Math.max(Math.abs(a - north), Math.abs(b - east));
  return points.flatMap(({ at, latitude, longitude }) =>
    distance(latitude, longitude) > FAR && distance(longitude, latitude) < FAR / 2 ? at : [],
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
