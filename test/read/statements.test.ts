import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DatabaseSync } from 'node:sqlite';
import { COLLECTIONS, KINDS, PAGE_SEGMENTS } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { describeEngines } from '../support/test-database.ts';

const FIRST_ID = { person: 101, subject: 1, location: 201, event: 301 } as const;

/** Paths, and the least number of statements of each: no records means no statements. */
const PATHS: readonly [path: string, least: number][] = [
  ...KINDS.flatMap((kind): [string, number][] => [
    [`/en/api/${COLLECTIONS[kind]}`, 1],
    [`/nl/api/${COLLECTIONS[kind]}?page=2`, 1],
    [`/en/api/${COLLECTIONS[kind]}/${uuidOf(kind, FIRST_ID[kind])}`, 1],
  ]),
  ['/en/api/search', 1],
  ['/en/api/search?page=4', 1],
  ['/en/api/search?page=6', 1],
  ['/en/api/search?q=last_name:nummer&page=2', 1],
  ['/en/api/search?q=city:leiden', 1],
  ['/en/api/search?q=name:e', 1],
  ['/en/api/search?q=saturnus', 1],
  ['/en/api/search?q=nobody', 0],
];

/** Paths with selected fields, and the number of statements of each: other fields are not fetched. */
const FIELDS: readonly [path: string, statements: number][] = [
  ['/en/api/persons?fields=brief', 1],
  ['/en/api/subjects?fields=name', 1],
  ['/en/api/locations?fields=brief', 1],
  ['/en/api/locations?fields=name,location_events', 1],
  ['/en/api/locations?fields=events.name', 2],
  ['/en/api/locations?fields=subjects', 2],
  ['/en/api/events?fields=uuid,name,date', 1],
  ['/en/api/events?fields=brief', 2],
  ['/en/api/events?fields=location.name,persons.title', 2],
  ['/en/api/events?fields=location.subjects', 3],
  ['/en/api/events?events=abbreviated', 1],
  ['/en/api/events?events=abbreviated&fields=persons,location', 1],
  ['/en/api/search?events=abbreviated&page=6', 1],
  ['/en/api/events?fields=location.events.name', 3],
  ['/en/api/search?fields=uuid&page=5', 1],
];

describeEngines('statements (%s)', (engine) => {
  let api: CountedApi;
  beforeAll(async () => {
    api = await startCountedApi({ engine });
  });

  test.each(PATHS)('%s: %i to 4, without OFFSET and COUNT', async (path, least) => {
    api.statements.length = 0;
    const response = await fetch(api.origin + path);
    expect(response.status).toBe(200);
    await response.text();
    expect(api.statements.length).toBeGreaterThanOrEqual(least);
    expect(api.statements.length).toBeLessThanOrEqual(4);
    for (const sql of api.statements) expect(sql).not.toMatch(/\boffset\b|\bcount\s*\(/i);
  });

  test.each(KINDS)(
    'of the page of a %s: one, for the record; related records come from the index',
    async (kind) => {
      api.statements.length = 0;
      const path = `/en/${PAGE_SEGMENTS[kind]}/${uuidOf(kind, FIRST_ID[kind])}/`;
      expect((await fetch(api.origin + path)).status).toBe(200);
      expect(api.statements).toHaveLength(1);
    },
  );

  test.each(FIELDS)('%s: %i', async (path, statements) => {
    api.statements.length = 0;
    expect((await fetch(api.origin + path)).status).toBe(200);
    expect(api.statements).toHaveLength(statements);
  });

  test('persons and locations are not fetched if they are not selected', async () => {
    api.statements.length = 0;
    await fetch(`${api.origin}/en/api/events?fields=location.name`);
    expect(api.statements.some((sql) => /embeds.text_kind in \(\?\)/.test(sql))).toBe(true);
  });
});

/** Index look-ups per table, as reported by SQLite: the columns of the key. */
const LOOK_UPS: Record<string, readonly string[]> = {
  editions: ['rowid=?'],
  versions: ['uuid=?', 'rowid=?'],
  entries: [
    'kind=? AND edition=? AND position=?',
    'edition=? AND record=?',
    'edition=? AND record=? AND version=?',
    'edition=? AND record=? AND version=? AND kind=?',
  ],
  sources: ['kind=? AND edition=? AND position=?'],
  targets: ['edition=? AND record=?'],
  embeds: ['version=?', 'version=? AND text_kind=?'],
  texts: ['rowid=?'],
  supplements: ['rowid=?'],
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

  /** The searches that a request runs. */
  async function searchesOf(path: string): Promise<number> {
    let searches = 0;
    const count = (step: unknown) => {
      if (step === 'begin') searches += 1;
    };
    subscribe('archive-api:queries', count);
    const answer = await fetch(api.origin + path);
    expect(answer.status).toBe(200);
    await answer.text();
    unsubscribe('archive-api:queries', count);
    return searches;
  }

  test.each(['person', 'location', 'event'] as const)(
    'the list of %ss runs no search, which could wait for others',
    async (kind) => {
      expect(await searchesOf(`/en/${PAGE_SEGMENTS[kind]}/`)).toBe(0);
      expect(await searchesOf('/en/api/search?q=last_name:a')).toBe(1);
    },
  );

  test.each(['?q=kind:event', '?q=kind:event&date=date&from=1600&to=1700', '?date=date&from=1600&to=1700'])(
    'the page of search %s lists and counts at once: hits, facets, bars',
    async (query) => {
      expect(await searchesOf(`/en/zoeken/${query}`)).toBe(3);
    },
  );

  test.each(PATHS)('%s: every row is found by its full key', async (path, least) => {
    api.statements.length = 0;
    await (await fetch(api.origin + path)).text();
    const steps = api.statements.flatMap((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    );
    expect(steps.length).toBeGreaterThanOrEqual(least);
    for (const step of steps.filter(
      (each) => !/^(COMPOUND QUERY|LEFT-MOST SUBQUERY|UNION ALL)$/.test(each),
    )) {
      const [, table = '', key] = /^SEARCH (\w+) USING .*\((.*)\)/.exec(step) ?? [];
      expect(LOOK_UPS[table] ?? [`a look-up in ${table}`], step).toContain(key);
    }
  });
});
