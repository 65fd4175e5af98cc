import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HarvestStore, harvest } from '@archiefkast/client/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { RULES } from '../../apps/cli/dist/commands/options.js';
import { runHere } from '../faults/run-here.ts';
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
    ['harvest', (folder, format) => [['harvest', 'persons', '--out', folder, '--format', format]]],
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

test('verify counts the records, and does not repeat what the proof says', async () => {
  const folder = await temporaryFolder();
  await run('harvest', 'persons', '--out', folder, '--format', 'jsonl');
  const path = join(folder, 'harvest.json');
  const { sha256: _, ...proof } = JSON.parse(await readFile(path, 'utf8'));
  const [persons] = proof.kinds;
  const { rows } = persons;
  persons.rows += 7;
  const sha256 = createHash('sha256').update(JSON.stringify(proof)).digest('hex');
  await writeFile(path, `${JSON.stringify({ ...proof, sha256 }, null, 2)}\n`);
  expect(await runHere(['verify', folder])).toEqual({
    code: 1,
    stdout: '',
    stderr: `archive-cli: persons: rows is ${rows}, not ${rows + 7} as harvest.json says\nInvalid: 1 problem.\n`,
  });
});

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

test('every request of a harvest keeps to --rate: of pages, index, manifest and supplement', async () => {
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
  for (const part of ['events', 'manifest.json', '/en/api?', 'supplement.jsonl'])
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

describe('no option is taken and ignored', () => {
  /** Of each command, what it needs besides, and the options that have values. */
  const needed: Readonly<Record<string, string[]>> = { export: ['x'], show: ['person', 'x'] };
  const values: Readonly<Record<string, string>> = {
    ...{
      out: '-',
      update: 'x',
      from: 'pages',
      format: 'jsonl',
      report: 'json',
      limit: '3',
      file: 'persons.csv',
    },
  };
  const given = (option: string, value = values[option]) =>
    value === undefined ? [`--${option}`] : [`--${option}`, value];
  type Rules = {
    excluding?: readonly (readonly string[])[];
    needing?: readonly (readonly [string, string, ...unknown[]])[];
  };
  const cases = Object.entries(RULES as Readonly<Record<string, Rules>>).flatMap(
    ([command, { excluding = [], needing = [] }]) => [
      ...excluding.map((pair) => ({
        command,
        option: pair[0] ?? '',
        words: pair.flatMap((each) => given(each)),
      })),
      ...needing.map(([option, other]) => ({
        command,
        option,
        words: [...given(option), ...(other === 'format' ? ['--format', 'geojson'] : [])],
      })),
    ],
  );

  test.each(cases)('is refused: $command $words', async ({ command, option, words }) => {
    const args = [command, ...(needed[command] ?? []), ...words];
    expect(await runHere(args, { ARCHIVE_URL: 'http://localhost:1' })).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        RegExp(`^archive-cli: --${option}\\b.* (?:exclude each other|expected only with --)`),
      ),
    });
  });
});
