import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COLLECTIONS, KINDS, LANGUAGES, type Language } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../../support/api-here.ts';
import { runApi, settingsFor } from '../../support/api-process.ts';
import { ITSELF, startApi, type TestArchive } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { writeBundle, writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { needs } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ENGINES } from '../../support/test-database.ts';
import { walkArchive, walkTexts } from '../../support/walk.ts';
import { savedByLibreOffice } from '../tables/save-in-office.ts';

const ARCHIVE_CLI = fileURLToPath(new URL('../../../apps/cli/bin/archive-cli.js', import.meta.url));

const ELSEWHERE = 'http://elsewhere.test';

/** With MySQL available, an archive moves from SQLite to it. */
const [FROM = 'sqlite', TO = 'sqlite'] = ENGINES;

/** A bundle made from the pages of all lists. */
async function walk(archive: TestArchive, language: Language, folder: string): Promise<string> {
  return writeBundle(join(folder, `walked-${language}`), await walkArchive(archive, language));
}

/** A bundle made by the harvester. */
async function harvest(archive: TestArchive, language: Language, folder: string): Promise<string> {
  const out = join(folder, `harvested-${language}`);
  const options = ['--base-url', archive.origin, '--lang', language, '--out', out, '--format', 'jsonl'];
  await promisify(execFile)(process.execPath, [ARCHIVE_CLI, 'harvest', ...options]);
  return out;
}

/** A bundle exported from the database by archive-api. */
async function exportServed(archive: TestArchive, _: Language, folder: string): Promise<string> {
  const out = join(folder, 'exported');
  const { code, stdout, stderr } = await runApi(['extract', out], settingsFor(archive.database));
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Exported edition 1 to /) });
  expect(stderr).toContain('Unpublished records are not included');
  return out;
}

/** The tables of a harvest: a folder of CSV files, or a workbook. */
const inTables = (name: string) => async (archive: TestArchive, language: Language, folder: string) => {
  const own = await mkdtemp(join(folder, 'in-tables-'));
  const tables = join(own, name);
  const harvested = await harvest(archive, language, own);
  expect(await runApiHere(['convert', harvested, tables])).toMatchObject({ code: 0, stderr: '' });
  return tables;
};

/** A workbook of a harvest, as LibreOffice saves it. */
const savedAgain = async (...of: Parameters<typeof harvest>) =>
  savedByLibreOffice(await inTables('opened.xlsx')(...of));

/** Every page of every list, by list and language. */
async function everything(archive: TestArchive): Promise<Map<string, string[]>> {
  const pages = new Map<string, string[]>();
  for (const language of LANGUAGES) {
    for (const list of [...KINDS.map((kind) => COLLECTIONS[kind]), 'search', 'search?q=last_name:a']) {
      const path = `/${language}/api/${list}`;
      pages.set(path, await walkTexts(archive, path));
    }
  }
  return pages;
}

type Copy = typeof walk;

/** How a copy is made, in which language and by what, with the programs that it needs. */
type Way = readonly [how: string, language: Language, copy: Copy, ...programs: string[]];

const WAYS: readonly Way[] = [
  ['walked', 'en', walk],
  ['walked', 'nl', walk],
  ['harvested by archive-cli', 'en', harvest],
  ['harvested by archive-cli', 'nl', harvest],
  ['exported by archive-api', 'nl', exportServed],
  ['as CSV tables', 'en', inTables('tables')],
  ['as a workbook', 'nl', inTables('tables.xlsx')],
];

/** Archives, and how they are copied. LibreOffice changes some characters of the fixture. */
const SOURCES: readonly [name: string, make: (folder: string) => Promise<string>, ways: readonly Way[]][] = [
  ['the fixture', (folder) => writeFixture(join(folder, 'fixture')), WAYS],
  [
    'generated records',
    (folder) => makeBundle(folder, { records: 150, seed: 4 }),
    [...WAYS, ['as a workbook saved by LibreOffice', 'en', savedAgain, 'soffice']],
  ],
];

describe.each(SOURCES)(`a harvest from ${FROM} can be published on ${TO}: %s`, (_, make, ways) => {
  let folder: string;
  let original: TestArchive;
  let pages: Map<string, string[]>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    original = await startApi({ engine: FROM, bundle: await make(folder), settings: { BASE_URL: ITSELF } });
    pages = await everything(original);
  });

  for (const [how, language, copy, ...programs] of ways) {
    const name = `${how} in ${language}: the same bodies in both languages, but for the base URL`;
    test(name, needs(...programs), async () => {
      const bundle = await copy(original, language, folder);
      const settings = { BASE_URL: ELSEWHERE };
      const copied = await startApi({ engine: TO, bundle, settings });
      try {
        for (const [path, texts] of await everything(copied)) {
          expect(
            texts.map((text) => text.replaceAll(ELSEWHERE, original.baseUrl)),
            path,
          ).toEqual(pages.get(path));
        }
      } finally {
        await copied.stop();
      }
    });
  }
});
