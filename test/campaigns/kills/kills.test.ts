import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { beforeAll, expect, inject, test } from 'vitest';
import { publishHere, runApiHere } from '../../support/api-here.ts';
import { type Ended, settingsFor, startProcess } from '../../support/api-process.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { hashEdition, orphansIn, type Row, readTables } from '../../support/read-tables.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

/** Every write in nightly, which runs on both engines; else the first of those that differ in values only. */
const IS_EACH = inject('engines').length > 1;

/** Statements that change nothing: before and after them, a database is as it is after the last write. */
const READ = /^\s*(?:select|show|pragma (?!wal_checkpoint))/i;

/** Number of archives that are changed in parallel. */
const ARCHIVES = 3;

const MINUTES = IS_EACH ? 60 : 10;

const KILL_AT = fileURLToPath(new URL('../../support/kill-at.ts', import.meta.url));

/** The moment at which a process is killed: at a statement, from 1. */
interface Moment {
  at: number;
  when: 'before' | 'after';
  sql: string;
}

/** Runs a command in a process that is killed at that moment, if it gets that far. */
function run(database: TestDatabase, args: readonly string[], moment: Moment): Promise<Ended> {
  const environment = { NODE_OPTIONS: `--import=${KILL_AT}`, KILL_AT: String(moment.at) };
  return startProcess(args, settingsFor(database, { ...environment, KILL_WHEN: moment.when })).ended;
}

/** The moments of a command that runs to its end: before and after each of its writes. */
async function momentsOf(database: TestDatabase, args: readonly string[]): Promise<Moment[]> {
  const file = join(database.folder, 'statements.json');
  const environment = { NODE_OPTIONS: `--import=${KILL_AT}`, STATEMENTS: file };
  const { code, stderr } = await startProcess(args, settingsFor(database, environment)).ended;
  expect(code, stderr).toBe(0);
  const statements: string[] = JSON.parse(await readFile(file, 'utf8'));
  const seen = new Set<string>();
  const chosen = statements.flatMap((sql, index) => {
    const form = formOf(sql);
    const isChosen = !READ.test(sql) && (IS_EACH || !seen.has(form));
    seen.add(form);
    return isChosen ? [{ at: index + 1, sql: form.slice(0, 100) }] : [];
  });
  return chosen.flatMap((one) => [
    { ...one, when: 'before' },
    { ...one, when: 'after' },
  ]);
}

/** A statement without its values and their number. */
function formOf(sql: string): string {
  return sql
    .replaceAll(/x?'(?:[^'\\]|\\.|'')*'|\b\d+\b/gis, '?')
    .replaceAll(/\?(?:, ?\?)+/g, '?')
    .replaceAll(/\(\?\)(?:, ?\(\?\))+/g, '(?)')
    .replaceAll(/\d+/g, '');
}

/** Lets the next process have the leases of a killed one at once. */
async function expireLeases(prepared: TestDatabase): Promise<void> {
  const database = openDatabase(prepared);
  if (await database.schema.hasTable('leases')) await database('leases').update({ holder: null, until: 0 });
  await database.destroy();
}

const servedIn = (tables: ReadonlyMap<string, Row[]>) => Number(tables.get('served')?.[0]?.['edition']);
const editionsIn = (tables: ReadonlyMap<string, Row[]>) =>
  (tables.get('editions') ?? []).map(({ id }) => Number(id)).toSorted((a, b) => a - b);

