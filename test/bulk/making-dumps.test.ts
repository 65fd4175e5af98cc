import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecordReader } from 'archive-api/dist/archive/assemble.js';
import { findChanges } from 'archive-api/dist/archive/changes.js';
import { createDerivedFiles, type DerivedFiles } from 'archive-api/dist/archive/derived-files.js';
import { createDumps, type Dumps } from 'archive-api/dist/archive/dumps/dumps.js';
import { createTextQueries } from 'archive-api/dist/archive/texts.js';
import type { Database } from 'archive-api/dist/database/connect.js';
import { type Edition, findEdition } from 'archive-api/dist/editions/edition.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateBundle } from '../bench/generate-bundle.ts';
import { publishBundle } from '../support/api-process.ts';
import { BASE_URL, serveDatabase } from '../support/api-server.ts';
import { configOf, openDatabase } from '../support/database-of.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';

const PERSONS = { kind: 'person', format: 'jsonl', path: '/api/dump/persons.jsonl' } as const;

/** 350 persons, which are four parts. */
const RECORDS = 1_000;

describe.each(ENGINES)('making dumps (%s)', (engine) => {
  let prepared: TestDatabase;
  let database: Database;
  let files: DerivedFiles;
  let edition: Edition;
  let statements = 0;
  const folder = () => join(prepared.folder, 'of-dumps');

  const createNode = (): Dumps => {
    const queries = createTextQueries(database);
    return createDumps({ queries, baseUrl: BASE_URL, reader: createRecordReader(queries, BASE_URL) }, files);
  };
  const outlines = async () => {
    const [own = ''] = await readdir(folder()).catch(() => []);
    const names = own ? await readdir(join(folder(), own)) : [];
    return names.map((name) => join(folder(), own, name));
  };

  beforeAll(async () => {
    prepared = await createTestDatabase(engine);
    const bundle = join(prepared.folder, 'bundle');
    await generateBundle({ folder: bundle, records: RECORDS });
    await publishBundle(prepared, bundle);
    await publishBundle(prepared, bundle);
    database = openDatabase(prepared);
    database.on('query', () => {
      statements += 1;
    });
    files = createDerivedFiles(database, { database: configOf(prepared), derivedFolder: folder() });
    edition = await served(2);
  });
  afterAll(async () => {
    await database?.destroy();
    await prepared?.drop();
  });
  beforeEach(async () => {
    await Promise.all((await outlines()).map((file) => writeFile(file, 'damaged')));
    statements = 0;
  });

  async function served(id: number): Promise<Edition> {
    const found = await findEdition(database, id);
    if (!found) throw new Error(`edition ${id} is not there`);
    return found;
  }

  test('a file that has been read to its end is known from then on, on a node that starts later too', async () => {
    const file = await createNode().open(edition, 'en', PERSONS);
    expect(file.size).toBeUndefined();
    const size = (await readAll(file.read())).length;
    statements = 0;
    const again = await createNode().open(edition, 'en', PERSONS);
    expect(again.size).toBe(size);
    expect(await again.measure()).toBe(size);
    expect(statements).toBe(0);
  });

  test('a file that has been read in part is not known', async () => {
    const dumps = createNode();
    const file = await dumps.open(edition, 'en', PERSONS);
    for await (const _ of file.read()) break;
    expect((await dumps.open(edition, 'en', PERSONS)).size).toBeUndefined();
  });

  test('what is not known is not read from its midst', async () => {
    const file = await createNode().open(edition, 'en', PERSONS);
    expect(() => file.read(1)).toThrow(RangeError);
  });

  test('those who ask for the outline at once wait for one making', async () => {
    const dumps = createNode();
    const [one, other] = await Promise.all(
      [1, 2].map(async () => (await dumps.open(edition, 'en', PERSONS)).outline()),
    );
    expect(one).toEqual(other);
    expect(statements).toBe(4);
  });

  test('a part is made of the records in it alone', async () => {
    const file = await createNode().open(edition, 'en', PERSONS);
    const { starts, bytes } = await file.outline();
    expect(starts).toHaveLength(4);
    statements = 0;
    const last = await readAll((await createNode().open(edition, 'en', PERSONS)).read(bytes - 10));
    expect(last.toString()).toMatch(/\}\n$/);
    expect(last).toHaveLength(10);
    expect(statements).toBe(1);
  });

  test('another base URL has another outline', async () => {
    const queries = createTextQueries(database);
    const baseUrl = 'https://another.test';
    const other = createDumps({ queries, baseUrl, reader: createRecordReader(queries, baseUrl) }, files);
    const [one, two] = await Promise.all(
      [createNode(), other].map(async (dumps) => (await dumps.open(edition, 'en', PERSONS)).outline()),
    );
    expect(one?.sha256).not.toBe(two?.sha256);
  });

  test('outlines are swept with their edition', async () => {
    await (await createNode().open(edition, 'nl', PERSONS)).outline();
    const gone = files.path({ key: '00000000-0000-4000-8000-000000000000' }, 'nl.persons.jsonl.outline');
    await writeFile(gone, '{}');
    await files.sweep();
    const kept = await outlines();
    expect(kept).not.toContain(gone);
    expect(kept.filter((file) => file.includes(edition.key)).length).toBeGreaterThan(0);
    const [text] = await Promise.all(
      kept.filter((file) => file.includes('nl.persons')).map((file) => readFile(file, 'utf8')),
    );
    expect(JSON.parse(text ?? '')).toHaveProperty('sha256');
  });

  test('others get their turn between the parts, and while editions are compared', async () => {
    const before = await served(1);
    const file = await createNode().open(edition, 'en', PERSONS);
    expect(await turnsDuring(() => readAll(file.read()))).toBeGreaterThanOrEqual(4);
    expect(await turnsDuring(() => findChanges(database, before, edition))).toBeGreaterThanOrEqual(8);
  });

  test('a dump that cannot be finished is cut, and not taken for whole', async () => {
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
      const short = server.fetch('/en/api/dump/subjects.csv').then((response) => response.text());
      await expect(short).rejects.toThrow();
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

/** How often something else of the process could run. */
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
