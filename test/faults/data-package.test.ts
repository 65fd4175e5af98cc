import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbook } from '@archiefkast/formats';
import { expect, test } from 'vitest';
import { ITSELF, startShared } from '../support/api-server.ts';
import { packageFaults } from '../support/data-package-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runHere } from './run-here.ts';

test('datapackage.json describes every file, including those of an earlier export', async (context) => {
  const server = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
  const folder = await temporaryFolder();
  expect((await runHere(['harvest', '--base-url', server.baseUrl, '--out', folder])).code).toBe(0);
  expect((await runHere(['export', folder, '--format', 'geojson,sqlite,xlsx'])).code).toBe(0);
  const described = JSON.parse(await readFile(join(folder, 'datapackage.json'), 'utf8'));
  expect(packageFaults(described)).toEqual([]);
  const index = await (await server.fetch('/en/api')).json();
  expect(described).toMatchObject({ title: index.title, version: '1' });
  const paths: string[] = described.resources.map(({ path }: { path: string }) => path);
  const files = (await readdir(folder)).filter(
    (name) => !/^(datapackage|harvest|manifest|archive\.json)/.test(name),
  );
  expect(paths.toSorted()).toEqual(files.toSorted());
  for (const { path, bytes, hash } of described.resources) {
    const content = await readFile(join(folder, path));
    const sum = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    expect({ bytes: content.length, hash: sum }).toEqual({ bytes, hash });
  }
  const workbook = await openWorkbook(join(folder, 'archive.xlsx'));
  context.onTestFinished(() => workbook.close());
  const names = ['persons', 'subjects', 'locations', 'events', 'footnotes', 'files'];
  expect(workbook.sheets.map(({ name }) => name)).toEqual(names);
});
