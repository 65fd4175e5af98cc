import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HarvestStore, harvest } from '@archiefkast/client/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeFault } from '../faults/faults.ts';
import { runHere } from '../faults/run-here.ts';
import { startScene } from '../faults/scene.ts';
import { type ApiServer, ITSELF, startApi } from '../support/api-server.ts';
import { DATED_BUNDLE, JOURNEY, SHIPS } from '../support/dated-bundle.ts';
import { FIXTURE } from '../support/fixture/fixture-bundle.ts';
import { SAMPLE } from '../support/sample.ts';
import { startSpoiledArchive } from '../support/spoiled-archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FORMATS = ['csv', 'jsonl', 'geojson', 'sqlite', 'xlsx'];
const OPTIONS = ['--bom', '--both', '--html'];

let server: ApiServer;
beforeAll(async () => {
  server = await startApi({ engine: 'sqlite', bundle: SAMPLE, settings: { BASE_URL: ITSELF } });
});

/** Runs archive-cli, which has to succeed. */
async function run(...args: string[]): Promise<void> {
  const { code, stderr } = await runHere(args, { ARCHIVE_URL: server.baseUrl });
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
}

describe('what a harvest was written with stays as it is', () => {
  const later: [what: string, commands: (folder: string, format: string) => string[][]][] = [
    ['export', (folder, format) => [['export', folder, '--format', format]]],
    ['harvest', (folder, format) => [['harvest', 'persons', '--out', folder, '--format', `csv,${format}`]]],
    ['update', (folder, format) => [['harvest', '--update', folder, '--format', format]]],
  ];
  const cases = later.flatMap(([what, commands]) =>
    FORMATS.filter((format) => format !== 'csv').map((format) => ({ what, format, commands })),
  );

  test.each(cases)(
    'by $what of $format, and an update',
    { timeout: 60_000 },
    async ({ format, commands }) => {
      const folder = await temporaryFolder();
      await run('harvest', 'persons', '--out', folder, '--format', 'csv', ...OPTIONS);
      const before = await readFile(join(folder, 'persons.csv'), 'utf8');
      expect(before).toMatch(/^\ufeff.*title_nl,title_en/);
      for (const args of commands(folder, format)) await run(...args);
      await run('harvest', '--update', folder);
      expect(await readFile(join(folder, 'persons.csv'), 'utf8')).toBe(before);
      await run('verify', folder);
      const { formats } = JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8'));
      expect(formats).toEqual({ csv: { bom: true, both: true, html: true }, [format]: {} });
    },
  );

  test('and an option of an update that no format of the harvest knows is refused', async () => {
    const folder = await temporaryFolder();
    await run('harvest', 'persons', '--out', folder, '--format', 'jsonl');
    expect(
      await runHere(['harvest', '--update', folder, '--both'], { ARCHIVE_URL: server.baseUrl }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--both: expected only with --format csv or xlsx'),
    });
  });
});

describe('verify believes nothing of a proof that it can check', () => {
  type Said = Record<string, unknown> & { kinds: { rows: number }[]; files: { name: string }[] };
  const changes: [what: string, change: (proof: Said) => object, message: string][] = [
    ['a number', ({ kinds: [one] }) => ({ kinds: [{ ...one, rows: 109 }] }), 'persons: rows is 102, not 109'],
    ['no kinds', () => ({ kinds: [] }), 'kinds is ["person"], not [] as harvest.json says'],
    ['the published edition', () => ({ published_as: '999' }), 'published_as is "1", not "999"'],
    ['the edition', () => ({ edition: '7' }), 'edition is "1", not "7"'],
    ['the language', () => ({ language: 'nl' }), 'language is "en", not "nl"'],
    ['the address', () => ({ source: 'http://a.test' }), 'not "http://a.test" as harvest.json says'],
    ['no files', () => ({ files: [] }), 'harvest.sqlite: harvest.json does not list it'],
    [
      'fewer files',
      ({ files }) => ({ files: files.filter(({ name }) => name !== 'persons.jsonl') }),
      'persons.jsonl: harvest.json does not list it as it was written',
    ],
    [
      'fewer files of an export',
      ({ files }) => ({ files: files.filter(({ name }) => name !== 'archive.xlsx') }),
      'archive.xlsx: harvest.json does not list it as it was written',
    ],
  ];
  let folder: string;
  let proof: Said;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await run('harvest', 'persons', '--out', folder, '--format', 'jsonl');
    await run('export', folder, '--format', 'xlsx');
    const { sha256: _, ...said } = JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8'));
    proof = said;
  });

  /** Verifies the folder with another proof, whose hash is right. */
  async function verifyWith(other: object) {
    const sha256 = createHash('sha256').update(JSON.stringify(other)).digest('hex');
    await writeFile(join(folder, 'harvest.json'), `${JSON.stringify({ ...other, sha256 }, null, 2)}\n`);
    return runHere(['verify', folder]);
  }

  test.each(changes)('%s', async (_, change, message) => {
    expect(await verifyWith({ ...proof, ...change(proof) })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    expect(await verifyWith(proof)).toMatchObject({ code: 0, stderr: '' });
  });

  test('a manifest of its own', async () => {
    const path = join(folder, 'manifest.json');
    const manifest = await readFile(path, 'utf8');
    const other = manifest.replace('"id":1', '"id":2');
    await writeFile(path, other);
    const sha256 = createHash('sha256').update(other).digest('hex');
    const files = proof.files.map((file) => (file.name === 'manifest.json' ? { ...file, sha256 } : file));
    expect(await verifyWith({ ...proof, files })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('manifest.json: harvest.json does not list it as it was written'),
    });
  });
});

