import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { KINDS } from '@archiefkast/types';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  buildSearchIndex,
  endsBetween,
  FACETS,
  type IndexedRecord,
  type Order,
  parseQuery,
  updateSearchIndex,
} from './index.ts';
import { IndexReader } from './read/index-reader.ts';
import { RecordGraph } from './read/record-graph.ts';

const UUID = '10000000-0000-4000-8000-000000000001';
const RECORDS: readonly IndexedRecord[] = KINDS.map((kind) => ({ kind, record: { id: 1, uuid: UUID } }));

const QUERIES = [
  'jan',
  '"jan vos" schil*',
  'content:jan',
  'last_name:vos',
  'id:1',
  'uuid:1000',
  'place:delft',
  'kind:event city:delft',
  'near:52,4,1km',
  'within:52,4,53,5',
  'birth_date:1620..1650',
  `person:${UUID}`,
  'subject:1',
  `under:${UUID}`,
  'location:1',
];
const ORDERS: readonly Order[] = ['name_nl', 'name_en', 'date', '-date', 'id'];

async function* each(records: readonly IndexedRecord[]): AsyncGenerator<IndexedRecord> {
  yield* records;
}

let folder: string;
/** The steps of the plan of each statement. */
const plans = new Map<string, string[]>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-plans-'));
  const [base, file] = [join(folder, 'base.sqlite'), join(folder, 'index.sqlite')];
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const statements = new Set<string>();
  try {
    await buildSearchIndex(base, each(RECORDS));
    await updateSearchIndex(file, base, { earlier: each(RECORDS), records: each(RECORDS) });
    const reader = new IndexReader(file, 2 ** 20);
    reader.warm();
    for (const q of QUERIES) reader.search(parseQuery(q), 0, 10);
    for (const order of ORDERS) reader.search({ ...parseQuery('jan'), order }, 0, 10);
    reader.facets(parseQuery('kind:event'), FACETS, 'en', 10);
    reader.suggest({ language: 'en' }, 'j', 10);
    reader.nearest([{ word: 'rembrand', column: 'name' }]);
    using database = new DatabaseSync(file, { readOnly: true });
    const graph = new RecordGraph(database, reader.readGraph());
    graph.related(endsBetween('person', 'event'), 1);
    graph.card('person', 1);
    reader.close();
    for (const [sql] of prepare.mock.calls) statements.add(sql);
  } finally {
    prepare.mockRestore();
  }
  using database = new DatabaseSync(file);
  database.exec(`
    CREATE TEMP TABLE named (
      number INTEGER PRIMARY KEY, relation INTEGER, source INTEGER, place INTEGER, kind INTEGER, uuid TEXT, id INTEGER
    );
    CREATE VIRTUAL TABLE temp.word USING fts5vocab (main, text, row)`);
  for (const sql of statements) {
    if (sql.startsWith('PRAGMA')) continue;
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    plans.set(
      sql.replace(/\s+/g, ' ').trim(),
      steps.map(({ detail }) => String(detail)),
    );
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** The statements with a step like this. */
function withStep(pattern: RegExp): string[] {
  return [...plans].flatMap(([sql, steps]) => (steps.some((step) => pattern.test(step)) ? sql : []));
}

test('no statement of builds, updates, searches and pages reads a whole table without its index', () => {
  expect(plans.size).toBeGreaterThan(30);
  expect(withStep(/^SCAN (record|value|reference)(?!.* USING COVERING INDEX)/)).toEqual([]);
});

test('words are looked up in the index of words', () => {
  expect(withStep(/^SCAN text .* INDEX 0:M\d$/)).toHaveLength(3);
  expect(withStep(/^SCAN text .* INDEX (?!0:M\d$)/)).toEqual([]);
  expect(withStep(/^SCAN temp.word .* INDEX [1-9]/)).toHaveLength(1);
});

test('only what is kept of a relation reads all of its references', () => {
  const whole = withStep(/^SEARCH reference .*\(relation=\?\)/);
  expect(whole).toHaveLength(2);
  expect(whole.every((sql) => sql.endsWith('WHERE relation = ? ORDER BY source, target)'))).toBe(true);
});
