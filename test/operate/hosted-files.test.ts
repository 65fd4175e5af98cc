import { mkdir, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { runApiHere } from '../support/api-here.ts';
import { type Settings, settingsFor } from '../support/api-process.ts';
import { type ApiServer, ITSELF, publishServed, serveDatabase } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';
import { getJson } from '../support/walk.ts';

const png = (text: string) => Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1');
const PERSON = uuidOf('person', 1);
const LARGE = 300_000;

describeEngines('files that an archive hosts (%s)', (engine) => {
  let original: ApiServer;
  let originalDatabase: TestDatabase;
  let copyDatabase: TestDatabase;
  /** Media folders of the original and of the copy. */
  let there: string;
  let here: string;

  const pictureOf = (id: number, path: string) => ({
    id: id + 100,
    uuid: uuidOf('person', id),
    title_nl: `Persoon ${id}`,
    image: { id, uuid: uuidOf('person', id + 500), filetype: 'image', title: 'x', alt: 'y', path },
  });
  async function publishOriginal(paths: readonly string[], args: string[] = []): Promise<void> {
    const persons = paths.map((path, index) => pictureOf(index + 1, path));
    await publishServed(originalDatabase, { person: persons }, { server: original, args });
  }
  const settingsOf = (database: TestDatabase) => ({
    ...settingsFor(database),
    FOLLOW_DIR: join(database.folder, 'follow'),
    MEDIA_DIR: here,
  });
  const follow = (settings: Settings = settingsOf(copyDatabase)) =>
    runApiHere(['follow', original.origin, '--once', '--media'], settings);
  const filesIn = async (folder: string) => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    return names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted();
  };

  beforeAll(async () => {
    originalDatabase = await createTestDatabase(engine);
    copyDatabase = await createTestDatabase(engine);
    there = join(originalDatabase.folder, 'media');
    here = join(copyDatabase.folder, 'media');
    await mkdir(join(there, 'a b'), { recursive: true });
    for (const [name, text] of [
      ['a b/één.png', 'one'],
      ['two.png', 'two'],
      ['large.png', 'x'.repeat(LARGE)],
    ] as const)
      await writeFile(join(there, name), png(text));
    await publishOriginal(['two.png']);
    original = await serveDatabase(originalDatabase, { BASE_URL: ITSELF, MEDIA_DIR: there });
    const elsewhere = ['http://127.0.0.1:1/media/far.png', `${original.baseUrl}/other/near.png`];
    const tricks = ['..%2f..%2fout.png', '%2e%2e/out.png', '.hidden.png', 'page.html'];
    const odd = tricks.map((name) => `${original.baseUrl}/media/${name}`);
    await publishOriginal(['a b/één.png', 'two.png', 'large.png', 'none.png', ...elsewhere, ...odd]);
  });

  test('are harvested with size and SHA-256 in the proof, only inside the folder, and verified', async () => {
    const folder = join(originalDatabase.folder, 'harvest');
    const harvest = (...args: string[]) =>
      runHere(['harvest', '--base-url', original.origin, '--out', folder, '--format', 'jsonl', ...args]);
    expect(await harvest()).toMatchObject({ code: 0 });
    expect(await readdir(folder)).not.toContain('media');
    const ended = await harvest('--media', '--max-page-size', '0.2');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toMatch(
      /Left out: .*large\.png: the response is larger than the limit of 200000 bytes/,
    );
    expect(ended.stderr).toMatch(/Left out: .*none\.png: .*404/);
    expect(ended.stderr).toContain('2 files of the archive in');
    expect(await filesIn(join(folder, 'media'))).toEqual(['a b/één.png', 'two.png']);
    const proof = JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8'));
    expect(proof.files).toContainEqual({
      name: 'media/two.png',
      bytes: 11,
      sha256: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect((await runHere(['verify', folder])).code).toBe(0);
    await writeFile(join(folder, 'media/two.png'), png('not'));
    const changed = await runHere(['verify', folder]);
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.stderr).toContain('media/two.png: its content has changed');

    // An update takes what the harvest had, and what was not there.
    await rm(join(folder, 'media/two.png'));
    expect(await runHere(['harvest', '--update', folder])).toMatchObject({ code: 0 });
    expect(await filesIn(join(folder, 'media'))).toEqual(['a b/één.png', 'large.png', 'two.png']);
    expect((await runHere(['verify', folder])).code).toBe(0);

    // What others put there stays; a folder that leads elsewhere is refused.
    const other = join(originalDatabase.folder, 'other');
    await mkdir(join(other, 'media'), { recursive: true });
    await writeFile(join(other, 'media/two.png'), png('mine'));
    const again = () => runHere(['harvest', '--base-url', original.origin, '--out', other, '--media']);
    expect(await again()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('two.png is another file'),
    });
    expect(await readFile(join(other, 'media/two.png'))).toEqual(png('mine'));
    await rm(join(other, 'media'), { recursive: true });
    await mkdir(join(other, 'media'));
    await symlink(originalDatabase.folder, join(other, 'media/a b'));
    expect(await again()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is outside the folder'),
    });
  });

  test('are published by a copy that has them, and named at the original where it has not', async () => {
    const folder = join(originalDatabase.folder, 'harvest');
    const database = await createTestDatabase(engine);
    await unlink(join(folder, 'media/large.png'));
    await runApiHere(['publish', folder], { ...settingsFor(database), MEDIA_DIR: join(folder, 'media') });
    const copy = await serveDatabase(database, { BASE_URL: ITSELF, MEDIA_DIR: join(folder, 'media') });
    const pathOf = async (id: number) =>
      (await getJson<{ image: { path: string } }>(copy, `/en/api/persons/${uuidOf('person', id)}`)).image
        .path;
    expect(await pathOf(1)).toBe(`${copy.baseUrl}/media/a%20b/%C3%A9%C3%A9n.png`);
    expect(await pathOf(3)).toBe(`${original.baseUrl}/media/large.png`);
    expect(await pathOf(5)).toBe('http://127.0.0.1:1/media/far.png');
    expect(Buffer.from(await (await fetch(await pathOf(1))).arrayBuffer())).toEqual(png('one'));
  });

  test('in own pages and as logo are told by check where they are missing, and copied with the harvest', async () => {
    const page = (file: string) => `# Over\n\nTekst.\n\n![Huis](${file}) ![Weg](none.png)\n`;
    const pages = { nl: { about: page('two.png') }, en: { about: page('two.png') } };
    const database = await createTestDatabase(engine);
    const bundle = await writeBundle(join(database.folder, 'bundle'), {});
    const within = '# Colofon\n\n![Weg](gone.png)\n';
    const words = {
      ...{ title: { nl: 'Proef', en: 'Test' }, logo: 'logo.png' },
      pages: { nl: { colophon: within }, en: { colophon: within } },
    };
    await writeFile(join(there, 'logo.png'), png('logo'));
    await writeFile(join(bundle, 'archive.json'), JSON.stringify(words));
    await mkdir(join(bundle, 'pages'));
    for (const language of LANGUAGES)
      await writeFile(join(bundle, 'pages', `about.${language}.md`), pages[language].about);
    const settings = { ...settingsFor(database), MEDIA_DIR: there };
    const { stdout, stderr } = await runApiHere(['check', bundle, '--media', there], settings);
    expect(stdout + stderr).toContain(`pages/about.nl.md:5: "none.png" is not in ${there}`);
    expect(stdout + stderr).toContain(`archive.json: pages.nl.colophon: "gone.png" is not in ${there}`);
    expect(stdout + stderr).not.toContain('"two.png"');

    await runApiHere(['publish', bundle], settings);
    const served = await serveDatabase(database, { BASE_URL: ITSELF, MEDIA_DIR: there });
    const folder = join(database.folder, 'harvest');
    const args = ['harvest', '--base-url', served.origin, '--out', folder, '--format', 'jsonl', '--media'];
    const harvested = await runHere(args);
    expect(harvested).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Left out: .*none\.png: .*404/),
    });
    expect(await filesIn(join(folder, 'media'))).toEqual(['logo.png', 'two.png']);

    const copied = await createTestDatabase(engine);
    const media = { MEDIA_DIR: join(folder, 'media') };
    expect(await runApiHere(['publish', folder], { ...settingsFor(copied), ...media })).toMatchObject({
      code: 0,
    });
    const copy = await serveDatabase(copied, { BASE_URL: ITSELF, ...media });
    const about = await (await copy.fetch('/nl/about/')).text();
    expect(about).toContain('<img src="../../media/two.png"');
    expect(about).toContain('src="../../media/logo.png"');
    expect(about).toContain(`<img src="${served.baseUrl}/media/none.png"`);
  });

  test('follow the original: new ones, changed ones, and those that are gone', async () => {
    const unset = await follow({ ...settingsOf(copyDatabase), MEDIA_DIR: 'off' });
    expect(unset).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('MEDIA_DIR: expected the folder'),
    });
    expect(await follow()).toMatchObject({ code: 0 });
    const copy = await serveDatabase(copyDatabase, { BASE_URL: ITSELF, MEDIA_DIR: here });
    expect(await filesIn(here)).toEqual(['a b/één.png', 'large.png', 'two.png']);
    const person = await getJson<{ image: { path: string } }>(copy, `/en/api/persons/${PERSON}`);
    expect(person.image.path).toBe(`${copy.baseUrl}/media/a%20b/%C3%A9%C3%A9n.png`);

    // Unchanged ones are not sent again; a scan that is corrected has no new edition.
    const before = await stat(join(here, 'two.png'));
    await writeFile(join(there, 'large.png'), png('corrected'));
    await writeFile(join(here, 'own.png'), png('own'));
    expect(await follow()).toMatchObject({ code: 0 });
    expect((await stat(join(here, 'two.png'))).mtimeMs).toBe(before.mtimeMs);
    expect(await readFile(join(here, 'large.png'))).toEqual(png('corrected'));

    await unlink(join(there, 'large.png'));
    await writeFile(join(there, 'new.png'), png('new'));
    await publishOriginal(['a b/één.png', 'none.png', 'new.png'], ['--keep', '2']);
    expect(await follow()).toMatchObject({ code: 0 });
    // Edition 2 is still listed, and names two.png.
    expect(await filesIn(here)).toEqual(['a b/één.png', 'new.png', 'own.png', 'two.png']);
    await publishOriginal(['new.png'], ['--keep', '1']);
    expect(await follow()).toMatchObject({ code: 0 });
    expect(await filesIn(here)).toEqual(['new.png', 'own.png']);
  });
});
