import { type HtmlWords, htmlWords } from '@archiefkast/formats/html-words';
import { isObject } from '@archiefkast/types/internal/fields';
import type { Kind, Language } from '@archiefkast/types/kinds';
import { fold, indexedText, sortedText } from '../fields/fold.ts';
import { FEATURES, plainText, type RecordFields } from '../fields/search-fields.ts';
import { type TEXT_COLUMNS, UNDATED } from '../file/index-file.ts';

/** A published record to index. */
export interface IndexedRecord {
  kind: Kind;
  /** The record as in the API or a bundle, with `id` and `uuid`: references may be uuids, and embedded records are ignored. */
  record: RecordFields;
  /** What is known of its dates, where that is less than a day. */
  dates?: RecordFields | undefined;
}

/** A date as archives write it. */
const DATE = /^(\d{4})-\d{2}-\d{2}$/;

/** The value of a search column: the field of that name, or a derived value; several are separated by spaces. */
export function columnValue(kind: Kind, record: RecordFields, column: string): string {
  if (column === 'century') return centuriesOf(kind, record);
  if (column === 'has') return featuresOf(record);
  return plainText(record[column]);
}

/** Parses a number; null if it is none. */
export function numberOf(value: unknown): number | null {
  const number = Number(plainText(value) || Number.NaN);
  return Number.isNaN(number) ? null : number;
}

/** The centuries (17 is 1601–1700) from the first to the last date of a record. */
function centuriesOf(kind: Kind, record: RecordFields): string {
  const fields = kind === 'person' ? ['birth_date', 'death_date'] : ['date', 'date_start', 'date_end'];
  const years = fields.flatMap((field) => DATE.exec(plainText(record[field]))?.[1] ?? []);
  const centuries = years.map((year) => Math.max(1, Math.ceil(Number(year) / 100)));
  const [first, last] = [Math.min(...centuries), Math.max(0, ...centuries)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).join(' ');
}

function featuresOf(record: RecordFields): string {
  const has: Record<(typeof FEATURES)[number], boolean> = {
    image: isObject(record['image']) || isObject(record['main_image']),
    coordinates: plainText(record['latitude']) !== '' && plainText(record['longitude']) !== '',
    english: Object.keys(record).some((name) => name.endsWith('_en') && plainText(record[name]) !== ''),
  };
  return FEATURES.filter((feature) => has[feature]).join(' ');
}

/** The folded words of a record, by text column. */
export type RecordText = Record<(typeof TEXT_COLUMNS)[number]['name'], string>;

/** A private-use word between two texts, so that no phrase matches across them. */
export const APART = '\u{f8ff}';

interface TextFields {
  name: readonly string[];
  place: readonly string[];
  html: readonly string[];
}

const NAME = ['name_nl', 'name_en'];
const TITLE = ['title_nl', 'title_en'];
const SUMMARY = ['summary_nl', 'summary_en'];
const CONTENT = ['content_nl', 'content_en'];

/** The fields with one or more file objects. */
const FILES = ['image', 'main_image', 'pictures', 'files'];

/** The text fields of a file object. */
const CAPTION = ['name', 'title', 'description', 'alt', 'author', 'copyright'];

const TEXT_FIELDS: Record<Kind, TextFields> = {
  person: {
    name: [...TITLE, 'first_name', 'infix', 'last_name'],
    place: ['birth_place', 'birth_country', 'death_place', 'death_country'],
    html: CONTENT,
  },
  subject: { name: NAME, place: [], html: ['description_nl', 'description_en'] },
  location: { name: NAME, place: ['street', 'zipcode', 'city', 'state', 'land'], html: CONTENT },
  event: { name: NAME, place: [], html: CONTENT },
};

