import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { makeBundle } from '../support/bundles.ts';
import { writeBundle, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { createTestDatabase, describeEngines } from '../support/test-database.ts';

let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-bundle-commands-'));
  bundle = await writeFixture(join(folder, 'fixture'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describeEngines('publishing the served bundle again (%s)', (engine) => {
  test('creates no new edition, and reports that; --force creates one', async () => {
    const database = await createTestDatabase(engine);
    try {
      const publish = (...more: string[]) => runApiHere(['publish', bundle, ...more], settingsFor(database));
      expect((await publish()).stdout).toMatch(/^Published edition 1: /);
      const again = await publish();
      expect(again.code).toBe(0);
      expect(again.stdout).toBe(
        'Unchanged: edition 1 has the same content, so nothing was published (use --force to publish anyway).\n',
      );
      expect((await publish('--force')).stdout).toMatch(/^Published edition \d+: /);
    } finally {
      await database.drop();
    }
  });
});

describe('check', () => {
  test('counts warnings, which are errors with --strict', async () => {
    const { code, stdout } = await runApiHere(['check', bundle]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\nNo faults, \d+ warnings: 23 persons, 12 subjects, 11 locations and 13 events\.\n$/,
    );
    const strict = await runApiHere(['check', bundle, '--strict']);
    expect(strict.code).toBe(1);
    expect(strict.stderr).toMatch(/^archive-api: the bundle has \d+ warnings \(--strict\)\n$/);
  });

  test('writes JSON', async () => {
    const { code, stdout } = await runApiHere(['check', bundle, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      counts: { person: 23 },
      warning_counts: { 'no-name': 4 },
    });
    const bad = await writeBundle(join(folder, 'bad'), { person: [{ id: 1 }] });
    const refused = await runApiHere(['check', bad, '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toEqual({
      ok: false,
      fault_count: 1,
      faults: [
        { file: 'persons.jsonl', line: 1, field: 'uuid', reason: 'is missing: every record needs a uuid' },
      ],
    });
  });

  test('counts the dates of which less than a day is known', async () => {
    const uuid = '3f1d2c4b-5a69-4788-9b0c-1d2e3f405162';
    const dated = await writeBundle(join(folder, 'dated'), {
      person: [{ id: 1, uuid, title_nl: 'x', title_en: 'x', birth_date: '1850', death_date: '1900-02' }],
    });
    const archive = { title: { nl: 'x', en: 'x' }, partial_dates: 'first-day' };
    await writeFile(join(dated, 'archive.json'), JSON.stringify(archive));
    expect((await runApiHere(['check', dated])).stdout).toBe(
      '2 dates without an exact day: the API has the first day, pages and tables what is known.\n' +
        'No faults, no warnings: 1 person, 0 subjects, 0 locations and 0 events.\n',
    );
  });

  test('warns about possible mistakes', async () => {
    const uuid = (last: number) => `3f1d2c4b-5a69-4788-9b0c-1d2e3f40516${last}`;
    const both = (text: string) => ({ content_nl: text, content_en: text });
    const name = { title_nl: 'x', title_en: 'x' };
    const doubtful = await writeBundle(join(folder, 'doubtful'), {
      person: [
        { id: 1, uuid: uuid(1), ...name, birth_date: '1900-02-29', death_date: '1800-01-01' },
        { id: 2, uuid: uuid(2), ...name, ...both('<p onclick="x()">a</p>') },
        { id: 3, uuid: uuid(3), ...name, ...both('a<sup><a href="#fn-1">1</a></sup>') },
        { id: 5, uuid: uuid(9), ...name, content_nl: '<div>'.repeat(101), content_en: '<br>'.repeat(20_001) },
        { id: 4, uuid: uuid(4), image: { id: 1, uuid: uuid(5), url: 'https://a.test/1.jpg', alt: 'x' } },
      ],
      subject: [
        {
          id: 1,
          uuid: uuid(7),
          ...{ name_nl: '=HYPERLINK("https://a.test","x")', name_en: '@x' },
          ...{ summary_nl: '-1,5', summary_en: '-' },
          ...{ description_nl: '<p class="a"><b>=1</b></p>', description_en: '<p>a</p>' },
          files: [{ id: 2, uuid: uuid(8), url: 'https://a.test/2.jpg', title: '\t=1+1', alt: '+31 20' }],
        },
      ],
      location: [{ id: 1, uuid: uuid(6), name_nl: 'x', name_en: 'x', latitude: '0', longitude: '0.0' }],
    });
    const { stdout } = await runApiHere(['check', doubtful, '--json']);
    const { warnings, warning_counts } = JSON.parse(stdout);
    const markup = { code: 'too-much-markup', file: 'persons.jsonl', line: 4 };
    expect(warnings).toMatchObject(
      expect.arrayContaining([
        {
          ...markup,
          field: 'content_nl',
          reason: 'is nested deeper than 100 levels: pages show it as plain text',
        },
        { ...markup, field: 'content_en', reason: 'has more than 20,000 tags: pages show it as plain text' },
      ]),
    );
    expect(warning_counts).toEqual({
      'date-unlikely': 1,
      'dates-reversed': 1,
      'same-name': 3,
      'too-much-markup': 2,
      script: 2,
      'footnote-missing': 2,
      'no-name': 1,
      'image-rights': 1,
      'coordinates-zero': 1,
      formula: 5,
    });
    expect(warnings).toContainEqual({
      code: 'formula',
      file: 'subjects.jsonl',
      line: 1,
      field: 'files[0].title',
      reason: 'starts with "\\t": a spreadsheet may evaluate it as a formula',
    });
  });
});

test('image_url in a table can be a path below MEDIA_DIR', async () => {
  const tables = join(folder, 'with-a-path');
  await mkdir(tables);
  const uuid = '0b5e8a3c-6d1f-4c7e-9a2b-3f4d5e6a7b8c';
  const rows = [
    `1,${uuid},Vos,portraits/Anna Vos.jpg`,
    `2,${uuid.replace('0b', '0c')},Bos,portraits/bos.svg`,
  ];
  const write = (row: string) =>
    writeFile(join(tables, 'persons.csv'), `id,uuid,last_name,image_url\n${row}\n`);
  for (const name of ['subjects', 'locations', 'events']) {
    await writeFile(join(tables, `${name}.csv`), 'id,uuid\n');
  }
  const [path = '', drawing = ''] = rows;
  await write(path);
  const out = join(folder, 'of-a-path');
  expect(await runApiHere(['convert', tables, out, '--to', 'jsonl'])).toMatchObject({ code: 0 });
  const [line = ''] = (await readFile(join(out, 'persons.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(line)).toMatchObject({
    image: { url: '', path: 'portraits/Anna Vos.jpg', filetype: 'image' },
  });

  await write(drawing);
  const { code, stderr } = await runApiHere(['check', tables]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    'persons.csv:2: image_url: expected an absolute http or https URL, or a path in MEDIA_DIR such as portraits/vos.jpg (.jpg, .jpeg, .png, .gif, .webp, .avif, .pdf), got "portraits/bos.svg"',
  );
});

describe('a bundle of tables', () => {
  let tables: string;
  beforeAll(async () => {
    tables = join(folder, 'tables');
    const generated = await makeBundle(folder, { records: 8_000, seed: 1 });
    expect((await runApiHere(['convert', generated, tables])).code).toBe(0);
  });

  test.for([
    ['SIGTERM', 143, (out: string) => ['convert', tables, out, '--to', 'jsonl']],
    ['SIGINT', 130, (out: string) => ['convert', tables, `${out}.xlsx`]],
    ['SIGTERM', 143, () => ['check', tables]],
  ] as const)('stops at once on %s, and leaves no files', async ([signal, code, command]) => {
    const own = await mkdtemp(join(folder, 'own-'));
    const running = startProcess(command(join(own, 'out')), { TMPDIR: own });
    await expect
      .poll(() => readdir(own), { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/^archive-tables-/));
    running.kill(signal);
    expect(await running.ended).toMatchObject({
      code,
      stderr: expect.stringContaining(`stopped by ${signal}`),
    });
    const names = await readdir(own, { recursive: true });
    expect(names.filter((name) => name !== 'out')).toEqual([]);
  });
});
