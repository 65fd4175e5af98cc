import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Caches } from '@archiefkast/archive-api/dist/cache.js';
import {
  createDerivedFiles,
  type DerivedFiles,
} from '@archiefkast/archive-api/dist/derived/derived-files.js';
import { findChanges } from '@archiefkast/archive-api/dist/edition/changes.js';
import { createDumps, type Dumps } from '@archiefkast/archive-api/dist/edition/dumps.js';
import { createEditionReader } from '@archiefkast/archive-api/dist/edition/edition-reader.js';
import { createTextQueries } from '@archiefkast/archive-api/dist/edition/texts.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { type Edition, findEdition } from '@archiefkast/archive-api/dist/storage/edition.js';
import type { Language } from '@archiefkast/types';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { generateBundle } from '../bench/generate-bundle.ts';
import { publishHere } from '../support/api-here.ts';
import { BASE_URL, serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { freePort } from '../support/free-port.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const log = pino({ level: 'silent' });

const PERSONS = { kind: 'person', format: 'jsonl', path: '/api/dump/persons.jsonl' } as const;

/** 350 persons, which are four parts. */
const RECORDS = 1_000;

describeEngines('making dumps of an edition without blocks (%s)', (engine) => {
  let prepared: TestDatabase;
  let database: Database;
  let files: DerivedFiles;
  let edition: Edition;
  /** Statements that read records. */
  let statements = 0;
  const folder = () => join(prepared.folder, 'of-dumps');

  const createNode = (): Dumps => {
    const queries = createTextQueries(database);
    return createDumps(
      { queries, baseUrl: BASE_URL, reader: createEditionReader(queries, BASE_URL) },
      files,
      log,
      new Caches(),
    );
  };
  const openIndexed = async (dumps: Dumps, language: Language = 'en') => {
    const file = await dumps.open(edition, language, PERSONS);
    if (file.blocks) throw new Error('the edition has blocks');
    return file;
  };
  const dumpIndexes = async () => {
    const [own = ''] = await readdir(folder()).catch(() => []);
    const names = own ? await readdir(join(folder(), own)) : [];
    return names.map((name) => join(folder(), own, name));
  };

  beforeAll(async () => {
    prepared = await createTestDatabase(engine);
    const bundle = join(prepared.folder, 'bundle');
    await generateBundle({ folder: bundle, records: RECORDS });
    await publishHere(prepared, bundle);
    await publishHere(prepared, bundle);
    database = openDatabase(prepared);
    await database('blocks').delete();
    database.on('query', ({ sql }) => {
      if (!sql.includes('`blocks`')) statements += 1;
    });
    files = createDerivedFiles(database, { derivedFolder: folder() });
    edition = await served(2);
    // Makes the folder, and knows the archive.
    await (await openIndexed(createNode(), 'nl')).index();
  });
  afterAll(async () => {
    await database?.destroy();
    await prepared?.drop();
  });
  beforeEach(async () => {
    await Promise.all((await dumpIndexes()).map((file) => writeFile(file, 'damaged')));
    statements = 0;
  });

  async function served(id: number): Promise<Edition> {
    const found = await findEdition(database, id);
    if (!found) throw new Error(`edition ${id} is not there`);
    return found;
  }

  test('the size of a file is known once it has been read to its end, also on a node that starts later', async () => {
    const file = await openIndexed(createNode());
    expect(file.size).toBeUndefined();
    const size = (await readAll(file.read())).length;
    statements = 0;
    const again = await createNode().open(edition, 'en', PERSONS);
    expect(again.size).toBe(size);
    expect(await again.measure(Number.POSITIVE_INFINITY)).toEqual({ bytes: size, isWhole: true });
    expect(statements).toBe(0);
  });

  test('the size of a partly read file is unknown', async () => {
    const dumps = createNode();
    const file = await openIndexed(dumps);
    for await (const _ of file.read()) break;
    expect((await dumps.open(edition, 'en', PERSONS)).size).toBeUndefined();
  });

  test('a file without an index is not read from the middle', async () => {
    const file = await openIndexed(createNode());
    expect(() => file.read(1)).toThrow(RangeError);
  });

  test('concurrent requests for the index share one measurement', async () => {
    const dumps = createNode();
    const [one, other] = await Promise.all([1, 2].map(async () => (await openIndexed(dumps)).index()));
    expect(one).toEqual(other);
    expect(statements).toBe(4);
  });

  test('a part is built from its own records only', async () => {
    const file = await openIndexed(createNode());
    const { starts, bytes } = await file.index();
    expect(starts).toHaveLength(4);
    statements = 0;
    const last = await readAll((await createNode().open(edition, 'en', PERSONS)).read(bytes - 10));
    expect(last.toString()).toMatch(/\}\n$/);
    expect(last).toHaveLength(10);
    expect(statements).toBe(1);
  });

  test('no more is built than needed to find a part, and nothing twice', async () => {
    const dumps = createNode();
    const file = await openIndexed(dumps);
    expect(await file.measure(10)).toMatchObject({ isWhole: false });
    expect(statements).toBe(1);
    expect((await readAll(file.read(0, 10))).length).toBe(10);
    expect(() => file.read(5, 10_000_000)).toThrow(RangeError);
    statements = 0;
    const again = await openIndexed(dumps);
    const { bytes } = await again.measure(11);
    expect(statements).toBe(0);
    expect(await again.measure(bytes + 1)).toMatchObject({ isWhole: false });
    expect(statements).toBe(1);
    const { sha256 } = await again.index();
    expect(statements).toBe(4 - 1);
    expect(sha256).toBe((await (await openIndexed(createNode())).index()).sha256);
  });

  test('measuring stops if all clients abort, and continues from there for the next one', async () => {
    const dumps = createNode();
    const file = await openIndexed(dumps);
    const left = new AbortController();
    database.once('query', () => left.abort(new Error('left')));
    await expect(file.index(left.signal)).rejects.toThrow('left');
    expect(statements).toBeLessThan(4);
    await file.index();
    expect(statements).toBe(4);
  });

  test('a file whose index cannot be stored is complete', async () => {
    const own = join(folder(), 'in-the-way');
    await writeFile(own, '');
    const lines: string[] = [];
    const queries = createTextQueries(database);
    const unwritable = createDerivedFiles(database, { derivedFolder: own });
    const dumps = createDumps(
      { queries, baseUrl: BASE_URL, reader: createEditionReader(queries, BASE_URL) },
      unwritable,
      pino({ level: 'warn' }, { write: (line) => lines.push(line) }),
      new Caches(),
    );
    const file = await openIndexed(dumps);
    const { length } = await readAll(file.read());
    expect(lines.join('')).toContain('cannot be stored');
    expect((await file.index()).bytes).toBe(length);
    await rm(own);
  });

  test('another base URL has another index', async () => {
    const queries = createTextQueries(database);
    const baseUrl = 'https://another.test';
    const other = createDumps(
      { queries, baseUrl, reader: createEditionReader(queries, baseUrl) },
      files,
      log,
      new Caches(),
    );
    const [one, two] = await Promise.all(
      [createNode(), other].map(async (dumps) => (await openIndexed(dumps)).index()),
    );
    expect(one?.sha256).not.toBe(two?.sha256);
  });

  test('indexes are swept with their edition', async () => {
    await (await openIndexed(createNode(), 'nl')).index();
    const gone = { key: '00000000-0000-4000-8000-000000000000' };
    await files.writeDumpIndex(gone, 'nl.persons.jsonl', { bytes: 0, sha256: '', starts: [] });
    expect((await dumpIndexes()).some((file) => file.includes(gone.key))).toBe(true);
    await files.sweep();
    const kept = await dumpIndexes();
    expect(kept.some((file) => file.includes(gone.key))).toBe(false);
    expect(kept.filter((file) => file.includes(edition.key)).length).toBeGreaterThan(0);
    const [text] = await Promise.all(
      kept.filter((file) => file.includes('nl.persons')).map((file) => readFile(file, 'utf8')),
    );
    expect(JSON.parse(text ?? '')).toHaveProperty('sha256');
  });

  test('the event loop is not blocked between parts, nor while editions are compared', async () => {
    const before = await served(1);
    const file = await openIndexed(createNode());
    expect(await turnsDuring(() => readAll(file.read()))).toBeGreaterThanOrEqual(4);
    expect(await turnsDuring(() => findChanges(database, before, edition))).toBeGreaterThanOrEqual(8);
  });

  test('a map of events reads each of their locations once: its text lists the ids of all its events', async () => {
    const read: number[] = [];
    const note = (rows: unknown) => {
      for (const { form, position } of Array.isArray(rows) ? rows : [])
        if (form === 'location') read.push(position);
    };
    database.on('query-response', note);
    const reader = createEditionReader(createTextQueries(database), BASE_URL);
    const events = Array.from({ length: edition.counts.event }, (_, index) => index + 1);
    const features = await reader.readFeatures(edition, 'en', 'event', events);
    database.off('query-response', note);
    expect(features).toHaveLength(events.length);
    expect(read.length).toBeGreaterThan(0);
    expect(new Set(read).size).toBe(read.length);
  });

  test('a file that fails at the start is an error; one that fails later is cut off, counted as failed and logged', async () => {
    const adminPort = await freePort();
    const server = await serveDatabase(prepared, { ADMIN_PORT: String(adminPort) });
    try {
      await database('texts').where({ edition: 2, form: 'subject' }).where('position', '>', 20).delete();
      for (const kind of ['person', 'location', 'event'] as const) {
        await database('texts').where({ edition: 2, form: kind, position: edition.counts[kind] }).delete();
      }
      expect((await server.fetch('/en/api/dump/subjects.csv')).status).toBe(500);
      const cut = await server.fetch('/en/api/dump/events.jsonl');
      expect(cut.status).toBe(200);
      await expect(cut.text()).rejects.toThrow();
      const again = await server.fetch('/en/api/dump/events.jsonl');
      expect(again.headers.get('content-length')).toBeNull();
      await expect(again.text()).rejects.toThrow();
      // A compressor may hold everything back until the failure.
      const paths = [
        '/en/api/dump/persons.csv',
        '/en/api/dump/persons.jsonl?q=kind:person',
        '/en/api/locations.geojson',
        '/en/api/events.geojson',
      ];
      for (const path of paths) {
        for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
          const answer = await server.fetch(path, { headers: { 'Accept-Encoding': coding } });
          expect([200, 500], `${path} in ${coding}`).toContain(answer.status);
          if (answer.status === 200) await expect(answer.text()).rejects.toThrow();
        }
      }
      const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
      const counted = [...metrics.matchAll(/^archive_requests_total\{.*status="(\d+)".*\} (\d+)$/gm)];
      expect(new Set(counted.map(([, status]) => status))).toEqual(new Set(['500']));
      expect(counted.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(3 + 4 * paths.length);
      expect(server.process.stderr()).toMatch(
        /"method":"GET","url":"\/en\/api\/dump\/events.jsonl","requestId":"[^"]+","msg":"a response was cut off"/,
      );
    } finally {
      await server.stop();
    }
  });
});

async function readAll(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

/** How often other work of the process could run. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  await work();
  clearImmediate(next);
  return turns;
}
