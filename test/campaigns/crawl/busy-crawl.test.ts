import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ITSELF, startApi, type TestArchive } from '../../support/api-server.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { getJson } from '../../support/walk.ts';

const run = promisify(execFile);
const CLIENTS = fileURLToPath(new URL('clients.ts', import.meta.url));

/** How many crawlers search at once, and for how long, in seconds. */
const CRAWLERS = 200;
const SECONDS = 20;

/** What a reader waits for a page, at most in 95 of 100 cases, in milliseconds. */
const MOST_MILLISECONDS = 100;

interface Answers {
  statuses: Record<string, number>;
  milliseconds: number[];
}

describe('a crawl of search that does not obey', needs('taskset', 'real-archive'), () => {
  let archive: TestArchive;
  let pages: string[];
  let words: string[];
  beforeAll(async () => {
    archive = await startApi({
      engine: 'sqlite',
      bundle: placeOf('real-archive'),
      settings: { BASE_URL: ITSELF },
    });
    await run('taskset', ['-acp', '0', String(archive.process.pid)]);
    const lists = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        getJson<{ results: { url: string; last_name: string }[] }>(archive, `/nl/api/persons?page=${at + 1}`),
      ),
    );
    const persons = lists.flatMap(({ results }) => results);
    pages = persons.map(({ url }) => new URL(url).pathname);
    words = persons
      .map(({ last_name: name }) => encodeURIComponent(name.replace(/\W.*/, '')))
      .filter(Boolean);
  }, 600_000);

  /** Clients on the other core. */
  async function send(
    role: 'crawlers' | 'reader',
    clients: number,
    values: readonly string[],
  ): Promise<Answers> {
    const args = [CLIENTS, role, archive.origin, String(clients), String(SECONDS), values.join(' ')];
    const { stdout } = await run('taskset', ['-c', '1', process.execPath, ...args], { maxBuffer: 2 ** 28 });
    return JSON.parse(stdout);
  }
  const p95 = ({ milliseconds }: Answers) =>
    Math.round(milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length * 0.95)] ?? 0);

  test('leaves a reader beside it served', { timeout: 300_000 }, async () => {
    const alone = await send('reader', 1, pages.slice(0, 100));
    const [crawlers, reader] = await Promise.all([
      send('crawlers', CRAWLERS, words),
      send('reader', 1, pages.slice(100)),
    ]);
    const report = {
      alone: p95(alone),
      reader: p95(reader),
      crawlers: crawlers.statuses,
      read: reader.statuses,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(
      Object.keys(crawlers.statuses).filter((status) => !['200', '400', '503'].includes(status)),
    ).toEqual([]);
    expect(Object.keys(reader.statuses)).toEqual(['200']);
    expect(report.reader).toBeLessThanOrEqual(MOST_MILLISECONDS);
  });
});
