import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { checkEdition } from '@archiefkast/archive-api/dist/publish/check-edition.js';
import { publish } from '@archiefkast/archive-api/dist/publish/publish.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { findEdition, listEditionIds, readServed } from '@archiefkast/archive-api/dist/storage/edition.js';
import { migrate } from '@archiefkast/archive-api/dist/storage/migrate.js';
import { BARE_ENVIRONMENT } from './api-process.ts';
import { makeBundle } from './bundles.ts';
import { openDatabase } from './database-of.ts';
import { publishing } from './publishing.ts';
import { createTestDatabase, type Engine, type TestDatabase } from './test-database.ts';

const PROGRAM = fileURLToPath(new URL('change-until.ts', import.meta.url));

/** The moment at which a process is killed. */
export interface Moment {
  what: 'publish' | 'switch';
  /** Number of the statement, from 1. */
  at: number;
  when: 'before' | 'after';
}

/** An archive whose editions are changed by processes that are killed. */
export interface ChangedArchive {
  /** Number of statements of a change that is not killed. */
  countStatements(what: Moment['what']): Promise<number>;
  /**
   * Kills a change, then publishes.
   *
   * @returns whether it was killed: a change that renews its lease less often may end before statement `at`
   * @throws Error if an incomplete edition is served, or anything remains that should have been deleted
   */
  survive(moment: Moment): Promise<boolean>;
  drop(): Promise<void>;
}

/** Creates a database with two editions, and bundles for more. */
export async function startChangedArchive(engine: Engine): Promise<ChangedArchive> {
  const prepared = await createTestDatabase(engine);
  const database = openDatabase(prepared);
  await migrate(database);
  const bundles: string[] = [];
  for (const seed of [1, 2, 3, 4]) bundles.push(await makeBundle(prepared.folder, { records: 40, seed }));
  const [first = '', second = '', third = '', fourth = ''] = bundles;
  const publishHere = (bundle: string) =>
    publish(bundle, { ...publishing(prepared, database), keep: 2, term: 300 });

  /** Restores the initial state: the served edition, and an older one that can be swept or switched to. */
  const begin = async () => {
    await publishHere(first);
    const { edition } = await publishHere(second);
    return edition.id;
  };
  const argumentsOf = async (what: Moment['what'], served: number): Promise<string[]> => {
    if (what === 'publish') return ['publish', third, '2'];
    const other = (await listEditionIds(database)).find((id) => id !== served);
    return ['switch', String(other)];
  };

  return {
    async countStatements(what) {
      const served = await begin();
      const { stdout, code } = await run(prepared, await argumentsOf(what, served), {});
      if (code !== 0) throw new Error(`a ${what} that was not killed ended with ${code}`);
      return Number(stdout);
    },
    async survive({ what, at, when }) {
      const served = await begin();
      const kept = await listEditionIds(database);
      const before = new Map<number, string>();
      for (const id of kept) before.set(id, await hashEdition(database, id));
      const environment = { KILL_AT: String(at), KILL_WHEN: when };
      const { signal, code } = await run(prepared, await argumentsOf(what, served), environment);
      if (signal !== 'SIGKILL' && code !== 0) throw new Error(`ended with ${signal ?? code}`);

      const now = await readServed(database);
      if (!now) throw new Error('no edition is served');
      if (now.edition !== served && what === 'switch' && !kept.includes(now.edition)) {
        throw new Error(`edition ${now.edition} is served without a switch to it`);
      }
      await requireWhole(database, now.edition);
      const known = before.get(now.edition);
      if (known !== undefined && known !== (await hashEdition(database, now.edition))) {
        throw new Error(`edition ${now.edition} has changed`);
      }
      const { edition } = await publishHere(fourth);
      await requireWhole(database, edition.id);
      await requireNothingLeft(database, [edition.id, now.edition]);
      return signal === 'SIGKILL';
    },
    async drop() {
      await database.destroy();
      await prepared.drop();
    },
  };
}

async function run(prepared: TestDatabase, args: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...BARE_ENVIRONMENT, DATABASE_URL: prepared.url, FOLDER: prepared.folder, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stdout = text(child.stdout);
  const [code, signal]: unknown[] = await once(child, 'exit');
  return { code, signal, stdout: await stdout };
}

async function requireWhole(database: Database, id: number): Promise<void> {
  const edition = await findEdition(database, id);
  if (!edition) throw new Error(`edition ${id} is served, but missing`);
  await checkEdition(database, id, edition.counts);
}

async function requireNothingLeft(database: Database, kept: readonly number[]): Promise<void> {
  const expected = [...new Set(kept)].toSorted((a, b) => a - b).join();
  for (const [table, column] of [
    ['editions', 'id'],
    ['records', 'edition'],
    ['texts', 'edition'],
    ['links', 'edition'],
    ['blocks', 'edition'],
  ] as const) {
    const found = await database(table).distinct(column).orderBy(column).pluck(column);
    if (found.join() !== expected) throw new Error(`${table} of ${found.join()}; expected ${expected}`);
  }
  const stray = await database('changes')
    .leftJoin('editions', 'editions.id', 'changes.edition')
    .whereNull('editions.compared_with')
    .orWhereNotIn('editions.compared_with', kept)
    .first('changes.edition');
  if (stray) throw new Error(`edition ${stray.edition} has changes since one that is not kept`);
}

/** Hash of all rendered texts and blocks of an edition. */
async function hashEdition(database: Database, edition: number): Promise<string> {
  const texts = await database('texts')
    .where({ edition })
    .orderBy(['language', 'form', 'position'])
    .pluck('text');
  const blocks = await database('blocks')
    .where({ edition })
    .orderBy(['language', 'dump', 'block'])
    .pluck('sha256');
  return createHash('sha256')
    .update([...texts, ...blocks].join('\n'))
    .digest('hex');
}
