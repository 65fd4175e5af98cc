import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { decodeHTML } from 'entities';
import { createDatabase, type Engine } from '../support/create-database.ts';
import { freePort } from '../support/free-port.ts';
import { stopChild } from './processes.ts';
import { processorTime } from './processor-time.ts';

const PROJECT = fileURLToPath(new URL('./django', import.meta.url));
/** The second is the system's own, in case another one precedes it in the PATH. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const WORKERS = '2';
const THREADS = '4';
const START_SECONDS = 30;

const ORIGIN_OF_LINK = /"https?:\/\/[^/"]+\/en\//g;

/** The archive served by Django REST Framework. */
export interface Django {
  origin: string;
  /** CPU time of its workers so far, in milliseconds. */
  processorTime(): number;
  stop(): Promise<void>;
}

/** A Python with Django REST Framework, gunicorn and the driver for the engine; undefined if there is none. */
export async function findDjango(engine: Engine): Promise<string | undefined> {
  const modules = `rest_framework, gunicorn${engine === 'mysql' ? ', MySQLdb' : ''}`;
  for (const python of PYTHONS) {
    const found = await promisify(execFile)(python, ['-c', `import ${modules}`]).then(
      () => true,
      () => false,
    );
    if (found) return python;
  }
  return undefined;
}

/**
 * Stores a bundle in a new database, and serves it with gunicorn.
 *
 * @param mysqlUrl address of the MySQL or MariaDB server; null if there is none
 * @throws Error if the bundle cannot be stored, or the server does not start
 */
export async function startDjango(
  python: string,
  engine: Engine,
  mysqlUrl: string | null,
  bundle: string,
): Promise<Django> {
  const database = await createDatabase(engine, mysqlUrl);
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DJANGO_SETTINGS_MODULE: 'archive.settings',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (server?.exitCode === null) await stopChild(server);
    await database.drop();
  };
  try {
    await promisify(execFile)(python, ['-m', 'django', 'load', bundle], { cwd: PROJECT, env });
    const address = `127.0.0.1:${await freePort()}`;
    const gunicorn = ['-m', 'gunicorn', '--workers', WORKERS, '--threads', THREADS, '--log-level', 'warning'];
    server = spawn(python, [...gunicorn, '--bind', address, 'django.core.wsgi:get_wsgi_application()'], {
      cwd: PROJECT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const origin = `http://${address}`;
    await untilAnswered(`${origin}/en/api/persons`);
    const pid = server.pid ?? 0;
    return { origin, processorTime: () => processorTime(pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilAnswered(url: string): Promise<void> {
  const ends = Date.now() + START_SECONDS * 1000;
  while (true) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > ends) throw new Error(`${url}: no answer in ${START_SECONDS} s`);
    await sleep(100);
  }
}

/**
 * Checks that both give the same page, except for the order of lists: Django's is that of the database.
 *
 * @throws Error if they do not
 */
export async function assertSamePage(ours: string, django: string, path: string): Promise<void> {
  const [mine, theirs] = await Promise.all(
    [ours, django].map(async (origin) => {
      const text = await (await fetch(origin + path)).text();
      return sortedLists(JSON.parse(text.replaceAll(ORIGIN_OF_LINK, '"/en/')));
    }),
  );
  if (!isDeepStrictEqual(mine, theirs)) throw new Error(`${path}: Django answers something else`);
}

/**
 * Checks that both have the same content on their pages: records, words and structured data. The long text is left out,
 * because ours is cleaned, and its notes are sorted.
 *
 * @throws Error if they do not
 */
export async function assertSameContent(
  ours: string,
  django: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const [mine, theirs] = await Promise.all(
      [ours, django].map(async (origin) => contentOf(await (await fetch(origin + path)).text())),
    );
    if (!isDeepStrictEqual(mine, theirs)) throw new Error(`${path}: Django shows something else`);
  }
}

/** The links to the page of a record. */
const RECORD = /(?:personen|onderwerpen|locaties|gebeurtenissen)\/[0-9a-f-]{36}/g;
const LONG_TEXT = /<div class="prose".*?<\/div>/s;
const LINKED_DATA = /<script type="application\/ld\+json">(.*?)<\/script>/s;

/** The content of a page, unordered: the order of records of the same day, and of the parts of a page, may differ. */
function contentOf(html: string) {
  const page = html.replaceAll(/https?:\/\/[^/\s]+(?=\/(?:en|nl)\/)/g, '').replace(LONG_TEXT, '');
  const data: unknown = JSON.parse(LINKED_DATA.exec(page)?.[1] ?? 'null');
  const text = decodeHTML(page.replace(LINKED_DATA, '').replaceAll(/<[^>]*>/g, ' '));
  return {
    records: page.match(RECORD)?.toSorted(),
    words: text.split(/\s+/).toSorted(),
    metadata: page.match(/<meta [^>]*>/g)?.map((tag) => decodeHTML(tag.replace('/>', '>'))),
    data,
  };
}

function sortedLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortedLists).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, sortedLists(part)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
