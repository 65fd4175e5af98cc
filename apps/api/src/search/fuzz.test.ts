import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../testing/random.ts';
import { randomQuery } from '../../testing/random-query.ts';
import {
  buildSearchIndex,
  type IndexedRecord,
  openSearchIndex,
  parseQuery,
  QueryError,
  type SearchIndex,
} from './index.ts';

// `npm run campaign -- fuzz` asks 10,000 of two servers.
const QUERIES = 3_000;
const RECORDS = 500;

async function* records(): AsyncGenerator<IndexedRecord> {
  const random = createRandom(1);
  for (let position = 1; position <= RECORDS; position++) {
    const text = randomQuery(random);
    const record = {
      id: position,
      title_nl: text,
      last_name: text,
      birth_date: '1650-01-01',
      content_nl: text,
    };
    yield { kind: 'person', position, record };
  }
}

let folder: string;
let index: SearchIndex;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-fuzz-'));
  await buildSearchIndex(join(folder, 'index.sqlite'), records());
  index = await openSearchIndex(join(folder, 'index.sqlite'));
});

afterAll(async () => {
  await index.close();
  await rm(folder, { recursive: true });
});

/** The answer to a query as text, or the reason of its refusal. */
async function outcome(q: string): Promise<string> {
  try {
    return JSON.stringify(await index.search(parseQuery(q), 0, 10));
  } catch (error) {
    if (error instanceof QueryError) return error.fault.reason;
    throw error;
  }
}

it(`answers or refuses each of ${QUERIES} random queries, and the same way again`, async () => {
  const random = createRandom(2);
  const outcomes = new Map<string, string>();
  for (let n = 0; n < QUERIES; n++) {
    const q = randomQuery(random);
    outcomes.set(q, await outcome(q));
  }
  for (const [q, first] of outcomes) expect(await outcome(q)).toBe(first);

  const all = [...outcomes.values()];
  const found = all.filter((answer) => answer.startsWith('{') && !answer.startsWith('{"count":0,'));
  expect(found.length).toBeGreaterThan(QUERIES / 100);
  for (const reason of [
    'unknown-field',
    'empty-value',
    'nothing-searchable',
    'too-long',
    'malformed-range',
  ]) {
    expect(all).toContain(reason);
  }
}, 60_000);
