import type { Kind } from '@archiefkast/types';
import { plainText, type RecordFields } from './record-fields.ts';

/** What a record may have, for `has:`. */
export const FEATURES = ['image', 'coordinates', 'english'] as const;

/** A date as archives write it. */
const DATE = /^(\d{4})-\d{2}-\d{2}$/;

/** The value of a search column of a record: of its field of that name, or what is made of others; several have spaces between them. */
export function columnValue(kind: Kind, record: RecordFields, column: string): string {
  if (column === 'century') return centuriesOf(kind, record);
  if (column === 'has') return featuresOf(record);
  return plainText(record[column]);
}

/** The numbers of the centuries (17 is 1601–1700) from the first to the last date of a record. */
function centuriesOf(kind: Kind, record: RecordFields): string {
  const fields = kind === 'person' ? ['birth_date', 'death_date'] : ['date', 'date_start', 'date_end'];
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const field of fields) {
    const year = DATE.exec(plainText(record[field]))?.[1];
    if (year === undefined) continue;
    const century = Math.max(1, Math.ceil(Number(year) / 100));
    first = Math.min(first, century);
    last = Math.max(last, century);
  }
  if (first >= last) return last === 0 ? '' : String(last);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).join(' ');
}

function featuresOf(record: RecordFields): string {
  const has: Record<(typeof FEATURES)[number], boolean> = {
    image: isObject(record['image']) || isObject(record['main_image']),
    coordinates: plainText(record['latitude']) !== '' && plainText(record['longitude']) !== '',
    english: hasEnglish(record),
  };
  return FEATURES.filter((feature) => has[feature]).join(' ');
}

function hasEnglish(record: RecordFields): boolean {
  for (const name in record) if (name.endsWith('_en') && plainText(record[name]) !== '') return true;
  return false;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
