import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import type { TestDatabase } from './create-database.ts';

const RELEASE = new URL('release-1.0.0/', import.meta.url);

/** The bundle that release 1.0.0 published: two editions of it, the second with one more event. */
export const RELEASED_BUNDLE = fileURLToPath(new URL('bundle', RELEASE));

/** Writes the database of release 1.0.0 into an empty one, then runs `more` (SQL) on it. */
export async function loadRelease(database: TestDatabase, more = ''): Promise<void> {
  const sql = (await readFile(new URL(`${database.engine}.sql`, RELEASE), 'utf8')) + more;
  if (database.engine === 'sqlite') {
    using file = new DatabaseSync(database.url.slice('sqlite:'.length));
    file.exec(sql);
    return;
  }
  const connection = await createConnection({ uri: database.url, multipleStatements: true });
  await connection.query(sql);
  await connection.end();
}

/** The responses of release 1.0.0: paths and bodies. */
export async function releasedAnswers(): Promise<[path: string, body: string][]> {
  return Object.entries(JSON.parse(await readFile(new URL('answers.json', RELEASE), 'utf8')));
}
