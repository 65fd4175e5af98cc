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
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { generateBundle } from '../bench/generate-bundle.ts';
import { publishHere } from '../support/api-here.ts';
import { BASE_URL, serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const log = pino({ level: 'silent' });

const PERSONS = { kind: 'person', format: 'jsonl', path: '/api/dump/persons.jsonl' } as const;

/** 350 persons, which are four parts. */
const RECORDS = 1_000;

describeEngines('making dumps (%s)', (engine) => {
  let prepared: TestDatabase;
  let database: Database;
  let files: DerivedFiles;
  let edition: Edition;
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
    database.on('query', () => {
      statements += 1;
    });
    files = createDerivedFiles(database, { derivedFolder: folder() });
    edition = await served(2);
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
    const file = await createNode().open(edition, 'en', PERSONS);
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
    const file = await dumps.open(edition, 'en', PERSONS);
    for await (const _ of file.read()) break;
    expect((await dumps.open(edition, 'en', PERSONS)).size).toBeUndefined();
  });

  test('a file without an index is not read from the middle', async () => {
    const file = await createNode().open(edition, 'en', PERSONS);
    expect(() => file.read(1)).toThrow(RangeError);
  });

  test('concurrent requests for the index share one measurement', async () => {
    const dumps = createNode();
    const [one, other] = await Promise.all(
      [1, 2].map(async () => (await dumps.open(edition, 'en', PERSONS)).index()),
    );
    expect(one).toEqual(other);
    expect(statements).toBe(4);
  });

  test('a part is built from its own records only', async () => {
    const file = await createNode().open(edition, 'en', PERSONS);
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
    const file = await dumps.open(edition, 'en', PERSONS);
    expect(await file.measure(10)).toMatchObject({ isWhole: false });
    expect(statements).toBe(1);
    expect((await readAll(file.read(0, 10))).length).toBe(10);
    expect(() => file.read(5, 10_000_000)).toThrow(RangeError);
    statements = 0;
    const again = await dumps.open(edition, 'en', PERSONS);
    const { bytes } = await again.measure(11);
    expect(statements).toBe(0);
    expect(await again.measure(bytes + 1)).toMatchObject({ isWhole: false });
    expect(statements).toBe(1);
    const { sha256 } = await again.index();
    expect(statements).toBe(4 - 1);
    expect(sha256).toBe((await (await createNode().open(edition, 'en', PERSONS)).index()).sha256);
  });

  test('measuring stops if all clients abort, and continues from there for the next one', async () => {
    const dumps = createNode();
    const file = await dumps.open(edition, 'en', PERSONS);
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
    const file = await dumps.open(edition, 'en', PERSONS);
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
      [createNode(), other].map(async (dumps) => (await dumps.open(edition, 'en', PERSONS)).index()),
    );
    expect(one?.sha256).not.toBe(two?.sha256);
  });

  test('indexes are swept with their edition', async () => {
    await (await createNode().open(edition, 'nl', PERSONS)).index();
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
    const file = await createNode().open(edition, 'en', PERSONS);
    expect(await turnsDuring(() => readAll(file.read()))).toBeGreaterThanOrEqual(4);
    expect(await turnsDuring(() => findChanges(database, before, edition))).toBeGreaterThanOrEqual(8);
  });

  test('a dump that fails half-way is cut; one that fails at the start is an error', async () => {
    const server = await serveDatabase(prepared);
    try {
      await database('texts').where({ edition: 2, form: 'subject' }).where('position', '>', 20).delete();
      await database('texts').where({ edition: 2, form: 'event' }).where('position', '>', 200).delete();
      const cut = await server.fetch('/en/api/dump/events.jsonl');
      expect(cut.status).toBe(200);
      await expect(cut.text()).rejects.toThrow();
      const again = await server.fetch('/en/api/dump/events.jsonl');
      expect(again.headers.get('content-length')).toBeNull();
      await expect(again.text()).rejects.toThrow();
      expect((await server.fetch('/en/api/dump/subjects.csv')).status).toBe(500);
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
