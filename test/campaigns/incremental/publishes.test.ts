import { join } from 'node:path';
import { readChanges } from '@archiefkast/archive-api/dist/storage/changes.js';
import { findChanges } from '@archiefkast/archive-api/dist/storage/compare-editions.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { findEdition } from '@archiefkast/archive-api/dist/storage/edition.js';
import { differencesFrom, hashOfRecord } from '@archiefkast/client/node';
import { COLLECTIONS, KINDS, LANGUAGES, manifestSchema, PAGE_SEGMENTS } from '@archiefkast/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishHere } from '../../support/api-here.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { copyToEdit, type EditedBundle } from '../../support/edited-bundle.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';
import { getJson, type Json } from '../../support/walk.ts';

const PUBLISHES = 30;

/** Two blocks of persons and of events. */
const RECORDS = 3_000;

const QUERIES = [
  'leidt',
  'iets anders',
  'kind:event',
  'city:a',
  'last_name:de',
  'bewerking',
  'name:a',
  'zzz',
];

describeEngines(
  'small publishes in a row (%s)',
  (engine) => {
    let prepared: TestDatabase;
    let database: Database;
    let bundle: EditedBundle;
    beforeAll(async () => {
      prepared = await createTestDatabase(engine);
      const generated = await makeBundle(prepared.folder, { records: RECORDS, seed: 3, busyPlace: 40 });
      bundle = await copyToEdit(generated, join(prepared.folder, 'edited'), 11);
      await publishHere(prepared, bundle.folder);
      database = openDatabase(prepared);
    });
    afterAll(async () => {
      await database?.destroy();
      await prepared?.drop();
    });

    test(`each of ${PUBLISHES} stores the changes that a comparison finds`, async () => {
      for (let edition = 2; edition <= PUBLISHES + 1; edition += 1) {
        await bundle.edit(1 + (edition % 7) * 3);
        await publishHere(prepared, bundle.folder);
        const [before, after] = await Promise.all(
          [edition - 1, edition].map((id) => findEdition(database, id)),
        );
        if (!before || !after) throw new Error(`edition ${edition} or the one before is not kept`);
        const stored = await readChanges(database, edition, edition - 1);
        expect(stored, `edition ${edition}`).toEqual(await findChanges(database, before, after));
        const [[all]] = await Promise.all([
          database('changes')
            .count({ count: '*' })
            .where('edition', '<', edition - 1),
        ]);
        expect(Number(all?.['count'])).toBe(0);
      }
    });

    test('the answers are those of a whole publish of the same bundle', async () => {
      const fresh = await createTestDatabase(engine);
      const servers: ApiServer[] = [];
      try {
        await publishHere(fresh, bundle.folder);
        servers.push(await serveDatabase(prepared), await serveDatabase(fresh));
        const [small, whole] = servers;
        if (!small || !whole) throw new Error('the servers did not start');
        const paths = await pathsOf(whole);
        expect(paths.length).toBeGreaterThan(1_000);
        for (const path of paths) {
          expect(await answerOf(small, path), path).toBe(await answerOf(whole, path));
        }
        for (const language of LANGUAGES) await expectBlocks(small, language);
      } finally {
        for (const server of servers) await server.stop();
        await fresh.drop();
      }
    });
  },
  { timeout: 300_000 },
);

/** Addresses of everything but what tells the times of changes. */
async function pathsOf(server: ApiServer): Promise<string[]> {
  const paths: string[] = [];
  for (const language of LANGUAGES) {
    const api = `/${language}/api`;
    paths.push(`${api}/facets`, `${api}/dump/manifest.json`, `${api}/suggest?prefix=a`);
    paths.push(`${api}/locations.geojson`, `${api}/events.geojson`);
    for (const query of QUERIES.map(encodeURIComponent)) {
      paths.push(
        `${api}/search?q=${query}`,
        `${api}/search?q=${query}&page=2&sort=name`,
        `${api}/facets?q=${query}`,
      );
    }
    for (const kind of KINDS) {
      const list = `${api}/${COLLECTIONS[kind]}`;
      paths.push(`${api}/dump/${COLLECTIONS[kind]}.jsonl`, `${api}/dump/${COLLECTIONS[kind]}.csv`);
      const { count } = await getJson<Json & { count: number }>(server, list);
      for (let page = 1; page <= Math.ceil(count / 10); page += 1) paths.push(`${list}?page=${page}`);
      const lines = await (await server.fetch(`${api}/dump/${COLLECTIONS[kind]}.jsonl`)).text();
      for (const [place, line] of lines.trimEnd().split('\n').entries()) {
        const { uuid } = JSON.parse(line);
        if (place % 20 === 0) paths.push(`${list}/${uuid}`, `/${language}/${PAGE_SEGMENTS[kind]}/${uuid}/`);
      }
    }
  }
  return paths;
}

/** The status and body of a response, without what names the edition and its time. */
async function answerOf(server: ApiServer, path: string): Promise<string> {
  const response = await server.fetch(path);
  return (
    `${response.status} ${await response.text()}`
      .replaceAll(/"edition":\{[^}]*\}/g, '"edition":{}')
      .replaceAll(/\?edition=\d+/g, '?edition=')
      // Citations on pages.
      .replaceAll(/(editi(?:on|e) |edition&quot;: |ET {2}- )\d+/g, '$1')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'time')
  );
}

/** Expects that the manifest describes the dumps that are sent. */
async function expectBlocks(server: ApiServer, language: string): Promise<void> {
  const { dumps = [] } = manifestSchema.parse(await getJson(server, `/${language}/api/dump/manifest.json`));
  for (const { url, records, bytes, blocks } of dumps) {
    if (bytes === undefined || blocks === undefined) continue;
    const text = await (await server.fetch(url)).text();
    const hashes = text
      .trimEnd()
      .split('\n')
      .map((line) => hashOfRecord(JSON.parse(line)));
    const dump = { url, records, bytes, blocks };
    expect(differencesFrom(dump, hashes, Buffer.byteLength(text)), url).toEqual([]);
  }
}
