import { excessOfHtml } from '@archiefkast/formats/html-bounds';
import { IMAGE_FIELD } from '@archiefkast/formats/table-columns';
import { type Attribute, attributeOf, walkHtml } from '@archiefkast/formats/walk-html';
import { type Kind, RECORD_COLUMN_FIELDS } from '@archiefkast/types';
import { isMediaPath } from '../../../media-path.ts';
import { MULTILINGUAL } from '../multilingual.ts';
import type { BundleFile, BundleRecord } from '../record-schemas.ts';
import type { WarningCode, WarningList } from './warning-list.ts';

/** Checks the records of a kind for possible mistakes: `look` each record, `finish` all of them together. */
interface Warner<K extends Kind> {
  look(record: BundleRecord[K], line: number): void;
  finish(): void;
}

type Warn = (code: WarningCode, field: string | undefined, reason: string) => void;

const PERIODS = [
  ['birth_date', 'death_date'],
  ['date_start', 'date_end'],
] as const;

/** Creates a warner for a kind, which adds its findings to `warnings`. */
export function createWarner<K extends Kind>(kind: K, warnings: WarningList): Warner<K> {
  const names = new NameTable();
  const swaps = createSwapCheck();
  return {
    look(record, line) {
      const fields: Readonly<Record<string, unknown>> = record;
      const warn: Warn = (code, field, reason) => warnings.add(code, kind, line, field, reason);
      warnOfTexts(kind, fields, line, names, warn);
      warnOfSpaces(kind, fields, warn);
      warnOfGender(fields, warn);
      warnOfDates(kind, fields, warn);
      warnOfImages(kind, fields, warn);
      for (const { field, sign } of formulaFields(fields)) {
        const reason = `starts with ${JSON.stringify(sign)}: a spreadsheet may evaluate it as a formula`;
        warn('formula', field, reason);
      }
      if (kind === 'location') {
        const [latitude, longitude] = [fields['latitude'], fields['longitude']].map(String);
        if (latitude && longitude) {
          if (Number(latitude) === 0 && Number(longitude) === 0) {
            warn(
              'coordinates-zero',
              'latitude',
              'is 0, and the longitude is 0 too: a point in the sea off Ghana',
            );
          } else swaps.add(Number(latitude), Number(longitude), line);
        }
      }
    },
    finish() {
      for (const line of swaps.find()) {
        const reason = 'is far from the other locations; latitude and longitude may be swapped';
        warnings.add('coordinates-swapped', kind, line, 'latitude', reason);
      }
    },
  };
}

function warnOfTexts(
  kind: Kind,
  fields: Readonly<Record<string, unknown>>,
  line: number,
  names: NameTable,
  warn: Warn,
): void {
  const { name, html, all } = MULTILINGUAL[kind];
  const own = textIn(fields, name.nl) || textIn(fields, name.en);
  if (own === '') warn('no-name', name.nl, `is empty, and ${name.en} too: the record has no name`);
  else {
    const other = names.add(own, line);
    if (other !== undefined) warn('same-name', name.nl, `"${own}" is also the name of another ${kind}`);
  }
  warnOfHtml(fields, html.nl, warn);
  warnOfHtml(fields, html.en, warn);
  const withoutEnglish = all.filter(({ nl, en }) => fields[nl] && !fields[en]);
  if (withoutEnglish[0]) {
    const list = listOf(withoutEnglish.map(({ en }) => en));
    warn('no-english', withoutEnglish[0].en, `is empty, but there is a Dutch text${list}`);
  }
  const withoutDutch = all.filter(({ nl, en }) => fields[en] && !fields[nl]);
  if (withoutDutch[0]) {
    const list = listOf(withoutDutch.map(({ nl }) => nl));
    const { field } = withoutDutch[0];
    warn(
      'no-dutch',
      withoutDutch[0].nl,
      `is empty, so that ${field} is "" in Dutch; there is an English text${list}`,
    );
  }
}

/** The fields in parentheses, if there are several. */
function listOf(fields: readonly string[]): string {
  return fields.length > 1 ? ` (${fields.join(', ')})` : '';
}

/** The names of each kind, in which a space at an end is not seen. */
const NAMES = ['first_name', 'infix', 'last_name'];

function warnOfSpaces(kind: Kind, fields: Readonly<Record<string, unknown>>, warn: Warn): void {
  const { nl, en } = MULTILINGUAL[kind].name;
  for (const field of [nl, en, ...NAMES]) {
    const name = textIn(fields, field);
    if (name === name.trim()) continue;
    const end = name === name.trimEnd() ? 'begins' : 'ends';
    warn('spaces', field, `${end} with a space: ${JSON.stringify(name)}`);
  }
}

/** Other words for the values of `gender` that search, facets and pages of archives use. */
const GENDERS = new Map(
  Object.entries({
    male: ['male', 'm', 'man', 'mannelijk', 'heer'],
    female: ['female', 'f', 'v', 'vrouw', 'vrouwelijk', 'woman', 'w', 'mevrouw'],
  }).flatMap(([gender, words]) => words.map((word) => [word, gender] as const)),
);

