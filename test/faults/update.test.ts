import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { type ArchiveServerOptions, startArchive } from './archive-server.ts';
import { runHere } from './run-here.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function harvested(context: TestContext, options: ArchiveServerOptions) {
  const archive = await startArchive(options);
  context.onTestFinished(() => archive.stop());
  const parent = await temporaryFolder(context);
  const folder = join(parent, 'harvest');
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--format', 'csv,jsonl'];
  expect((await runHere(command)).code).toBe(0);
  const old = join(parent, 'old');
  await cp(folder, old, { recursive: true });
  archive.requests.length = 0;
  return { archive, folder, old };
}

const EXPECTED = [
  { change: 'changed', kind: 'person', title: 'Persoon 7, "de 7e"', fields: ['first_name', 'birth_date'] },
  { change: 'added', kind: 'person', title: 'Persoon 1001, "de 1001e"', fields: [] },
  { change: 'removed', kind: 'person', title: 'Persoon 20, "de 20e"', fields: [] },
];

function change({ ids, changed }: Awaited<ReturnType<typeof startArchive>>): void {
  changed.set('person 7', { first_name: 'Piet', birth_date: null });
  ids.person.splice(ids.person.indexOf(20), 1);
  ids.person.push(1001);
}

test.for([true, false])('reports what was added, changed and removed (ETags: %s)', async (etags, context) => {
  const { archive, folder, old } = await harvested(context, { etags });
  change(archive);
  const { code, stdout, stderr } = await runHere(['harvest', '--update', folder, '--report', 'json']);
  expect(code).toBe(0);
  expect(stderr).toContain('1 added, 1 changed, 1 removed.');
  expect(JSON.parse(stdout)).toMatchObject(EXPECTED);
  expect(await readFile(join(folder, 'persons.csv'), 'utf8')).toContain('Piet');
  expect(await readFile(join(folder, 'persons.jsonl'), 'utf8')).toContain('Persoon 1001');
  expect((await runHere(['verify', folder])).code).toBe(0);

  const table = await runHere(['diff', old, folder]);
  expect(table.stdout).toMatch(/^changed\tperson\t\S+007\tPersoon 7, "de 7e"\tfirst_name\|birth_date$/m);
  const csv = await runHere(['diff', old, folder, '--format', 'csv']);
  expect(csv.stdout).toContain(
    'changed,person,a0000000-0000-4000-8000-000000000007,"Persoon 7, ""de 7e""",first_name|birth_date\r\n',
  );
  const json = await runHere(['diff', old, folder, '--format', 'json']);
  expect(JSON.parse(json.stdout)).toEqual(JSON.parse(stdout));
});

test('unchanged pages are not sent again', async (context) => {
  const { archive, folder } = await harvested(context, { etags: true });
  const statuses: number[] = [];
  archive.onAnswer = (status) => statuses.push(status);
  const { code, stderr } = await runHere(['harvest', '--update', folder]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('0 added, 0 changed') });
  expect(statuses.filter((status) => status === 304)).toHaveLength(4 + 2 + 1 + 1);
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('changes are JSON lines with --json', async (context) => {
  const { archive, folder } = await harvested(context, {});
  change(archive);
  const { stdout } = await runHere(['harvest', '--update', folder, '--json']);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === 'change')).toMatchObject(EXPECTED);
});

test('the old harvest is kept if the archive changes during the update', async (context) => {
  const { archive, folder, old } = await harvested(context, {});
  archive.fault = ({ kind, page, envelope }) => {
    if (kind === 'person' && page === 2) envelope.total += 1;
  };
  const { code, stderr } = await runHere(['harvest', '--update', folder]);
  expect(code).toBe(3);
  expect(stderr).toContain('the harvest was left unchanged');
  expect(await readFile(join(folder, 'harvest.json'))).toEqual(await readFile(join(old, 'harvest.json')));
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('a folder without a finished harvest cannot be updated', async (context) => {
  const folder = await temporaryFolder(context);
  const { code, stderr } = await runHere(['harvest', '--update', folder]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${folder} contains no finished harvest; harvest into it first`);
});

test('folders with different kinds are not compared', async (context) => {
  const { archive, folder } = await harvested(context, {});
  const other = await temporaryFolder(context);
  await runHere(['harvest', 'events', '--base-url', archive.url, '--out', other]);
  const { code, stderr } = await runHere(['diff', folder, other]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${other} contains no person records`);
  expect((await runHere(['diff', join(other, 'none'), join(other, 'none')])).code).toBe(1);
});
