import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { alignEditions, type Build, serve } from '../../same/archive.ts';
import { both, type Pair } from '../../same/ask.ts';
import { compareAnswers } from '../../same/compare-answers.ts';
import { Tags } from '../../same/normalise.ts';
import { Report } from '../../same/report.ts';
import { publishHere, runApiHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { copyToEdit } from '../../support/edited-bundle.ts';
import { hashEdition, orphansIn, type Row, readTables } from '../../support/read-tables.ts';
import {
  createTestDatabase,
  describeEngines,
  type Engine,
  type TestDatabase,
} from '../../support/test-database.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const PUBLISHES = 200;

/** Two blocks of persons and of events. */
const RECORDS = 3_000;

/** Publishes after which every row is compared, and those after which every answer is. */
const ROWS_EACH = 5;
const ANSWERS_EACH = 100;

const BASE_URL = 'https://archive.test';
const ARCHIVE = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day' };

/** Publishes two bundles into a database of its own, as the editions before a number and of it, the second as a whole. */
async function publishWhole(
  engine: Engine,
  before: string,
  bundle: string,
  edition: number,
): Promise<TestDatabase> {
  const fresh = await createTestDatabase(engine);
  expect(await runApiHere(['migrate'], settingsFor(fresh))).toMatchObject({ code: 0 });
  const database = openDatabase(fresh);
  if (engine === 'sqlite') await database('sqlite_sequence').insert({ name: 'editions', seq: edition - 2 });
  else await database.raw('alter table editions auto_increment = ?', [edition - 1]);
  await database.destroy();
  await publishHere(fresh, before);
  await publishHere(fresh, bundle, ['--whole']);
  return fresh;
}

/** Forgets changes of records before the last two editions, which whole publishes do not know. */
async function forgetOlderChanges(prepared: TestDatabase, edition: number): Promise<void> {
  const database = openDatabase(prepared);
  const { published_at } = await database('editions')
    .where({ id: edition - 1 })
    .first();
  const entries = database('entries').whereNotNull('changed_at');
  await entries
    .clone()
    .where({ edition })
    .update({ changed_at: Date.parse(published_at) });
  await entries.where({ edition: edition - 1 }).update({ changed_at: null });
  await database.destroy();
}

async function compareServers(databases: Pair<TestDatabase>, edition: number, report: Report): Promise<void> {
  const builds: Pair<Build> = [databaseOf(databases[0]), databaseOf(databases[1])];
  await alignEditions(builds, undefined);
  const servers = await both(serve, builds);
  const comparison = {
    engine: databases[0].engine,
    each: 100,
    isChosen: () => true,
    isPartial: true,
    report,
  };
  const options = { phase: `edition ${edition}`, baseUrl: BASE_URL, tags: new Tags() };
  await compareAnswers(servers, comparison, { ...options, editions: [String(edition - 1), String(edition)] });
  await both(({ stop }) => stop(), servers);
}

function databaseOf(database: TestDatabase): Build {
  return { checkout: ROOT, database, settings: settingsFor(database, { BASE_URL }) };
}

describeEngines('small publishes in a row (%s)', (engine) => {
  test('give what whole publishes of the same bundles give', { timeout: 5_400_000 }, async () => {
    const prepared = await createTestDatabase(engine);
    const generated = await makeBundle(prepared.folder, { records: RECORDS, seed: 3, busyPlace: 40 });
    const bundle = await copyToEdit(generated, join(prepared.folder, 'edited'), 11);
    await writeFile(join(bundle.folder, 'archive.json'), JSON.stringify(ARCHIVE));
    await publishHere(prepared, bundle.folder);
    const before = join(prepared.folder, 'before');
    const report = new Report(() => false);
    for (let edition = 2; edition <= PUBLISHES + 1; edition += 1) {
      await cp(bundle.folder, before, { recursive: true });
      await bundle.edit(1 + (edition % 7) * 3);
      await publishHere(prepared, bundle.folder);
      if (edition % ROWS_EACH > 0) continue;
      const fresh = await publishWhole(engine, before, bundle.folder, edition);
      const [small, whole] = [await readTables(prepared), await readTables(fresh)];
      expect(orphansIn(small), `edition ${edition}`).toEqual({});
      expect(hashEdition(small, edition), `edition ${edition}`).toBe(hashEdition(whole, edition));
      expect(changesIn(small, edition), `edition ${edition}`).toEqual(changesIn(whole, edition));
      await forgetOlderChanges(prepared, edition);
      if (edition % ANSWERS_EACH === 0) await compareServers([fresh, prepared], edition, report);
      await fresh.drop();
    }
    expect(report.summary()).toMatch(/, 0 different/);
  });
});

function changesIn(tables: ReadonlyMap<string, Row[]>, edition: number): string[] {
  const rows = (tables.get('changes') ?? []).filter((row) => row['edition'] === edition);
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
