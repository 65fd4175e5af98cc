import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { kindOf } from '../../apps/api/dist/storage/stored-texts.js';
import { publishHere } from '../support/api-here.ts';
import { makeBundle } from '../support/bundles.ts';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { type Database, openDatabase } from '../support/database-of.ts';
import { listEveryPath } from '../support/every-path.ts';
import { createTestDatabase, describeEngines } from '../support/test-database.ts';

const RECORDS = 20_000;

/** When every other record changed, and when a few did; the others changed in the edition itself. */
const [MANY, FEW] = [Date.parse('2020-06-01'), Date.parse('2021-06-01')];

const LISTED = 'verb=ListIdentifiers&metadataPrefix=oai_dc';

/** Addresses whose statements depend on their parameters. */
const MORE = [
  '/oai?verb=Identify',
  `/oai?${LISTED}`,
  `/oai?${LISTED}&set=events`,
  `/oai?${LISTED}&from=2020-01-01`,
  `/oai?${LISTED}&from=2021-01-01`,
  `/oai?${LISTED}&from=2021-01-01&until=2022-01-01&set=persons`,
  `/oai?${LISTED}&from=2022-01-01`,
  `/oai?${LISTED.replace('Identifiers', 'Records')}&until=2022-01-01`,
  '/en/api/persons?page=400',
  '/en/api/locations?fields=events.name',
  '/en/api/events?fields=location.persons',
  '/en/api/search?q=van&page=50',
];

