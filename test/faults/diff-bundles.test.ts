import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { ITSELF, startApi, startShared } from '../support/api-server.ts';
import { writeDatedBundle } from '../support/dated-bundle.ts';
import { SAMPLE } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runHere } from './run-here.ts';

const NOTHING = '0 added, 0 changed, 0 removed.\n';

describe.each(['sample', 'dated', 'fixture'] as const)('a harvest of the archive %s', (name) => {
  let harvest: string;
  let bundle: string;
  beforeAll(async () => {
    harvest = await temporaryFolder();
    bundle = name === 'dated' ? await writeDatedBundle(join(await temporaryFolder(), 'bundle')) : SAMPLE;
    const { baseUrl } =
      name === 'dated'
        ? await startApi({ engine: 'sqlite', bundle, settings: { BASE_URL: ITSELF } })
        : await startShared(name, 'sqlite', { BASE_URL: ITSELF });
    const command = ['harvest', '--base-url', baseUrl, '--out', harvest, '--format', 'jsonl'];
    expect(await runHere(command)).toMatchObject({ code: 0 });
  });

  test.each(['tables', 'lines', 'tables.xlsx'])('does not differ from the same as %s', async (form) => {
    const out = join(await temporaryFolder(), form);
    expect(
      await runApiHere(['convert', harvest, out, ...(form === 'lines' ? ['--to', 'jsonl'] : [])]),
    ).toMatchObject({
      code: 0,
    });
    for (const [old, now] of [
      [harvest, out],
      [out, harvest],
    ] as const) {
      expect(await runHere(['diff', old, now])).toMatchObject({ code: 0, stdout: '', stderr: NOTHING });
    }
  });

  if (name !== 'fixture') {
    test('differs from the bundle that was published by nothing', async () => {
      expect(await runHere(['diff', bundle, harvest])).toMatchObject({
        code: 0,
        stdout: '',
        stderr: NOTHING,
      });
    });
  }
});

test('a changed table, and what cannot be compared', async () => {
  const [folder, bundle] = [
    await temporaryFolder(),
    await writeDatedBundle(join(await temporaryFolder(), 'bundle')),
  ];
  const tables = join(folder, 'tables');
  expect((await runApiHere(['convert', bundle, tables])).code).toBe(0);
  const persons = join(tables, 'persons.csv');
  const text = await readFile(persons, 'utf8');
  await writeFile(persons, text.replace('1850~', '1851~'));
  expect((await runHere(['diff', bundle, tables, '--format', 'csv'])).stdout).toMatch(
    /^changed,person,[0-9a-f-]{36},Anna,birth_date\r$/m,
  );

  await writeFile(persons, text.replace('birth_date', 'born'));
  const refused = async () => (await runHere(['diff', bundle, tables])).stderr;
  expect(await refused()).toContain(`${tables}: persons.csv:1: born: is not a column of persons.csv; `);
  await writeFile(persons, text);
  const events = join(tables, 'events.csv');
  await writeFile(events, (await readFile(events, 'utf8')).replace('Werf', 'Nergens'));
  expect(await refused()).toContain(
    `${tables}: events.csv:2: location: refers to the location "Nergens", which is not in locations.csv`,
  );
  await rm(tables, { recursive: true });
  expect(await refused()).toContain('contains no records');
});
