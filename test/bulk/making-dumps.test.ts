import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { codeOf } from '../../apps/api/src/storage/stored-texts.ts';
import { publishHere, type ServerHere, serveHere } from '../support/api-here.ts';
import { serveDatabase } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { VERSIONS } from '../support/read-tables.ts';
import { statementsDuring } from '../support/statements.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** The records of a part are read together. */
const PARTS = 8;

const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1);

const BUNDLE = {
  person: numbers(PARTS * 100).map((id) => ({ id, uuid: uuidOf('person', id), last_name: `Vos ${id}` })),
  subject: numbers(120).map((id) => ({ id, uuid: uuidOf('subject', id), name_nl: `Zaak ${id}` })),
  location: numbers(3).map((id) => ({ id, uuid: uuidOf('location', id), name_nl: `Plaats ${id}` })),
  event: numbers(250).map((id) => ({
    ...{ id, uuid: uuidOf('event', id), name_nl: `Feest ${id}` },
    location: uuidOf('location', 1 + (id % 3)),
  })),
};

let prepared: TestDatabase;
let server: ServerHere;
beforeAll(async () => {
  prepared = await createTestDatabase('sqlite');
  await publishHere(prepared, await writeBundle(join(prepared.folder, 'bundle'), BUNDLE));
  server = await serveHere(prepared);
});

test('a map of events reads each of their locations once: its text lists the ids of all its events', async () => {
  const queries = await statementsDuring(async () => {
    const { features } = await (await fetch(`${server.origin}/en/api/events.geojson`)).json();
    expect(features).toHaveLength(BUNDLE.event.length);
  });
  const reads = queries.map(({ rows }) => rows.filter(({ text }) => /"location_events"/.test(String(text))));
  expect(reads.some((locations) => locations.length > 0)).toBe(true);
  // Events are read in parts.
  for (const locations of reads)
    expect(new Set(locations.map(({ position }) => position)).size).toBe(locations.length);
});

test('a file that fails at the start is an error; one that fails later is cut off, counted as failed and logged', async () => {
  using database = new DatabaseSync(join(prepared.folder, 'archive.sqlite'));
  const broken = await serveDatabase(prepared);
  for (const [kind, { length }] of Object.entries({ ...BUNDLE, subject: numbers(21) })) {
    const entries = `SELECT version FROM entries WHERE kind = ${codeOf(kind as Kind)} AND position >= ${length}`;
    database.exec(`DELETE FROM texts WHERE id % ${VERSIONS} IN (${entries})`);
  }
  expect((await broken.fetch('/en/api/dump/subjects.csv')).status).toBe(500);
  const cut = await broken.fetch('/en/api/dump/events.jsonl');
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow();
  // A compressor may hold everything back until the failure.
  const cases = [
    ['/en/api/dump/persons.csv', 'identity'],
    ['/en/api/dump/persons.jsonl?q=kind:person', 'gzip'],
    ['/en/api/locations.geojson', 'br'],
    ['/en/api/events.geojson', 'identity'],
    ['/en/api/events.geojson', 'zstd'],
  ] as const;
  for (const [path, coding] of cases) {
    const answer = await broken.fetch(path, { headers: { 'Accept-Encoding': coding } });
    expect([200, 500], `${path} in ${coding}`).toContain(answer.status);
    if (answer.status === 200) await expect(answer.text()).rejects.toThrow();
  }
  const metrics = await (await broken.admin('/metrics')).text();
  const counted = [...metrics.matchAll(/^archive_requests_total\{.*status="(\d+)".*\} (\d+)$/gm)];
  expect(new Set(counted.map(([, status]) => status))).toEqual(new Set(['500']));
  expect(counted.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(2 + cases.length);
  expect(broken.process.stderr()).toMatch(
    /"method":"GET","url":"\/en\/api\/dump\/events.jsonl","requestId":"[^"]+","msg":"a response was cut off"/,
  );
});
