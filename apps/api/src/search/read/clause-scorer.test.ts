import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookUpReferences } from '../../../testing/look-up-references.ts';
import { type IndexedRecord, type RecordText, recordText } from '../build/record-values.ts';
import { buildSearchIndex } from '../build/write-index.ts';
import { fold, wordsOf } from '../fields/fold.ts';
import { TEXT_COLUMNS } from '../file/index-file.ts';
import { type Clause, parseQuery, type Query, QueryError, SEARCH_FIELDS } from '../index.ts';
import type { Circle } from '../query/query.ts';
import { openSearchIndex } from '../thread/open-index.ts';
import type { SearchIndex } from '../thread/search-index.ts';

const SAMPLE = new URL('../../../sample/', import.meta.url);
const QUERIES = 1_000;

let folder: string;
let index: SearchIndex;
const archive: (IndexedRecord & { position: number })[] = [];
/** The words of the text columns of each record. */
const texts = new Map<IndexedRecord, RecordText>();

beforeAll(async () => {
  for (const kind of KINDS) {
    const lines = (await readFile(new URL(`${COLLECTIONS[kind]}.jsonl`, SAMPLE), 'utf8')).trim().split('\n');
    archive.push(...lines.map((line, row) => ({ kind, position: row + 1, record: JSON.parse(line) })));
  }
  folder = await mkdtemp(join(tmpdir(), 'archive-differential-'));
  await buildSearchIndex(join(folder, 'index.sqlite'), inOrder(archive));
  index = await openSearchIndex(join(folder, 'index.sqlite'));
});

afterAll(async () => {
  await index.close();
  await rm(folder, { recursive: true });
});

async function* inOrder(records: readonly IndexedRecord[]): AsyncGenerator<IndexedRecord> {
  yield* records;
}

function wordsOfRecord(found: IndexedRecord): RecordText {
  const known = texts.get(found);
  if (known) return known;
  const text = recordText(found.kind, found.record);
  for (const column of TEXT_COLUMNS) text[column.name] = wordsInValues(text[column.name]);
  texts.set(found, text);
  return text;
}

/** The words of a column, with two spaces between the values in it. */
function wordsInValues(column: string): string {
  return column
    .split('\u{f8ff}')
    .map((value) => ` ${wordsOf(value).join(' ')} `)
    .join(' ');
}

/** Whether a record matches a clause, computed from the record itself. */
function holds(clause: Clause, found: IndexedRecord): boolean {
  const { kind, record } = found;
  switch (clause.type) {
    case 'kind':
      return kind === clause.kind;
    case 'text':
    case 'words': {
      const { body, footnotes, summary, ...others } = wordsOfRecord(found);
      const ofField = { content: [body, footnotes], summary: [summary] };
      const columns =
        clause.type === 'words'
          ? ofField[clause.field === 'summary' ? 'summary' : 'content']
          : [body, footnotes, summary, ...Object.values(others)];
      return clause.phrases.every((phrase) => {
        const wanted = phrase.endsWith('*') ? ` ${phrase.slice(0, -1)}` : ` ${phrase} `;
        return columns.some((column) => column.includes(wanted));
      });
    }
    case 'name':
      return ['title_nl', 'title_en', 'name_nl', 'name_en'].some(
        (field) => fold(String(record[field] ?? '')) === clause.name,
      );
    case 'any':
      return clause.clauses.some((each) => holds(each, found));
    case 'at-location': {
      const location = locationOf(found);
      return location !== undefined && holds(clause.clause, location);
    }
    case 'place': {
      const place = kind === 'event' ? locationOf(found) : found;
      return (
        PLACE_FIELDS[place?.kind ?? 'subject']?.some((field) => isMatch(clause, place?.record[field])) ??
        false
      );
    }
    case 'reference':
      return lookUpReferences(archive, clause.field, clause.record).has(String(record['uuid']));
    case 'near':
      return kind === 'location' && metresTo(record, clause.circle) <= clause.circle.metres;
    case 'within': {
      const { south, west, north, east } = clause.box;
      const [latitude, longitude] = [Number(record['latitude']), Number(record['longitude'])];
      const isInside = latitude >= south && latitude <= north && longitude >= west && longitude <= east;
      return kind === 'location' && isInside;
    }
    default:
      return hasValue(clause, found);
  }
}

const PLACE_FIELDS: Readonly<Partial<Record<Kind, string[]>>> = {
  person: ['birth_place', 'birth_country', 'death_place', 'death_country'],
  location: ['name_nl', 'name_en', 'street', 'zipcode', 'city', 'state', 'land'],
};

/** The location of an event. */
function locationOf({ kind, record }: IndexedRecord): IndexedRecord | undefined {
  if (kind !== 'event' || !record['location']) return undefined;
  return archive.find(
    (each) => each.kind === 'location' && String(record['location']).includes(String(each.record['uuid'])),
  );
}

/** Whether a value contains the one of a clause, or equals it. */
function isMatch(clause: { value: string; whole?: true }, value: unknown): boolean {
  const folded = fold(String(value ?? ''));
  return clause.whole ? folded === clause.value : folded.includes(clause.value);
}

