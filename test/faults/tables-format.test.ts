import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveUuid } from '@archiefkast/formats';
import { expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { ITSELF, startApi, startShared } from '../support/api-server.ts';
import { SAMPLE } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runHere } from './run-here.ts';

test('a harvest as tables can be added to: each has a uuid of its own, which it keeps', async () => {
  const { baseUrl } = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
  const harvest = async (out: string) => {
    const command = ['harvest', '--base-url', baseUrl, '--out', out, '--format', 'jsonl'];
    expect(await runHere(command)).toMatchObject({ code: 0 });
    return JSON.parse(await readFile(join(out, 'archive.json'), 'utf8'));
  };
  const mine = await temporaryFolder();
  const { uuid, title } = await harvest(mine);
  expect(title).toEqual(JSON.parse(await readFile(join(SAMPLE, 'archive.json'), 'utf8')).title);
  expect((await harvest(await temporaryFolder())).uuid).not.toBe(uuid);
  expect((await harvest(mine)).uuid).toBe(uuid);
  expect((await runHere(['verify', mine])).code).toBe(0);

  const tables = join(mine, 'tables');
  expect(await runApiHere(['convert', mine, tables])).toMatchObject({ code: 0 });
  const persons = join(tables, 'persons.csv');
  const header = (await readFile(persons, 'utf8')).replace('\ufeff', '').split('\r\n', 1)[0] ?? '';
  const added = header.split(',').map((name) => ({ id: '9001', title_nl: 'Nieuw' })[name] ?? '');
  const archive = join(tables, 'archive.csv');
  const described = await readFile(archive, 'utf8');
  const own = described.replace(/address http[^,]*sha256 [0-9a-f]{64}/, '');
  expect(own.length).toBeLessThan(described.length);
  await writeFile(archive, own);
  await appendFile(persons, `${added.join(',')}\r\n`);
  const copy = await startApi({ engine: 'sqlite', bundle: tables });
  const { results } = await (await copy.fetch('/nl/api/search?q=id:9001')).json();
  expect(results).toMatchObject([{ instance: { uuid: deriveUuid(uuid, 'person/9001'), title_nl: 'Nieuw' } }]);
});
