import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveUuid } from '@archiefkast/formats';
import { beforeAll, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import type { ApiServer } from '../support/api-server.ts';
import { endAtLast } from '../support/leftovers.ts';
import { SAMPLE } from '../support/sample.ts';
import { runHere } from './run-here.ts';
import { serveBundle, serveSample } from './serve-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await serveSample({ onTestFinished: endAtLast });
});

const harvest = (folder: string, format: string) =>
  runHere(['harvest', '--base-url', server.baseUrl, '--out', folder, '--format', format]);

test('tables are made of a harvest by the other program, as --format tables says', async (context) => {
  const { code, stderr } = await harvest(await temporaryFolder(context), 'tables');
  expect(code).toBe(2);
  expect(stderr).toContain('--format jsonl, and make tables of the folder with: archive-api convert');
});

test('a harvest as tables can be added to: each has a uuid of its own, which it keeps', async (context) => {
  const uuidIn = async (folder: string) => {
    expect(await harvest(folder, 'jsonl')).toMatchObject({ code: 0 });
    return JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8'));
  };
  const [mine, yours] = [await temporaryFolder(context), await temporaryFolder(context)];
  const { uuid, title } = await uuidIn(mine);
  expect(title).toEqual(JSON.parse(await readFile(join(SAMPLE, 'archive.json'), 'utf8')).title);
  expect((await uuidIn(yours)).uuid).not.toBe(uuid);
  expect((await uuidIn(mine)).uuid).toBe(uuid);
  expect((await runHere(['verify', mine])).code).toBe(0);

  const tables = join(mine, 'tables');
  expect(await runApiHere(['convert', mine, tables])).toMatchObject({ code: 0 });
  const persons = join(tables, 'persons.csv');
  const header = (await readFile(persons, 'utf8')).replace('\ufeff', '').split('\r\n', 1)[0] ?? '';
  const added = header.split(',').map((name) => ({ id: '9001', title_nl: 'Nieuw' })[name] ?? '');
  await appendFile(persons, `${added.join(',')}\r\n`);
  const copy = await serveBundle(context, 'sqlite', tables);
  const { results } = await (await copy.fetch('/nl/api/search?q=id:9001')).json();
  expect(results).toMatchObject([{ instance: { uuid: deriveUuid(uuid, 'person/9001'), title_nl: 'Nieuw' } }]);
});
