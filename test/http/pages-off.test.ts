import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startShared } from '../support/api-server.ts';
import { listEveryPath } from '../support/every-path.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIST_LOADED = fileURLToPath(new URL('../support/list-loaded.ts', import.meta.url));

/** What else there is for programs. */
const PROTOCOLS = [
  ...['ttl', 'jsonld', 'nt'].flatMap((form) => [`/id/${uuidOf('person', 101)}.${form}`, `/dataset.${form}`]),
  `/id/${uuidOf('event', 301)}`,
  '/dataset',
  '/oai?verb=Identify',
  '/oai?verb=ListRecords&metadataPrefix=oai_dc',
  '/en/reconcile',
  `/en/reconcile?queries=${encodeURIComponent('{"q":{"query":"nummer"}}')}`,
  '/en/reconcile/suggest/entity?prefix=n',
  '/en/archive.nt.gz',
  '/en/api/dump/supplement.jsonl',
  '/robots.txt',
  '/',
  '/no-such-path',
];

test('PAGES=off loads nothing of the pages, whatever a program asks', async () => {
  const file = join(await temporaryFolder(), 'loaded.txt');
  const settings = { PAGES: 'off', NODE_OPTIONS: `--import=${LIST_LOADED}`, LOADED: file };
  const archive = await startShared('fixture', 'sqlite', settings);
  const loaded = async () => [...new Set((await readFile(file, 'utf8')).split('\n'))];
  const ofPages = async () =>
    (await loaded()).filter((url) => /packages\/site\/|\/routes\/pages\//.test(url));
  const ask = async (path: string, accept: string) => {
    const response = await archive.fetch(path, { redirect: 'manual', headers: { accept } });
    await response.arrayBuffer();
    return response.status;
  };

  const paths = (await listEveryPath(archive.origin)).filter(
    (path) => !/docs|problems|favicon|assets/.test(path),
  );
  const statuses: number[] = [];
  for (const path of [...paths, ...PROTOCOLS]) statuses.push(await ask(path, 'application/json, */*;q=0.1'));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(60);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect((await loaded()).some((url) => url.endsWith('/formats/dist/oai.js'))).toBe(true);
  expect(await ofPages()).toEqual([]);

  expect(await ask('/en/docs', 'text/html')).toBe(200);
  expect((await ofPages()).some((url) => url.endsWith('/site/dist/docs.js'))).toBe(true);
});
