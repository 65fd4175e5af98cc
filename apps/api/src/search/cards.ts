import type { Kind } from '@archiefkast/types/kinds';
import type { RecordFields } from './record-fields.ts';

const NAMES = ['name_nl', 'name_en'];
const SUMMARIES = ['summary_nl', 'summary_en'];

/** The fields of a record that pages show where they name it: in lists, on time lines, under maps. */
const CARD_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  person: ['uuid', 'title_nl', 'title_en', ...SUMMARIES, 'birth_date', 'death_date'],
  subject: ['uuid', ...NAMES, ...SUMMARIES],
  location: ['uuid', ...NAMES, ...SUMMARIES, 'city', 'land', 'latitude', 'longitude'],
  event: ['uuid', ...NAMES, ...SUMMARIES, 'date', 'date_start', 'date_end'],
};

/** The card of a record as it is stored: JSON of those fields that are not empty. */
export function cardOf(kind: Kind, record: RecordFields): string {
  const card: Record<string, unknown> = {};
  for (const name of CARD_FIELDS[kind]) if (record[name]) card[name] = record[name];
  return JSON.stringify(card);
}
