import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COLLECTIONS, KINDS, LANGUAGES, type Language } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runApi, settingsFor } from '../../support/api-process.ts';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { writeBundle, writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { ENGINES } from '../../support/test-database.ts';
import { walkArchive, walkTexts } from '../../support/walk.ts';

const ARCHIVE_CLI = fileURLToPath(new URL('../../../apps/cli/bin/archive-cli.js', import.meta.url));

const ELSEWHERE = 'http://elsewhere.test';

/** With MySQL available, an archive moves from SQLite to it. */
const [FROM = 'sqlite', TO = 'sqlite'] = ENGINES;

const SOURCES = {
  'the fixture': (folder: string) => writeFixture(join(folder, 'fixture')),
  'generated records': (folder: string) => makeBundle(folder, { records: 150, seed: 4 }),
};

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
  const { code, stdout, stderr } = await runApi(['export', out], settingsFor(archive.database));
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Exported edition 1 to /) });
  expect(stderr).toContain('Unpublished records are not included');
  return out;
}

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

describe.each(Object.entries(SOURCES))(`a harvest from ${FROM} can be published on ${TO}: %s`, (_, make) => {
  let folder: string;
  let original: TestArchive;
  let pages: Map<string, string[]>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-round-trip-'));
    const port = await freePort();
    const settings = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    original = await startApi({ engine: FROM, bundle: await make(folder), settings });
    pages = await everything(original);
  });
  afterAll(async () => {
    await original?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['walked', 'en', walk],
    ['walked', 'nl', walk],
    ['harvested by archive-cli', 'en', harvest],
    ['harvested by archive-cli', 'nl', harvest],
    ['exported by archive-api', 'nl', exportServed],
  ] as const)(
    '%s in %s: the same bodies in both languages, but for the base URL',
    async (_how, language, copy) => {
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
    },
  );
});
