import { once } from 'node:events';
import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IndexedRecord } from '../search/build/record-values.ts';
import { buildSearchIndex } from '../search/build/write-index.ts';
import { parseQuery, SearchUnavailable } from '../search/index.ts';
import { openSearchIndex } from '../search/thread/open-index.ts';
import { createEditionIndex, type EditionIndex } from './edition-index.ts';

const QUERY = parseQuery('last_name:vos');
const FREE = parseQuery('tak');

describe('the index of an edition', { timeout: 60_000 }, () => {
  let folder: string;
  let file: string;
  let lines: { level: number; msg: string; nextTryInSeconds?: number; err?: { message: string } }[];
  let builds: number;
  let index: EditionIndex;
  /** Awaited before each record during a build. */
  let beforeRecord: () => Promise<void>;

  async function* records(): AsyncGenerator<IndexedRecord> {
    for (let id = 1; id <= 200; id += 1) {
      await beforeRecord();
      yield {
        kind: 'person',
        record: { id, uuid: `person ${id}`, last_name: 'Vos', content_nl: `tik tak ${id} `.repeat(20) },
      };
    }
  }
  const build = () => buildSearchIndex(file, records());
  const count = async (query = QUERY) => (await index.ask((open) => open.search(query, 0, 1))).count;
  const messages = () => lines.map(({ msg }) => msg);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-edition-index-'));
    file = join(folder, 'index.sqlite');
    lines = [];
    builds = 0;
    beforeRecord = async () => {};
    index = createEditionIndex(
      {
        openFile: async () => openSearchIndex(file),
        async rebuild({ signal, onBegin }) {
          builds += 1;
          onBegin?.();
          await buildSearchIndex(file, records(), signal);
        },
        closedError: () => new Error('the edition is no longer kept'),
      },
      pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) }),
    );
  });
  afterEach(async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('refuses queries a second after a build has started, until it is complete', async () => {
    const gate = Promise.withResolvers<void>();
    beforeRecord = () => gate.promise;
    const started = performance.now();
    await expect(count()).rejects.toThrow(SearchUnavailable);
    expect(performance.now() - started).toBeGreaterThan(900);
    const again = performance.now();
    await expect(count()).rejects.toThrow(SearchUnavailable);
    expect(performance.now() - again).toBeLessThan(900);
    gate.resolve();
    await expect.poll(() => count().catch(() => 0), { timeout: 10_000 }).toBe(200);
    expect(builds).toBe(1);
  });

  test.each([
    ['cut', () => truncate(file, 5_000)],
    ['emptied', () => truncate(file, 0)],
    ['overwritten', () => writeFile(file, 'x'.repeat(100_000))],
  ])('recovers without a restart after its file was %s', async (_, damage) => {
    await build();
    await index.open();
    await damage();
    await expect(count(FREE)).rejects.toThrow(SearchUnavailable);
    await expect.poll(() => count(FREE).catch(() => 0), { timeout: 10_000 }).toBe(200);
    expect(builds).toBe(1);
    expect(messages()[0]).toContain('was lost');
  });

  test('is not rebuilt if it cannot be opened temporarily', async () => {
    await build();
    await rename(file, `${file}.away`);
    const socket = createServer().listen(file);
    await expect(index.open()).rejects.toThrow('unable to open database file');
    await expect(count()).rejects.toThrow(SearchUnavailable);
    socket.close();
    await once(socket, 'close');
    await rename(`${file}.away`, file);
    await expect.poll(() => count().catch(() => 0), { timeout: 10_000 }).toBe(200);
    expect(builds).toBe(0);
  });

  test('logs each failed build once, and is tried again by queries after longer and longer pauses', async () => {
    beforeRecord = () => Promise.reject(new Error('the database is away'));
    await expect(index.open()).rejects.toThrow('the database is away');
    for (let asked = 0; asked < 20; asked += 1) await expect(count()).rejects.toThrow(SearchUnavailable);
    const failures = async () => {
      await expect(count()).rejects.toThrow(SearchUnavailable);
      return lines.filter(({ level }) => level === 50).length;
    };
    await expect.poll(failures, { timeout: 5_000 }).toBe(2);
    expect(
      lines
        .filter(({ level }) => level === 50)
        .map(({ msg, err, nextTryInSeconds }) => [msg, err?.message, nextTryInSeconds]),
    ).toEqual([
      ['the search index cannot be opened', 'the database is away', 1],
      ['the search index cannot be opened', 'the database is away', 2],
    ]);
    expect(builds).toBe(2);
  });
});