/** The words of a record in both languages. A name that is equal in both counts once. */
export function recordText(kind: Kind, record: RecordFields): RecordText {
  const fields = TEXT_FIELDS[kind];
  const html: HtmlWords[] = textsOf(record, fields.html).map(htmlWords);
  return {
    name: join(textsOf(record, fields.name)),
    summary: join(textsOf(record, SUMMARY)),
    place: join(textsOf(record, fields.place)),
    body: join(html.map((part) => part.text)),
    footnotes: join(html.map((part) => part.footnotes)),
    captions: join(captionsOf(record)),
  };
}

function textsOf(record: RecordFields, names: readonly string[]): string[] {
  return names.map((name) => plainText(record[name])).filter((text) => text !== '');
}

function captionsOf(record: RecordFields): string[] {
  const files = FILES.flatMap((name) => record[name]).filter(isObject);
  return files.flatMap((file) => textsOf(file, CAPTION)).map((text) => htmlWords(text).text);
}

/** Maximum length of a text that is searched for in earlier ones, which could otherwise take quadratic time. */
const LONGEST_SOUGHT = 250;

/** Folds and joins texts, without those contained in an earlier one, and with separators against matches across them. */
function join(texts: readonly string[]): string {
  let joined = '';
  const seen = new Set<string>();
  for (const text of texts) {
    const folded = indexedText(text);
    const isKnown = seen.has(folded) || (folded.length <= LONGEST_SOUGHT && joined.includes(` ${folded} `));
    if (joined === '') joined = ` ${folded} `;
    else if (!isKnown) joined += `${APART} ${folded} `;
    seen.add(folded);
  }
  return joined;
}

/** The fields of a card: what pages show of a record in lists, on time lines and under maps. */
const CARD_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  person: ['uuid', ...TITLE, ...SUMMARY, 'first_name', 'last_name', 'gender', 'birth_date', 'death_date'],
  subject: ['uuid', ...NAME, ...SUMMARY],
  location: ['uuid', ...NAME, ...SUMMARY, 'city', 'land', 'latitude', 'longitude'],
  event: ['uuid', ...NAME, ...SUMMARY, 'date', 'date_start', 'date_end'],
};

/** The card of a record as JSON, without empty fields. */
export function cardOf(kind: Kind, record: RecordFields): string {
  const card: Record<string, unknown> = {};
  for (const name of CARD_FIELDS[kind]) if (record[name]) card[name] = record[name];
  return JSON.stringify(card);
}

/** Sorts records without a name last. */
const NAMED = '1';
const NAMELESS = '2';

/** Separates the parts of a name, which are compared in order. */
const NEXT_PART = '\u0001';

/** Numbers of up to this many digits are sorted by value. */
const DIGITS = 8;

/**
 * The key by which a record is sorted by name: for a person last name, then first name; each from its first letter or digit.
 * Keys are compared by code point.
 */
export function nameKey(kind: Kind, record: RecordFields, language: Language): string {
  const name = nameOf(kind, record, language);
  return name === '' ? NAMELESS : NAMED + name.replace(/\d+/g, (digits) => digits.padStart(DIGITS, '0'));
}

/** The date of a record as a number YYYYMMDD: a person's birth, an event's date, first or last day. */
export function dayOf(kind: Kind, record: RecordFields): number {
  const fields = kind === 'person' ? ['birth_date'] : ['date', 'date_start', 'date_end'];
  const date = fields.map((name) => plainText(record[name])).find((text) => text !== '') ?? '';
  return Number(date.replaceAll('-', '')) || UNDATED;
}

function nameOf(kind: Kind, record: RecordFields, language: Language): string {
  if (kind === 'person') return personName(record);
  const english = language === 'en' ? sortedText(fold(plainText(record['name_en']))) : '';
  return english || sortedText(fold(plainText(record['name_nl'])));
}

function personName(record: RecordFields): string {
  const [last = '', first = '', title = ''] = ['last_name', 'first_name', 'title_nl'].map((name) =>
    sortedText(fold(plainText(record[name]))),
  );
  return last ? [last, first].join(NEXT_PART) : first || title;
}
