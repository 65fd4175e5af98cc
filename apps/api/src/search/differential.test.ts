import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archive/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fold } from './fold.ts';
import {
  buildSearchIndex,
  type Clause,
  type IndexedRecord,
  openSearchIndex,
  parseQuery,
  SEARCH_FIELDS,
  type SearchIndex,
} from './index.ts';
import { recordText } from './record-text.ts';
import { wordsOf } from './words.ts';

const SAMPLE = new URL('../../sample/', import.meta.url);
const QUERIES = 2_000;

let folder: string;
let index: SearchIndex;
const archive: IndexedRecord[] = [];
/** The text columns of each record. */
const texts = new Map<IndexedRecord, string[]>();

beforeAll(async () => {
  for (const kind of KINDS) {
    const lines = (await readFile(new URL(`${COLLECTIONS[kind]}.jsonl`, SAMPLE), 'utf8')).trim().split('\n');
    archive.push(...lines.map((line, row) => ({ kind, position: row + 1, record: JSON.parse(line) })));
  }
  for (const found of archive)
    texts.set(found, Object.values(recordText(found.kind, found.record)).map(wordsInValues));
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

/** The words of a column, with two spaces between the values in it. */
function wordsInValues(column: string): string {
  return column
    .split('\u{f8ff}')
    .map((value) => ` ${wordsOf(value).join(' ')} `)
    .join(' ');
}

/** Whether a clause holds for a record, by a look at the record. */
function holds(clause: Clause, found: IndexedRecord): boolean {
  const { kind, record } = found;
  if (clause.type === 'kind') return kind === clause.kind;
  if (clause.type === 'text') {
    const columns = texts.get(found) ?? [];
    return clause.phrases.every((phrase) => columns.some((column) => column.includes(` ${phrase} `)));
  }
  const field = SEARCH_FIELDS.find(({ name }) => name === clause.field);
  if (!field?.kinds.includes(kind)) return false;
  return field.columns.some((column) => {
    const value = fold(String(record[column] ?? ''));
    if (clause.type === 'value')
      return field.matching === 'whole' ? value === clause.value : value.includes(clause.value);
    const day = Number(value.replaceAll('-', ''));
    return day > 0 && day >= clause.range.from && day <= clause.range.to;
  });
}

/** A walk over the archive that always takes the same way: a number below `limit` for every step. */
function createWalk(): (limit: number) => number {
  let step = 0;
  return (limit) => {
    step += 1;
    return Math.floor(Math.abs(Math.sin(step) * 1e6) % limit);
  };
}

/** A clause about something that a record has, so that there is something to find. */
function makeClause(walk: (limit: number) => number): string {
  const found = archive[walk(archive.length)];
  if (!found) throw new RangeError('expected an archive with records');
  const fields = SEARCH_FIELDS.filter(
    ({ kinds, matching }) => kinds.includes(found.kind) && matching !== 'kind',
  );
  const field = fields[walk(fields.length)];
  const value = String(found.record[field?.columns[0] ?? ''] ?? '');
  const words = wordsOf(texts.get(found)?.join(' ') ?? '');
  const at = walk(words.length);
  switch (walk(8)) {
    case 0:
      return `kind:${found.kind}`;
    case 1:
      return `birth_date:${1550 + walk(100)}..${1650 + walk(100)}`;
    case 2:
      return `"${words.slice(at, at + 2).join(' ')}"`;
    case 3:
    case 4:
      return words[at] ?? '';
    default: {
      const start = walk(value.length);
      const part = field?.matching === 'whole' ? value : value.slice(start, start + 1 + walk(6));
      return fold(part) === '' || part.includes('"') ? 'name:"e"' : `${field?.name}:"${part}"`;
    }
  }
}

it(`finds for ${QUERIES} queries what a look at every record finds`, async () => {
  const walk = createWalk();
  let hits = 0;
  for (let n = 0; n < QUERIES; n++) {
    const q = Array.from({ length: 1 + walk(2) }, () => makeClause(walk)).join(' ');
    const query = parseQuery(q);
    const expected = archive.filter((record) => query.clauses.every((clause) => holds(clause, record)));
    const found = await index.search(query, 0, archive.length);
    expect(found.count, q).toBe(expected.length);
    expect(new Set(found.hits.map(({ kind, position }) => `${kind} ${position}`)), q).toEqual(
      new Set(expected.map(({ kind, position }) => `${kind} ${position}`)),
    );
    hits += found.count;
  }
  expect(hits).toBeGreaterThan(10 * QUERIES);
}, 60_000);
