import { excessOfHtml } from '@archiefkast/formats/html-bounds';
import { IMAGE_FIELD } from '@archiefkast/formats/table-columns';
import type { Kind } from '@archiefkast/types';
import { MULTILINGUAL } from '../multilingual.ts';
import type { BundleFile, BundleRecord } from '../record-schemas.ts';
import { formulaFields } from './formula-warnings.ts';
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

const PERIODS = [
  ['birth_date', 'death_date'],
  ['date_start', 'date_end'],
] as const;

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
      for (const { field, sign } of formulaFields(fields)) {
        const reason = `begins with ${JSON.stringify(sign)}: a spreadsheet that opens it as CSV may compute it`;
        warn('formula', field, reason);
      }
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
  const { name, html, all } = MULTILINGUAL[kind];
  const own = textIn(fields, name.nl) || textIn(fields, name.en);
  if (own === '') warn('no-name', name.nl, `is empty, and so is ${name.en}: it has no name`);
  else {
    const other = names.add(own, line);
    if (other !== undefined) warn('same-name', name.nl, `"${own}" is the name of another ${kind} too`);
  }
  warnOfHtml(fields, html.nl, warn);
  warnOfHtml(fields, html.en, warn);
  const missing = all.filter(({ nl, en }) => fields[nl] && !fields[en]).map(({ en }) => en);
  const [first, ...more] = missing;
  if (first !== undefined) {
    const list = more.length > 0 ? ` (${missing.join(', ')})` : '';
    warn('no-english', first, `is empty, where there is Dutch${list}`);
  }
}

function warnOfHtml(fields: Readonly<Record<string, unknown>>, field: string, warn: Warn): void {
  const text = textIn(fields, field);
  if (text === '') return;
  if (hasScript(text)) warn('script', field, 'holds a script, which sites that show it would run');
  const excess = excessOfHtml(text);
  if (excess) warn('too-much-markup', field, `${excess}: pages show it as plain text`);
  const mark = markWithoutNote(text);
  if (mark) warn('footnote-missing', field, `has the footnote mark ${mark}, and no note of that name`);
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

function warnOfDates(fields: Readonly<Record<string, unknown>>, warn: Warn): void {
  for (const [begin, end] of PERIODS) {
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
