import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ApiServer } from '../support/api-server.ts';
import { endAtLast } from '../support/leftovers.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import { serveSample } from './serve-sample.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await serveSample({ onTestFinished: endAtLast });
});

test('search options become a query', async () => {
  const search = async (...args: string[]) => {
    const found = await runHere(['search', '--base-url', server.baseUrl, '--format', 'jsonl', ...args]);
    expect(found.code).toBe(0);
    return found.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  const all = await search('--all');
  const huygens = await search('huygens');
  expect(huygens.length).toBeLessThan(all.length);
  expect(await search('--', 'huygens')).toEqual(huygens);
  expect(await search('christiaan', 'huygens')).toEqual(await search('christiaan huygens'));
  expect(await search('christiaan', '--', 'huygens')).toEqual(await search('christiaan huygens'));
  const kinds = async (...args: string[]) =>
    new Set((await search('--all', ...args)).map(({ type }) => type));
  expect(await kinds('--kind', 'person', '--kind', 'events')).toEqual(new Set(['person', 'event']));
  expect(await kinds('--kind', 'persons')).toEqual(new Set(['person']));
  expect(await search('--last-name', 'huygens', '--last-name', 'nobody')).toEqual([]);
  const count = await runHere(['search', '--count', '--base-url', server.baseUrl, 'huygens']);
  expect(count.stdout).toBe(`${(await search('--all', 'huygens')).length}\n`);
  const persons = await runHere(['search', '--count', '--kind', 'persons', '--base-url', server.baseUrl]);
  expect(persons.stdout).toBe(`${all.filter(({ type }) => type === 'person').length}\n`);
});

test('a last name with its particle without results gets a hint', async () => {
  const search = ['search', '--base-url', server.baseUrl, '--last-name'];
  const { code, stderr } = await runHere([...search, 'van der Nobody']);
  expect(code).toBe(0);
  expect(stderr).toContain('stored without the particle "van der": try --last-name "Nobody".');
  expect((await runHere([...search, 'Nobody'])).stderr).toBe('Nothing was found.\n');
});

test('kinds can be singular or plural', async (context) => {
  const { archive, folder } = await startScene(context);
  const harvest = ['harvest', 'person', 'events', '--base-url', archive.url, '--out', folder];
  expect((await runHere(harvest)).code).toBe(0);
  expect((await runHere(['harvest', 'persons', 'event', ...harvest.slice(3)])).stderr).toContain('already');
});

test('an update keeps the options of the harvest, and rejects others', async (context) => {
  const { archive, folder } = await startScene(context);
  await runHere(['harvest', 'persons', 'events', '--base-url', archive.url, '--out', folder, '--bom']);
  const update = ['harvest', '--update', folder];
  archive.requests.length = 0;
  for (const [args, says] of [
    [['--lang', 'nl'], '--lang: --update keeps the language of the harvest'],
    [['--base-url', 'http://localhost:1'], '--base-url: --update keeps the address of the harvest'],
    [['locations'], '--update keeps the kinds of the harvest'],
  ] as const) {
    const { code, stderr } = await runHere([...update, ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
  }
  expect(archive.requests).toEqual([]);
  const same = ['events', 'persons', '--lang', 'en', '--base-url', archive.url, '--format', 'jsonl'];
  expect((await runHere([...update, ...same])).code).toBe(0);
  expect(await readFile(join(folder, 'persons.jsonl'), 'utf8')).toContain('Persoon 1');
  expect((await readFile(join(folder, 'persons.csv'))).subarray(0, 3).toString('hex')).toBe('efbbbf');
  expect((await runHere(['verify', folder])).code).toBe(0);
});