/** Statements that read many more rows than they return, with the reason. */
const EXCEPTIONS: readonly [RegExp, reason: string][] = [
  [/^select count\(\*\) as `n` from \(select `position`/, 'reads 501 entries of an index at most'],
  [/^select count\(\*\) as `n` from `entries`/, 'counts a list by date: once for all its parts, in an index'],
  [
    /\bfrom entries cross join versions[\s\S]*\band id in \(/,
    'walks all subjects for the names of parents in CSV, which are cached',
  ],
];

const REASONS = EXCEPTIONS.map(([, reason]) => reason).toSorted();

/** The statements that a request of each address sends, with their values: each text twice at most. */
async function collect(api: CountedApi, paths: readonly string[]): Promise<CountedApi['queries']> {
  const found = new Map<string, CountedApi['queries']>();
  for (const path of paths) {
    api.queries.length = 0;
    const response = await fetch(api.origin + path, { redirect: 'manual' });
    expect(response.status, path).toBeLessThan(500);
    // The beginning of a dump has the statements of all of it.
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const isOfTime = path.startsWith('/oai');
    for (const query of api.queries) {
      const same = found.get(query.sql) ?? [];
      if (isOfTime || same.length < 2) found.set(query.sql, [...same, query]);
    }
  }
  return [...found.values()].flat();
}

/** The lines of a plan of SQLite that read a whole table or index of records. */
async function scansIn(database: Database, { sql, bindings }: CountedApi['queries'][number]) {
  const names = [...sql.matchAll(/`?\b(?:entries|versions|texts|embeds)`?(?: as `?(\w+))?/g)].map(
    ([table, alias]) => alias ?? table.replaceAll('`', ''),
  );
  const plan: { detail: string }[] = await database.raw(`explain query plan ${sql}`, [
    ...bindings,
  ] as string[]);
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => names.some((name) => detail.startsWith(`SCAN ${name}`)));
}

/** Rows that MySQL or MariaDB reads for a statement, and those that it returns. */
async function readsOf(database: Database, { sql, bindings }: CountedApi['queries'][number]) {
  return await database.transaction(async (open) => {
    await open.raw('flush status');
    const [rows]: object[][] = await open.raw(sql, [...bindings] as string[]);
    const [status]: { Value: string }[][] = await open.raw("show session status like 'Handler_read%'");
    return {
      reads: (status ?? []).reduce((sum, { Value }) => sum + Number(Value), 0),
      rows: rows?.length ?? 0,
    };
  });
}

describeEngines('the statements of requests, over 20,000 records (%s)', (engine) => {
  let api: CountedApi;
  let database: Database;
  let queries: CountedApi['queries'];

  beforeAll(async () => {
    const place = await createTestDatabase(engine);
    const bundle = await makeBundle(place.folder, { records: RECORDS, seed: 1 });
    await publishHere(place, bundle);
    database = openDatabase(place);
    await database('entries').whereRaw('position % 2 = 0').update({ datestamp: MANY });
    await database('entries').whereRaw('position % 200 = 1').update({ datestamp: FEW });
    if (engine === 'mysql') await database.raw('analyze table entries, versions, texts, embeds');
    const firsts = KINDS.map(async (kind) => {
      const file = await openFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`));
      for await (const line of file.readLines()) return [COLLECTIONS[kind], String(JSON.parse(line).uuid)];
      return [];
    });
    const uuids: Record<string, string> = Object.fromEntries(await Promise.all(firsts));
    api = await startCountedApi({ engine, database: place });
    const every = await listEveryPath(api.origin, uuids);
    const identities = Object.values(uuids).map((uuid) => `/id/${uuid}`);
    const paths = [...every.filter((path) => !path.startsWith('/nl/api/')), ...identities, ...MORE];
    queries = await collect(api, paths);
    return async () => {
      await database.destroy();
      await api.stop();
    };
  }, 120_000);

  test('scan no table of records, and read at most ten times the rows that they return or look up', {
    timeout: 120_000,
  }, async () => {
    expect(queries.length).toBeGreaterThan(40);
    const excessive: string[] = [];
    const excepted = new Set<string>();
    for (const query of queries) {
      const { sql, bindings } = query;
      if (engine === 'sqlite') {
        for (const scan of await scansIn(database, query)) excessive.push(`${scan}: ${sql}`);
        continue;
      }
      const { reads, rows } = await readsOf(database, query);
      if (reads <= 10 * Math.max(rows, bindings.length)) continue;
      const [, reason] = EXCEPTIONS.find(([pattern]) => pattern.test(sql)) ?? [];
      if (reason === undefined) excessive.push(`${reads} read for ${rows} rows: ${sql.slice(0, 500)}`);
      else excepted.add(reason);
    }
    expect(excessive).toEqual([]);
    if (engine === 'mysql') expect([...excepted].toSorted()).toEqual(REASONS);
  });

  test.each([
    ['few', 'from=2021-01-01&until=2022-01-01', [FEW]],
    ['few, and those of the edition', 'from=2021-01-01', [FEW, null]],
    ['many', 'from=2020-01-01&until=2022-01-01', [MANY, FEW]],
    ['none', 'from=2021-07-01&until=2022-01-01', []],
  ])('list by date what changed, by kind and position: %s', { timeout: 120_000 }, async (_, span, times) => {
    const rows: { code: number; uuid: string; at: number | null }[] = await database('entries')
      .join('versions', 'versions.version', 'entries.version')
      .orderBy('position')
      .select('entries.kind as code', 'uuid', 'datestamp as at');
    const expected = rows
      .filter(({ at }) => times.some((time) => time === (at === null ? null : Number(at))))
      .toSorted((a, b) => KINDS.indexOf(kindOf(a.code)) - KINDS.indexOf(kindOf(b.code)));
    const listed: string[] = [];
    for (let query: string | undefined = `${LISTED}&${span}`; query !== undefined; ) {
      const text: string = await (await fetch(`${api.origin}/oai?${query}`)).text();
      for (const [, uuid = ''] of text.matchAll(/<identifier>[^<]*\/id\/([^<]+)</g)) listed.push(uuid);
      const [, size, token]: string[] = /completeListSize="(\d+)"[^>]*>([^<]*)</.exec(text) ?? [];
      if (size !== undefined) expect(Number(size)).toBe(expected.length);
      query = token ? `verb=ListIdentifiers&resumptionToken=${token}` : undefined;
    }
    expect(listed).toEqual(expected.map(({ uuid }) => uuid));
  });
});
