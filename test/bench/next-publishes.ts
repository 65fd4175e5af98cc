import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTextLines } from '@archiefkast/system';
import { createConnection } from 'mysql2/promise';
import type { TestDatabase } from '../support/create-database.ts';
import { measurePublish, type Program } from './processes.ts';

/** Records that are changed between two publishes. */
const CHANGED = 100;

/** The aim for the largest memory of a publish, in MB. */
export const MOST_MEGABYTES = 300;

/** A measured value of a publish after the first. */
interface NextPublish {
  scenario: string;
  unit: 'seconds' | 'MB';
  value: number;
  /** The aim, as a part of the duration of the first publish. */
  ofPublish?: number;
  /** The aim itself. */
  most?: number;
}

/** A published archive, and the bundle that was published. */
interface PublishedArchive {
  database: TestDatabase;
  bundle: string;
  records: number;
}

/**
 * Publishes the same bundle again, and then one with some records changed.
 *
 * @param program the program of another checkout instead of this one
 */
export async function measureNextPublishes(
  { database, bundle, records }: PublishedArchive,
  program?: Program,
): Promise<NextPublish[]> {
  const changed = await changeSome(bundle, Math.floor(records / CHANGED));
  const unchanged = await measurePublish(database, bundle, program);
  const before = await storedMegabytes(database);
  const next = await measurePublish(database, changed, program);
  const after = await storedMegabytes(database);
  return [
    { scenario: 'publish: unchanged', unit: 'seconds', value: unchanged.seconds, ofPublish: 0.4 },
    { scenario: 'publish: unchanged, written', unit: 'MB', value: unchanged.written },
    { scenario: `publish: ${CHANGED} changed`, unit: 'seconds', value: next.seconds, ofPublish: 0.75 },
    { scenario: `publish: ${CHANGED} changed, written`, unit: 'MB', value: next.written },
    {
      scenario: `publish: ${CHANGED} changed, largest memory`,
      unit: 'MB',
      value: next.peakMemory,
      most: MOST_MEGABYTES,
    },
    { scenario: `stored: database, ${CHANGED} changed`, unit: 'MB', value: after.database - before.database },
    { scenario: `stored: search index, ${CHANGED} changed`, unit: 'MB', value: after.search - before.search },
  ];
}

/** Copies a bundle next to it, with every n-th record changed. */
async function changeSome(bundle: string, each: number): Promise<string> {
  const changed = `${bundle}-changed`;
  await mkdir(changed, { recursive: true });
  let place = 0;
  for (const name of await readdir(bundle)) {
    if (!name.endsWith('.jsonl')) {
      await copyFile(join(bundle, name), join(changed, name));
      continue;
    }
    async function* lines() {
      for await (const { bytes, text = '' } of readTextLines(join(bundle, name))) {
        place += 1;
        const isChanged = place % each === 0;
        yield isChanged ? `${JSON.stringify({ ...JSON.parse(text), summary_nl: 'Gewijzigd.' })}\n` : bytes;
      }
    }
    await writeFile(join(changed, name), lines());
  }
  return changed;
}

/** Requests the manifest and the changes since the first edition, right after a publish, in milliseconds. */
export async function measureFirstReads(origin: string): Promise<{ scenario: string; value: number }[]> {
  const measured = [];
  // The first call of a process loads the client, in 40 ms.
  await fetch('data:,');
  for (const [scenario, path] of [
    ['manifest, first request', '/en/api/dump/manifest.json'],
    ['changes, first request', '/api/changes?since=1'],
  ] as const) {
    const started = performance.now();
    while (!(await isAnswered(origin + path))) await sleep(100);
    measured.push({ scenario, value: performance.now() - started });
  }
  return measured;
}

/** Whether a response is complete; releases before answered 503 while they prepared the manifest. */
async function isAnswered(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200 && response.status !== 503) throw new Error(`${url}: ${response.status}`);
  return response.status === 200;
}

/** Sizes of the database and of the search indexes, in MB. */
export async function storedMegabytes(database: TestDatabase): Promise<{ database: number; search: number }> {
  const names = await readdir(database.folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(database.folder, name))).size })),
  );
  const sum = (wanted: (name: string) => boolean) =>
    sizes.filter(({ name }) => wanted(name)).reduce((total, { size }) => total + size, 0) / 1e6;
  const search = sum((name) => name.startsWith('derived'));
  if (database.engine === 'sqlite') return { database: sum((name) => !name.startsWith('derived')), search };
  const connection = await createConnection({ uri: database.url });
  // Without this, the engine reports table sizes from before they were filled.
  await connection.query('analyze table editions, records, texts, links');
  const [rows] = await connection.query(
    'select sum(data_length + index_length) / 1e6 as size from information_schema.tables where table_schema = database()',
  );
  await connection.end();
  return { database: Number((rows as { size: string }[])[0]?.size ?? 0), search };
}
