import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { publishHere, serveHere } from '../support/api-here.ts';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { needs } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { getJson, type Json, type Page } from '../support/walk.ts';

/** The references of a file, each with its fields by tag. Every line has to be a field, and ends with CRLF. */
function referencesOf(file: string): Map<string, string>[] {
  const references: Map<string, string>[] = [];
  let fields = new Map<string, string>();
  for (const line of file.split('\r\n').slice(0, -1)) {
    const [, tag = '', value = ''] = /^([A-Z][A-Z0-9]) {2}- ([^\r\n]*)$/.exec(line) ?? [];
    expect(tag, line).not.toBe('');
    fields.set(tag, value);
    if (tag !== 'ER') continue;
    references.push(fields);
    fields = new Map();
  }
  expect(fields.size).toBe(0);
  return references;
}

/** The references in a file as bibutils reads them, as their identifiers. */
async function readByBibutils(file: string): Promise<string[]> {
  const path = join(await temporaryFolder(), 'hits.ris');
  await writeFile(path, file);
  const { stdout } = await promisify(execFile)('ris2xml', ['-i', 'utf8', path], { maxBuffer: 2 ** 26 });
  return [...stdout.matchAll(/<mods ID="([^"]*)">/g)].map(([, id = '']) => id);
}

describeFixture('hits as references', (archive) => {
  const read = async (path: string) => {
    const response = await archive().fetch(path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-research-info-systems; charset=utf-8');
    return await response.text();
  };
  const hitsOf = async (path: string) => {
    const hits: Json[] = [];
    for (let link: string | null = path; link !== null; ) {
      const page: Page = await getJson<Page>(archive(), link);
      hits.push(...page.results.map(({ instance }) => instance as Json));
      link = page.next;
    }
    return hits;
  };
  const QUERIES = ['', 'q=leiden', 'q=nederlands&sort=-date', 'q=last_name:nummer&sort=name', 'q=-leiden'];

  describe.each(['en', 'nl'])('%s', (language) => {
    test.each(QUERIES)('"%s": every hit, in the order of search', async (query) => {
      const hits = await hitsOf(`/${language}/api/search?${query}`);
      const references = referencesOf(await read(`/${language}/api/search.ris?${query}`));
      expect(references.map((fields) => fields.get('ID'))).toEqual(hits.map(({ uuid }) => uuid));
      expect(references.map((fields) => fields.get('UR'))).toEqual(hits.map(({ url }) => url));
      const titles = hits.map(({ title, name }) =>
        String(title ?? name)
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim(),
      );
      for (const [index, title] of titles.entries())
        if (title !== '') expect(references[index]?.get('TI')).toBe(title);
      expect(hits.length).toBeGreaterThan(1);
    });
  });

  test('bibutils reads every reference', needs('ris2xml'), async () => {
    const file = await read('/en/api/search.ris');
    const uuids = referencesOf(file).map((fields) => fields.get('ID'));
    expect(await readByBibutils(file)).toEqual(uuids);
    expect(uuids.length).toBeGreaterThan(50);
  });

  test('the page of a record links to its own reference', async () => {
    const [reference = new Map()] = referencesOf(await read('/en/api/search.ris?q=kind:person'));
    const address = new URL(String(reference.get('UR')).slice(BASE_URL.length), 'http://archive.test');
    const page = await (await archive().fetch(address.pathname)).text();
    const [, link = ''] = /<a href="([^"]*search\.ris[^"]*)"/.exec(page) ?? [];
    const { pathname, search } = new URL(link, address);
    expect(referencesOf(await read(pathname + search))).toEqual([reference]);
  });

  test('a query that finds nothing gives an empty file', async () => {
    expect(await read('/en/api/search.ris?q=nobodyatall')).toBe('');
  });

  test.each([
    ['q=lastname:x', 400, 'invalid-query'],
    ['sort=size', 400, 'invalid-sort'],
    ['edition=99', 404, 'no-such-edition'],
  ])('%s gets %i %s', async (query, status, problem) => {
    const response = await archive().fetch(`/en/api/search.ris?${query}`);
    expect([response.status, (await response.json()).type]).toEqual([
      status,
      `${BASE_URL}/problems/${problem}`,
    ]);
  });
});

test('a reference has its fields on one line each, for the command line as from the archive', async () => {
  const bundle = await writeBundle(await temporaryFolder(), {
    person: [
      {
        ...{ id: 1, uuid: uuidOf('person', 1), title_nl: 'Anna\nER  - ', title_en: 'Anne' },
        ...{ summary_nl: 'Regel een\r\nTY  - BOOK', summary_en: '' },
      },
      { id: 2, uuid: uuidOf('person', 2), title_nl: 'Bram' },
    ],
  });
  const words = { title: { nl: 'Proef', en: 'Test' }, publisher: { nl: 'Wij', en: 'We' } };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify(words));
  const database = await createTestDatabase('sqlite');
  await publishHere(database, bundle);
  const server = await serveHere(database, { BASE_URL });
  const response = await fetch(`${server.origin}/nl/api/search.ris?q=regel`);
  const day = new Date(response.headers.get('last-modified') ?? '').toISOString().slice(0, 10);
  const text = await response.text();
  expect(text).toBe(
    [
      'TY  - ELEC',
      `ID  - ${uuidOf('person', 1)}`,
      'TI  - Anna ER -',
      'T2  - Proef',
      'PB  - Wij',
      `PY  - ${day.slice(0, 4)}`,
      `DA  - ${day.replaceAll('-', '/')}`,
      'ET  - 1',
      'LA  - nl',
      'AB  - Regel een TY - BOOK',
      `UR  - ${BASE_URL}/nl/personen/${uuidOf('person', 1)}/`,
      'ER  - ',
      '',
    ].join('\r\n'),
  );
  const search = (...args: string[]) => runHere(['search', ...args, '--base-url', server.origin]);
  expect(await search('regel', '--ris', '--lang', 'nl')).toEqual({ code: 0, stdout: text, stderr: '' });
  const all = await (await fetch(`${server.origin}/en/api/search.ris`)).text();
  expect(await search('--ris')).toMatchObject({ code: 0, stdout: all });
  expect(await search('--kind', 'persons', '--ris')).toMatchObject({ code: 0, stdout: all });
  expect(await search('--ris', '--last-name', 'van x')).toMatchObject({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringContaining('Nothing was found.\nLast names are stored without the particle "van"'),
  });
  const refused = await search('lastname:x', '--ris');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('lastname');
  await server.stop();
});
