import { DatabaseSync } from 'node:sqlite';
import { COLLECTIONS, KINDS } from '@archive/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { ENGINES } from '../support/test-database.ts';

const FIRST_ID = { person: 101, subject: 1, location: 201, event: 301 } as const;

const PATHS = [
  ...KINDS.flatMap((kind) => [
    `/en/api/${COLLECTIONS[kind]}`,
    `/nl/api/${COLLECTIONS[kind]}?page=2`,
    `/en/api/${COLLECTIONS[kind]}/${uuidOf(kind, FIRST_ID[kind])}`,
  ]),
  '/en/api/search',
  '/en/api/search?page=4',
  '/en/api/search?page=6',
  '/en/api/search?q=last_name:nummer&page=2',
  '/en/api/search?q=city:leiden',
  '/en/api/search?q=name:e',
  '/en/api/search?q=saturnus',
  '/en/api/search?q=nobody',
];

describe.each(ENGINES)('statements of a request (%s)', (engine) => {
  let api: CountedApi;
  beforeAll(async () => {
    api = await startCountedApi({ engine });
  });
  afterAll(() => api?.stop());

  test.each(PATHS)('%s: at most 4, without OFFSET and COUNT', async (path) => {
    api.statements.length = 0;
    const response = await fetch(api.origin + path);
    expect(response.status).toBe(200);
    await response.text();
    expect(api.statements.length).toBeLessThanOrEqual(4);
    for (const sql of api.statements) expect(sql).not.toMatch(/\boffset\b|\bcount\s*\(/i);
  });

  test('they are counted: a page of events takes some', async () => {
    api.statements.length = 0;
    await (await fetch(`${api.origin}/nl/api/events`)).text();
    expect(api.statements.length).toBeGreaterThanOrEqual(1);
  });
});

/** What SQLite looks up in a table, as it says so itself: the columns of the key that lead to the rows. */
const LOOK_UPS: Record<string, string> = {
  editions: 'rowid=?',
  records: 'edition=? AND kind=? AND uuid=?',
  texts: 'edition=? AND language=? AND form=? AND position=?',
  links: 'edition=? AND source_form=? AND source=?',
};

describe('statements of a request on SQLite', () => {
  let api: CountedApi;
  let database: DatabaseSync;
  beforeAll(async () => {
    api = await startCountedApi({ engine: 'sqlite' });
    database = new DatabaseSync(api.database.url.slice('sqlite:'.length), { readOnly: true });
  });
  afterAll(async () => {
    database?.close();
    await api?.stop();
  });

  test.each(PATHS)('%s: every row is found by its whole key', async (path) => {
    api.statements.length = 0;
    await (await fetch(api.origin + path)).text();
    const steps = api.statements.flatMap((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    );
    for (const step of steps.filter((each) => !/^(MULTI-INDEX OR|INDEX \d+)$/.test(each))) {
      const [, table = '', key] = /^SEARCH (\w+) USING .*\((.*)\)/.exec(step) ?? [];
      expect(key, step).toBe(LOOK_UPS[table] ?? `a look-up in ${table}`);
    }
  });
});
