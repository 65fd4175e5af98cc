import { expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { makeBundle } from '../support/bundles.ts';
import { hashEdition, orphansIn, readTables } from '../support/read-tables.ts';
import { publishDuring, type Struck } from '../support/struck-process.ts';
import { createTestDatabase, describeEngines } from '../support/test-database.ts';

const STOPS: readonly [where: string, Struck][] = [
  [
    'after it has listed the versions to delete',
    { when: 'after', like: 'not exists (select 1 from `entries`' },
  ],
  ['before it writes versions', { when: 'before', like: 'replace into versions' }],
];

describeEngines('a publish that is stopped until another has taken over its lease (%s)', (engine) => {
  test.each(STOPS)('%s, changes nothing afterwards', { timeout: 120_000 }, async (_, struck) => {
    const database = await createTestDatabase(engine);
    const [earlier, served] = [
      await makeBundle(database.folder, { records: 20, seed: 1 }),
      await makeBundle(database.folder, { records: 20, seed: 2 }),
    ];
    await publishHere(database, earlier);
    const whole = hashEdition(await readTables(database), 1);
    await publishHere(database, served);

    const args = ['publish', served, '--force', '--whole', '--keep', '1'];
    const { isStopped, code, stderr } = await publishDuring(database, args, struck, earlier);
    expect({ isStopped, code }).toEqual({ isStopped: true, code: 1 });
    expect(stderr).toContain('has taken over the publish lease');
    const tables = await readTables(database);
    expect(hashEdition(tables, Number(tables.get('served')?.[0]?.['edition']))).toBe(whole);
    expect(orphansIn(tables)).toEqual({});
  });
});
