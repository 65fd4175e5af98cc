import { IMAGE_FIELD } from '@archiefkast/formats/table-columns';
import type { Kind } from '@archiefkast/types';
import type { BundleFile, BundleRecord } from '../record-schemas.ts';
import { hasScript, markWithoutNote } from './html-warnings.ts';
import { NameTable } from './name-table.ts';
import { createSwapCheck } from './swapped-coordinates.ts';
import type { WarningCode, WarningList } from './warning-list.ts';

/** Looks at the records of a kind, one after the other, for what may be wrong. `finish` looks at all of them. */
export interface Warner<K extends Kind> {
  look(record: BundleRecord[K], line: number): void;
  finish(): void;
}

type Warn = (code: WarningCode, field: string | undefined, reason: string) => void;

/** The fields of each kind with texts, by their names without a language: the name first, then those with HTML. */
const TEXTS: Readonly<Record<Kind, { name: string; html: string }>> = {
  person: { name: 'title', html: 'content' },
  subject: { name: 'name', html: 'description' },
  location: { name: 'name', html: 'content' },
  event: { name: 'name', html: 'content' },
};

/** What may be wrong with the records of a kind goes to `warnings`. */
export function createWarner<K extends Kind>(kind: K, warnings: WarningList): Warner<K> {
  const names = new NameTable();
  const swaps = createSwapCheck();
  return {
    look(record, line) {
      const fields: Readonly<Record<string, unknown>> = record;
      const warn: Warn = (code, field, reason) => warnings.add(code, kind, line, field, reason);
      warnOfTexts(kind, fields, line, names, warn);
      warnOfDates(fields, warn);
      warnOfImages(kind, fields, warn);
      if (kind === 'location') {
        const [latitude, longitude] = [fields['latitude'], fields['longitude']].map(String);
        if (latitude && longitude) {
          if (Number(latitude) === 0 && Number(longitude) === 0) {
            warn(
              'coordinates-zero',
              'latitude',
              'is 0, and so is the longitude: a place in the sea off Ghana',
            );
          } else swaps.add(Number(latitude), Number(longitude), line);
        }
      }
    },
    finish() {
      for (const line of swaps.find()) {
        const reason = 'lies far from the other locations, and near them when swapped with the longitude';
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
  const { name, html } = TEXTS[kind];
  const nameNl = String(fields[`${name}_nl`] ?? '');
  const own = nameNl || String(fields[`${name}_en`] ?? '');
  if (own === '') warn('no-name', `${name}_nl`, `is empty, and so is ${name}_en: it has no name`);
  else {
    const other = names.add(own, line);
    if (other !== undefined) warn('same-name', `${name}_nl`, `"${own}" is the name of another ${kind} too`);
  }
  for (const language of ['nl', 'en']) {
    const field = `${html}_${language}`;
    const text = String(fields[field] ?? '');
    if (text === '') continue;
    if (hasScript(text)) warn('script', field, 'holds a script, which sites that show it would run');
    const mark = markWithoutNote(text);
    if (mark) warn('footnote-missing', field, `has the footnote mark ${mark}, and no note of that name`);
  }
  const missing = [name, html, 'summary'].filter((each) => fields[`${each}_nl`] && !fields[`${each}_en`]);
  if (missing.length > 0) {
    const list = missing.map((each) => `${each}_en`).join(', ');
    warn(
      'no-english',
      `${missing[0]}_en`,
      `is empty, where there is Dutch${missing.length > 1 ? ` (${list})` : ''}`,
    );
  }
}

function warnOfDates(fields: Readonly<Record<string, unknown>>, warn: Warn): void {
  for (const [begin, end] of [
    ['birth_date', 'death_date'],
    ['date_start', 'date_end'],
  ] as const) {
    const [first, last] = [fields[begin], fields[end]];
    if (typeof first === 'string' && typeof last === 'string' && last < first) {
      warn('dates-reversed', end, `${last} is before ${begin}, ${first}`);
    }
  }
}

function warnOfImages(kind: Kind, fields: Readonly<Record<string, unknown>>, warn: Warn): void {
  const image = fields[IMAGE_FIELD[kind]];
  if (!isFile(image)) return;
  const field = `${IMAGE_FIELD[kind]}.`;
  if (!image.url && !image.path) warn('image-address', `${field}url`, 'is empty: the image has no address');
  if (!image.alt) warn('image-rights', `${field}alt`, 'is empty: the image has no credit line');
  else if (!image.author && !image.copyright) {
    warn('image-rights', `${field}copyright`, 'is empty, and so is author: the image has no licence');
  }
}

function isFile(value: unknown): value is BundleFile {
  return typeof value === 'object' && value !== null && 'alt' in value;
}