test('diff and stats say which files of a harvest are not what they read', async () => {
  const folder = await temporaryFolder();
  await run('harvest', 'persons', '--out', folder, '--format', 'jsonl');
  const path = join(folder, 'persons.jsonl');
  const lines = await readFile(path, 'utf8');
  await writeFile(path, lines.slice(lines.indexOf('\n') + 1));
  for (const args of [
    ['diff', folder, folder],
    ['stats', folder],
  ]) {
    const { code, stderr } = await runHere(args);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^archive-cli: \S+persons\.jsonl: \d+ bytes, expected \d+$/m);
    expect(stderr).toContain('These are the records of harvest.sqlite, as they were harvested; ');
  }
});

test.each([
  ['no formats', [], 'csv with --both, jsonl', { csv: { both: true }, jsonl: {} }],
  [
    'others',
    ['--format', 'geojson'],
    'csv with --both, jsonl, geojson',
    { csv: { both: true }, jsonl: {}, geojson: {} },
  ],
])(
  'a harvest that was interrupted keeps its formats when it resumes with %s',
  async (_, more, said, formats) => {
    const { archive, folder, command } = await startScene({ fault: makeFault([{ status: 503 }]) });
    const first = [...command, '--format', 'csv,jsonl', '--both', '--retries', '0'];
    expect(await runHere(first)).toMatchObject({ code: 4 });
    expect((await runHere(['stats', folder])).stderr).toContain('contains an unfinished harvest');
    archive.fault = () => {};
    const { code, stderr } = await runHere([...command, ...more]);
    expect(code).toBe(0);
    expect(stderr).toContain(`The harvest keeps the formats that it was begun with: ${said}.\n`);
    expect(JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8')).formats).toEqual(formats);
    expect(await readFile(join(folder, 'persons.csv'), 'utf8')).toContain('title_nl,title_en');
  },
);

test('the harvest of the library has the supplement, and is compared with the manifest', async () => {
  const path = join(await temporaryFolder(), 'harvest.sqlite');
  const report = await harvest({ baseUrl: server.baseUrl, path });
  expect(report).toMatchObject({ manifest_of: '1', differences: [] });
  using store = HarvestStore.open(path);
  const supplement = await (await server.fetch('/en/api/dump/supplement.jsonl')).text();
  expect(supplement).not.toBe('');
  expect(store.text('supplement')).toBe(supplement);
  expect(JSON.parse(store.text('manifest') ?? '')).toMatchObject({ edition: { id: 1 } });
});

test('every request of a harvest keeps to --rate: of pages, manifest and supplement', async () => {
  // An event without a location, whose subjects are in the supplement.
  const event = [{ id: 1, uuid: JOURNEY, name_nl: 'Reis', subjects: [SHIPS] }];
  const { baseUrl, proxy, folder } = await startSpoiledArchive({ ...DATED_BUNDLE, person: [], event });
  const times: number[] = [];
  proxy.spoil = () => {
    times.push(performance.now());
    return undefined;
  };
  const out = join(folder, 'harvest');
  expect(
    await runHere(['harvest', 'events', '--base-url', baseUrl, '--out', out, '--rate', '2']),
  ).toMatchObject({ code: 0 });
  for (const part of ['events', 'manifest.json', 'supplement.jsonl'])
    expect(
      proxy.requests.some((request) => request.includes(part)),
      part,
    ).toBe(true);
  // A second limiter would begin without a wait: some 500 ms less. Single gaps depend on how busy the machine is.
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  expect(last - first).toBeGreaterThan(500 * (times.length - 1) - 250);
});

test('a retry of the manifest is booked to no kind', async () => {
  const { baseUrl, proxy, folder } = await startSpoiledArchive(FIXTURE);
  let refusals = 0;
  proxy.spoil = ({ url }) => {
    if (!url.includes('/dump/manifest.json') || refusals > 0) return undefined;
    refusals += 1;
    return { status: 503, body: '' };
  };
  const out = join(folder, 'harvest');
  // From dumps, the manifest is read before the first records: what is booked to a kind is stored with these.
  expect(await runHere(['harvest', '--base-url', baseUrl, '--out', out, '--from', 'dumps'])).toMatchObject({
    code: 0,
  });
  expect(refusals).toBe(1);
  const { kinds } = JSON.parse(await readFile(join(out, 'harvest.json'), 'utf8'));
  expect(kinds.map(({ retries }: { retries: number }) => retries)).toEqual([0, 0, 0, 0]);
});