function hasValue(
  clause: Extract<Clause, { type: 'value' | 'range' }>,
  { kind, record }: IndexedRecord,
): boolean {
  const field = SEARCH_FIELDS.find(({ name }) => name === clause.field);
  if (!field?.kinds.includes(kind)) return false;
  if (field.name === 'has') {
    const images = [record['image'], record['main_image']];
    if (clause.type === 'value' && clause.value === 'image') return images.some((image) => image != null);
    if (clause.type === 'value' && clause.value === 'coordinates') return Boolean(record['latitude']);
    return Object.entries(record).some(([name, value]) => /_en$/.test(name) && Boolean(value));
  }
  if (field.name === 'century') {
    const dates = kind === 'person' ? ['birth_date', 'death_date'] : ['date', 'date_start', 'date_end'];
    const years = dates
      .filter((name) => record[name])
      .map((name) => Number(String(record[name]).slice(0, 4)));
    const century = clause.type === 'value' ? Number(clause.value) : 0;
    return Math.min(...years) <= century * 100 && Math.max(...years) > (century - 1) * 100;
  }
  return field.columns.some((column) => {
    if (clause.type === 'value') {
      const isWhole = /whole|number/.test(field.matching) || clause.whole;
      return isMatch({ value: clause.value, ...(isWhole && { whole: true }) }, record[column]);
    }
    const day = Number(String(record[column] ?? '').replaceAll('-', ''));
    return day > 0 && day >= clause.range.from && day <= clause.range.to;
  });
}

/** The distance of a record from the centre of a circle, by the law of cosines. */
function metresTo(record: IndexedRecord['record'], { latitude, longitude }: Circle): number {
  if (!record['latitude']) return Number.NaN;
  const radians = (degrees: unknown) => (Number(degrees) * Math.PI) / 180;
  const [a, b] = [radians(latitude), radians(record['latitude'])];
  const between = radians(longitude) - radians(record['longitude']);
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(between);
  return 6_371_008.8 * Math.acos(Math.min(1, cosine));
}

/** A reproducible sequence of numbers below `limit`. */
function createWalk(): (limit: number) => number {
  let step = 0;
  return (limit) => {
    step += 1;
    return Math.floor(Math.abs(Math.sin(step) * 1e6) % limit);
  };
}

/** A clause with a value of a random record, so that it has hits. */
function makeClause(walk: (limit: number) => number): string {
  const found = archive[walk(archive.length)];
  if (!found) throw new RangeError('expected an archive with records');
  const fields = SEARCH_FIELDS.filter(
    ({ kinds, matching }) => kinds.includes(found.kind) && /contains|whole|number|date/.test(matching),
  );
  const field = fields[walk(fields.length)];
  const value = String(found.record[field?.columns[0] ?? ''] ?? '');
  const words = wordsOf(Object.values(wordsOfRecord(found)).join(' '));
  const at = walk(words.length);
  switch (walk(18)) {
    case 0:
      return `kind:${found.kind}`;
    case 1:
      return `birth_date:${1550 + walk(100)}..${1650 + walk(100)}`;
    case 2:
      return `"${words.slice(at, at + 2).join(' ')}"`;
    case 3: {
      const references = SEARCH_FIELDS.filter(({ matching }) => matching === 'reference');
      return `${references[walk(references.length)]?.name}:${found.record['uuid']}`;
    }
    case 4:
      return `century:${15 + walk(6)}`;
    case 5:
      return `has:${['image', 'coordinates', 'english'][walk(3)]}`;
    case 6:
      return `near:${51.5 + walk(20) / 10},${4 + walk(20) / 10},${1 + walk(90)}km`;
    case 7:
      return `within:${51 + walk(10) / 10},${4 + walk(10) / 10},${52 + walk(20) / 10},${5 + walk(20) / 10}`;
    case 8:
      return `${['content', 'summary'][walk(2)]}:"${words.slice(at, at + 1 + walk(2)).join(' ')}"`;
    case 16:
      return `place:"${value.slice(0, 6).replaceAll('"', '') || 'leiden'}"`;
    case 17:
      return (words[at] ?? '').replace(/^(.{3}.?).*$/, '$1*');
    case 9:
    case 10:
    case 11:
      return words[at] ?? '';
    default: {
      const start = walk(value.length);
      const isWhole = /whole|number|date/.test(field?.matching ?? '') || walk(4) === 0;
      const part = isWhole ? value : value.slice(start, start + 1 + walk(6));
      if (fold(part) === '' || part.includes('"') || /^\s*=/.test(part)) return 'name:"e"';
      return `${field?.name}:${isWhole && field?.matching === 'contains' ? '=' : ''}"${part}"`;
    }
  }
}

/** One or two clauses, some excluded, or alternatives of an event or not. */
function makeQuery(walk: (limit: number) => number): string {
  if (walk(4) === 0) return `${walk(2) === 0 ? 'kind:event ' : ''}${makeClause(walk)} OR ${makeClause(walk)}`;
  const clauses = Array.from({ length: 1 + walk(2) }, () => (walk(5) === 0 ? '-' : '') + makeClause(walk));
  return clauses.join(' ');
}

/** The faults of queries that no record can match. */
const REFUSED = ['other-kind', 'kinds-apart', 'several-values', 'contradiction'];

/** The parsed query; undefined if no record can match it. */
function parsed(q: string): Query | undefined {
  try {
    return parseQuery(q);
  } catch (error) {
    if (error instanceof QueryError && REFUSED.includes(error.fault.reason)) return undefined;
    throw error;
  }
}

it(`finds the same records as a full scan, for ${QUERIES} queries`, async () => {
  const walk = createWalk();
  let hits = 0;
  for (let n = 0; n < QUERIES; n++) {
    const q = makeQuery(walk);
    const query = parsed(q);
    if (!query) continue;
    const expected = archive.filter(
      (record) =>
        query.clauses.every((clause) => holds(clause, record)) &&
        !query.excluded.some((clause) => holds(clause, record)),
    );
    const found = await index.search(query, 0, archive.length);
    expect(found.count, q).toBe(expected.length);
    expect(new Set(found.hits.map(({ kind, position }) => `${kind} ${position}`)), q).toEqual(
      new Set(expected.map(({ kind, position }) => `${kind} ${position}`)),
    );
    hits += found.count;
  }
  expect(hits).toBeGreaterThan(10 * QUERIES);
}, 60_000);