function warnOfGender(fields: Readonly<Record<string, unknown>>, warn: Warn): void {
  const given = textIn(fields, 'gender');
  const gender = GENDERS.get(given.trim().toLowerCase());
  if (gender !== undefined && gender !== given) warn('gender', 'gender', `is "${given}"; expected ${gender}`);
}

function warnOfHtml(fields: Readonly<Record<string, unknown>>, field: string, warn: Warn): void {
  const text = textIn(fields, field);
  if (text === '') return;
  if (hasScript(text)) warn('script', field, 'contains a script, which sites that show it would run');
  const excess = excessOfHtml(text);
  if (excess) warn('too-much-markup', field, `${excess}: pages show it as plain text`);
  const mark = markWithoutNote(text);
  const tag = WRITTEN_TAG.exec(text)?.[1];
  if (tag) {
    warn(
      'tags-as-text',
      field,
      `shows the tag <${tag}> to readers, as HTML in Markdown or plain text is not HTML`,
    );
  }
  if (mark) warn('footnote-missing', field, `has the footnote mark ${mark} without a footnote of that name`);
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

function warnOfDates(kind: Kind, fields: Readonly<Record<string, unknown>>, warn: Warn): void {
  for (const { name, type } of RECORD_COLUMN_FIELDS[kind]) {
    if (type !== 'date' || !fields[name]) continue;
    const reason = doubtOf(textIn(fields, name));
    if (reason) warn('date-unlikely', name, reason);
  }
  for (const [begin, end] of PERIODS) {
    const [first, last] = [fields[begin], fields[end]];
    if (typeof first === 'string' && typeof last === 'string' && last < first) {
      warn('dates-reversed', end, `${last} is before ${begin}, ${first}`);
    }
  }
}

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

function warnOfImages(kind: Kind, fields: Readonly<Record<string, unknown>>, warn: Warn): void {
  for (const { field, path } of picturesOf(kind, fields)) {
    const reason = faultInAddress(path);
    if (reason) warn('image-address', field, reason);
  }
  const image = fields[IMAGE_FIELD[kind]];
  if (!isFile(image)) return;
  const field = `${IMAGE_FIELD[kind]}.`;
  if (!image.url && !image.path) warn('image-address', `${field}url`, 'is empty: the image has no URL');
  if (!image.alt) warn('image-rights', `${field}alt`, 'is empty: the image has no credit line');
  else if (!image.author && !image.copyright) {
    warn('image-rights', `${field}copyright`, 'is empty, and author too: the image has no licence');
  }
}

/** The addresses of a record's image and files, each with its field. */
export function picturesOf(
  kind: Kind,
  fields: Readonly<Record<string, unknown>>,
): { field: string; path: string }[] {
  const files = Array.isArray(fields['files']) ? fields['files'] : [];
  const all = [
    [IMAGE_FIELD[kind], fields[IMAGE_FIELD[kind]]] as const,
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
 * them as CSV: field name and first character.
 */
function* formulaFields(
  fields: Readonly<Record<string, unknown>>,
  within = '',
): Generator<{ field: string; sign: string }> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') {
      const text = value.startsWith('<') ? value.slice(0, HEAD).replace(TAGS, '') : value;
      if (isFormula(text)) yield { field: within + name, sign: text.charAt(0) };
    } else if (Array.isArray(value)) {
      for (const [place, one] of value.entries()) {
        if (isObject(one)) yield* formulaFields(one, `${within}${name}[${place}].`);
      }
    } else if (isObject(value)) yield* formulaFields(value, `${within}${name}.`);
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

/** Maps names to lines, to detect duplicates. Stores a 52-bit hash instead of the name, to save memory. */
class NameTable {
  readonly #lines = new Map<number, number>();

  /** Adds a name; returns the line of an earlier record with the same name, if any. */
  add(name: string, line: number): number | undefined {
    const key = hash(name);
    const known = this.#lines.get(key);
    if (known === undefined) this.#lines.set(key, line);
    return known;
  }
}

/** 26 bits each of two FNV-1a hashes: 10,000,000 names collide in about one of a hundred archives. */
function hash(text: string): number {
  let one = 0x811c9dc5;
  let two = 0x2f0b4c47;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x5bd1e995);
  }
  return ((one >>> 6) & 0x3ffffff) * 0x4000000 + ((two >>> 6) & 0x3ffffff);
}

/** Degrees from the median beyond which a location is far away; within half of it, it is near. */
const FAR = 20;

/** Minimum number of locations for a meaningful median. */
const ENOUGH = 3;

/** Finds locations that are far from the median, but near it with latitude and longitude swapped. */
function createSwapCheck() {
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  const lines: number[] = [];
  return {
    add(latitude: number, longitude: number, line: number): void {
      latitudes.push(latitude);
      longitudes.push(longitude);
      lines.push(line);
    },
    /** The lines of the locations that are probably swapped. */
    find(): number[] {
      if (lines.length < ENOUGH) return [];
      const [latitude, longitude] = [median(latitudes), median(longitudes)];
      const distance = (a: number, b: number) => Math.max(Math.abs(a - latitude), Math.abs(b - longitude));
      return lines.filter((_, place) => {
        const [a = 0, b = 0] = [latitudes[place], longitudes[place]];
        return distance(a, b) > FAR && distance(b, a) < FAR / 2;
      });
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
