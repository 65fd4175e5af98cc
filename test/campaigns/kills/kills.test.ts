import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { beforeAll, expect, inject, test } from 'vitest';
import { publishHere, runApiHere } from '../../support/api-here.ts';
import { settingsFor, startProcess } from '../../support/api-process.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { hashEdition, orphansIn, type Row, readTables } from '../../support/read-tables.ts';
import { expireLeases, KILL_AT, publishDuring, startStruck } from '../../support/struck-process.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

/** Every write in nightly, which runs on both engines; else each third of those that differ in more than values. */
const IS_EACH = inject('engines').length > 1;
const SHARE = 3;

/** Statements that change nothing: before and after them, a database is as it is after the last write. */
const READ = /^\s*(?:select|show|pragma (?!wal_checkpoint))/i;

/** Number of archives that are changed in parallel. */
const ARCHIVES = 3;

const MINUTES = IS_EACH ? 60 : 10;

/** The moment at which a process is killed or stopped: at a statement, from 1. */
interface Moment {
  at: number;
  when: 'before' | 'after';
  sql: string;
}

/** The statements of a command that runs to its end, in order. */
async function statementsOf(database: TestDatabase, args: readonly string[]): Promise<string[]> {
  const file = join(database.folder, 'statements.json');
  const environment = { NODE_OPTIONS: `--import=${KILL_AT}`, STATEMENTS: file };
  const { code, stderr } = await startProcess(args, settingsFor(database, environment)).ended;
  expect(code, stderr).toBe(0);
  return JSON.parse(await readFile(file, 'utf8'));
}

/** The moments before and after each write among the statements of a command. */
function momentsOf(statements: readonly string[]): Moment[] {
  const writes = statements.flatMap((sql, index) =>
    READ.test(sql) ? [] : [{ at: index + 1, sql: formOf(sql) }],
  );
  return chosenOf(writes).flatMap((one) => [
    { ...one, when: 'before' },
    { ...one, when: 'after' },
  ]);
}

/**
 * The moments before each write, and each transaction, that begins when none is open. A process that is stopped within one
 * holds its locks, and so keeps others out.
 */
function pausesOf(statements: readonly string[]): Moment[] {
  let open = 0;
  const pauses = statements.flatMap((sql, index) => {
    const isFree = open === 0;
    if (/^begin;?$/i.test(sql)) open += 1;
    if (/^(?:commit|rollback);?$/i.test(sql)) open -= 1;
    const form = statements
      .slice(index, open > 0 ? index + 3 : index + 1)
      .map(formOf)
      .join(' ');
    return isFree && !READ.test(sql) ? [{ at: index + 1, sql: form }] : [];
  });
  return chosenOf(pauses).map((one) => ({ ...one, when: 'before' }));
}

/** The statements at which a campaign strikes. */
function chosenOf<One extends { sql: string }>(found: readonly One[]): One[] {
  if (IS_EACH) return [...found];
  const first = new Map(found.toReversed().map((one) => [one.sql, one]));
  return found.filter((one) => first.get(one.sql) === one).filter((_, index) => index % SHARE === 0);
}

/** A statement without its values and their number. */
function formOf(sql: string): string {
  return sql
    .replaceAll(/x?'(?:[^'\\]|\\.|'')*'|\b\d+\b/gis, '?')
    .replaceAll(/\?(?:, ?\?)+/g, '?')
    .replaceAll(/\(\?\)(?:, ?\(\?\))+/g, '(?)')
    .replaceAll(/\d+/g, '');
}

const servedIn = (tables: ReadonlyMap<string, Row[]>) => Number(tables.get('served')?.[0]?.['edition']);
const editionsIn = (tables: ReadonlyMap<string, Row[]>) =>
  (tables.get('editions') ?? []).map(({ id }) => Number(id)).toSorted((a, b) => a - b);

describeEngines('a killed or stopped process (%s)', (engine) => {
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
    const { signal, code, stderr } = await startStruck(archive, args, moment).ended;
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

  /** Stops a change of an archive, publishes what it would delete, continues it, and publishes the same again. */
  async function outlive(archive: TestDatabase, args: readonly string[], moment: Moment): Promise<boolean> {
    await serveAnother(archive);
    const { isStopped, code, stderr } = await publishDuring(archive, args, moment, bundles.other);
    const next = args[1] ?? bundles.base;
    const after = await readTables(archive);
    // A process that was stopped before it took the lease goes on as the next one.
    const allowed = code === 0 ? [bundles.other, next] : [bundles.other];
    if (isStopped) expect(allowed.map((of) => hashes.get(of))).toContain(hashEdition(after, servedIn(after)));
    if (code !== 0) expect(stderr).toContain('has taken over the publish lease');
    expect(orphansIn(after)).toEqual({});
    await publishHere(archive, next, ['--keep', '2']);
    const last = await readTables(archive);
    expect(hashEdition(last, servedIn(last))).toBe(hashes.get(next));
    expect(orphansIn(last)).toEqual({});
    return isStopped;
  }

  /** Tries every moment, on several archives at once. @returns at how many the process was struck */
  async function tryAll(
    moments: readonly Moment[],
    attempt: (archive: TestDatabase, moment: Moment) => Promise<boolean>,
  ): Promise<number> {
    const queue = moments.values();
    let struck = 0;
    const work = async (archive: TestDatabase) => {
      for (const moment of queue) {
        const isStruck = await attempt(archive, moment).catch((error) => {
          throw new Error(`${moment.when} statement ${moment.at}: ${moment.sql.slice(0, 200)}`, {
            cause: error,
          });
        });
        if (isStruck) struck += 1;
      }
    };
    await Promise.all(archives.map(work));
    return struck;
  }

  test.each(['publish', 'update', 'rollback'] as const)(
    'that is stopped in a %s until another has published changes nothing that is served',
    { timeout: MINUTES * 60_000 },
    async (what) => {
      const args = {
        publish: ['publish', bundles.base, '--keep', '1', '--force', '--whole'],
        update: ['publish', bundles.edited, '--keep', '1'],
        rollback: ['rollback'],
      }[what];
      const [first] = archives;
      if (!first) throw new Error('there is no archive');
      await serveAnother(first);
      const moments = pausesOf(await statementsOf(first, args));
      const stops = await tryAll(moments, (archive, moment) => outlive(archive, args, moment));
      expect(stops).toBeGreaterThan(moments.length * 0.8);
      process.stdout.write(`${what} on ${engine}: ${stops} stops\n`);
    },
  );

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
      const moments = momentsOf(await statementsOf(first, args));
      await publishHere(first, bundles.base, ['--keep', '2']);
      const kills = await tryAll(moments, (archive, moment) => survive(archive, args, moment));
      // A process that renews its lease less often, or finds versions of an edition that is kept, may end before its last statements.
      expect(kills).toBeGreaterThan(moments.length * 0.8);
      process.stdout.write(`${what} on ${engine}: ${kills} kills\n`);
    },
  );

  test('that has begun a migration is completed by the next one', {
    timeout: MINUTES * 60_000,
  }, async () => {
    const whole = await createTestDatabase(engine);
    const moments = momentsOf(await statementsOf(whole, ['migrate']));
    const tables = await describeTables(whole);
    await whole.drop();
    expect(Object.keys(tables)).toContain('editions');
    // Nearly every statement of a migration is another one.
    for (const moment of moments.filter((_, index) => IS_EACH || index % 10 === 0)) {
      const database = await createTestDatabase(engine);
      expect(await startStruck(database, ['migrate'], moment).ended).toMatchObject({ signal: 'SIGKILL' });
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
