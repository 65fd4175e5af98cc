import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { createDatabase, type Engine } from '../support/create-database.ts';
import { type RunningServer, startServer } from './processes.ts';

const PROJECT = fileURLToPath(new URL('./django', import.meta.url));
/** The second is the system's own, in case another one precedes it in the PATH. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const WORKERS = '2';
const THREADS = '4';

const ORIGIN_OF_LINK = /"https?:\/\/[^/"]+\/en\//g;

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
 * Stores a bundle in a new database, and serves it with gunicorn by Django REST Framework.
 *
 * @param mysqlUrl address of the MySQL or MariaDB server; null if there is none
 * @throws Error if the bundle cannot be stored, or the server does not start
 */
export async function startDjango(
  python: string,
  engine: Engine,
  mysqlUrl: string | null,
  bundle: string,
): Promise<RunningServer> {
  const database = await createDatabase(engine, mysqlUrl);
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DJANGO_SETTINGS_MODULE: 'archive.settings',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  try {
    await promisify(execFile)(python, ['-m', 'django', 'load', bundle], { cwd: PROJECT, env });
    const server = await startServer('/en/api/persons', (port) => {
      const gunicorn = [
        '-m',
        'gunicorn',
        '--workers',
        WORKERS,
        '--threads',
        THREADS,
        '--log-level',
        'warning',
      ];
      const args = [...gunicorn, '--bind', `127.0.0.1:${port}`, 'django.core.wsgi:get_wsgi_application()'];
      return spawn(python, args, { cwd: PROJECT, env, stdio: ['ignore', 'ignore', 'inherit'] });
    });
    const stop = async () => {
      await server.stop();
      await database.drop();
    };
    return { ...server, stop };
  } catch (error) {
    await database.drop();
    throw error;
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

function sortedLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortedLists).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, sortedLists(part)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
