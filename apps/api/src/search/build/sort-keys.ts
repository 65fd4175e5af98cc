import type { Kind, Language } from '@archiefkast/types/kinds';
import { fold } from '../fields/fold.ts';
import { plainText, type RecordFields } from '../fields/search-fields.ts';
import { UNDATED } from '../file/index-file.ts';

/** Sorts records without a name last. */
const NAMED = '1';
const NAMELESS = '2';

/** Separates the parts of a name, which are compared in order. */
const APART = '\u0001';

/** Numbers of up to this many digits are sorted by value. */
const DIGITS = 8;

/** The key by which a record is sorted by name: for a person last name, then first name. Keys are compared by code point. */
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
  const english = language === 'en' ? fold(plainText(record['name_en'])) : '';
  return english || fold(plainText(record['name_nl']));
}

function personName(record: RecordFields): string {
  const [last = '', first = '', title = ''] = ['last_name', 'first_name', 'title_nl'].map((name) =>
    fold(plainText(record[name])),
  );
  return last ? [last, first].join(APART) : first || title;
}