describeEngines('a killed process (%s)', (engine) => {
  const archives: TestDatabase[] = [];
  /** Bundles: one that is served before, another one, and the first one with a few changes. */
  const bundles = { base: '', other: '', edited: '' };
  /** What an edition of each bundle has. */
  const hashes = new Map<string, string>();

  beforeAll(async () => {
    for (let more = 0; more < ARCHIVES; more += 1) archives.push(await createTestDatabase(engine));
    const [first] = archives;
    if (!first) throw new Error('there is no archive');
    bundles.base = await makeBundle(first.folder, { records: 20, seed: 1 });
    bundles.other = await makeBundle(first.folder, { records: 20, seed: 2 });
    bundles.edited = await edited(bundles.base, join(first.folder, 'edited'));
    for (const bundle of Object.values(bundles)) {
      const fresh = await createTestDatabase(engine);
      await publishHere(fresh, bundle);
      hashes.set(bundle, hashEdition(await readTables(fresh), 1));
      await fresh.drop();
    }
    for (const archive of archives) await serveAnother(archive);
  });

  /** Serves the first bundle, after the other one: a roll-back revives records, and takes others away. */
  async function serveAnother(archive: TestDatabase): Promise<void> {
    for (const bundle of [bundles.other, bundles.base]) await publishHere(archive, bundle, ['--keep', '2']);
  }

  /** Kills a change of an archive that serves the first bundle, and publishes that again. */
  async function survive(archive: TestDatabase, args: readonly string[], moment: Moment): Promise<boolean> {
    if (args[0] === 'rollback') await serveAnother(archive);
    const before = await readTables(archive);
    const { signal, code, stderr } = await run(archive, args, moment);
    expect(signal ?? code, stderr).toBe(signal === null ? 0 : 'SIGKILL');
    await expireLeases(archive);

    const after = await readTables(archive);
    const served = servedIn(after);
    const isKept = editionsIn(before).includes(served);
    const expected = isKept ? hashEdition(before, served) : hashes.get(args[1] ?? '');
    expect(hashEdition(after, served)).toBe(expected);
    if (isKept && served !== servedIn(before)) expect(args).toEqual(['rollback']);

    await publishHere(archive, bundles.base, ['--keep', '2']);
    const next = await readTables(archive);
    const kept = [served, servedIn(next)];
    expect(hashEdition(next, servedIn(next))).toBe(hashes.get(bundles.base));
    expect(editionsIn(next)).toEqual(kept);
    expect(orphansIn(next)).toEqual({});
    const compared = (next.get('editions') ?? []).map((row) => row['compared_with']);
    expect(compared.filter((id) => id !== null && !kept.includes(Number(id)))).toEqual([]);
    const keys = (next.get('editions') ?? []).map(({ key }) => String(key));
    const files = await readdir(join(archive.folder, 'derived'), { recursive: true });
    const indexes = files.filter((name) => name.endsWith('.sqlite'));
    expect(indexes.filter((name) => !keys.some((key) => name.includes(key)))).toEqual([]);
    return signal !== null;
  }

  test.each(['publish', 'update', 'rollback'] as const)(
    'that has begun a %s leaves one whole edition served, and nothing for the next publish to keep',
    { timeout: MINUTES * 60_000 },
    async (what) => {
      const args = {
        publish: ['publish', bundles.other, '--keep', '2'],
        update: ['publish', bundles.edited, '--keep', '2'],
        rollback: ['rollback'],
      }[what];
      const [first] = archives;
      if (!first) throw new Error('there is no archive');
      await serveAnother(first);
      const moments = await momentsOf(first, args);
      await publishHere(first, bundles.base, ['--keep', '2']);
      const queue = moments.values();
      let kills = 0;
      const work = async (archive: TestDatabase) => {
        for (const moment of queue) {
          const isKilled = await survive(archive, args, moment).catch((error) => {
            throw new Error(`killed ${moment.when} statement ${moment.at}: ${moment.sql}`, { cause: error });
          });
          if (isKilled) kills += 1;
        }
      };
      await Promise.all(archives.map(work));
      // A process that renews its lease less often, or finds versions of an edition that is kept, may end before its last statements.
      expect(kills).toBeGreaterThan(moments.length * 0.8);
      process.stdout.write(`${what} on ${engine}: ${kills} kills\n`);
    },
  );

  test('that has begun a migration is completed by the next one', {
    timeout: MINUTES * 60_000,
  }, async () => {
    const whole = await createTestDatabase(engine);
    const moments = await momentsOf(whole, ['migrate']);
    const tables = await describeTables(whole);
    await whole.drop();
    expect(Object.keys(tables)).toContain('editions');
    // Nearly every statement of a migration is another one.
    for (const moment of moments.filter((_, index) => IS_EACH || index % 10 === 0)) {
      const database = await createTestDatabase(engine);
      expect(await run(database, ['migrate'], moment)).toMatchObject({ signal: 'SIGKILL' });
      await expireLeases(database);
      expect(await runApiHere(['migrate'], settingsFor(database)), moment.sql).toMatchObject({ code: 0 });
      expect(await describeTables(database), moment.sql).toEqual(tables);
      await database.drop();
    }
  });
});

/** A copy of a bundle with changed persons, and without its last event. */
async function edited(bundle: string, folder: string): Promise<string> {
  await mkdir(folder);
  for (const kind of KINDS)
    await copyFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`), join(folder, `${COLLECTIONS[kind]}.jsonl`));
  const change = async (name: string, work: (lines: string[]) => string[]) => {
    const lines = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
    await writeFile(join(folder, name), `${work(lines).join('\n')}\n`);
  };
  await change('persons.jsonl', ([first = '', ...others]) => [
    JSON.stringify({ ...JSON.parse(first), last_name: 'Veranderd' }),
    ...others,
  ]);
  await change('events.jsonl', (lines) => lines.slice(0, -1));
  return folder;
}

/** Every table and index as described by the database. */
async function describeTables(prepared: TestDatabase): Promise<Record<string, string>> {
  const database = openDatabase(prepared);
  try {
    if (prepared.engine === 'sqlite') {
      const rows: { name: string; sql: string }[] = await database('sqlite_master').whereNotNull('sql');
      return Object.fromEntries(rows.map(({ name, sql }) => [name, sql]));
    }
    const [rows]: object[][] = await database.raw('show tables');
    const names = (rows ?? []).map((row) => String(Object.values(row)[0]));
    const described = names.map(async (name) => {
      const [[table] = []]: Record<string, string>[][] = await database.raw('show create table ??', [name]);
      // Without the next auto-increment value, which depends on the number of rows.
      return [name, String(table?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '')];
    });
    return Object.fromEntries(await Promise.all(described));
  } finally {
    await database.destroy();
  }
}
