import { createHash } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { forKinds, type Kind } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../../faults/run-here.ts';
import { publishHere, runApiHere, serveHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { listen } from '../../support/leftovers.ts';
import { SAMPLE } from '../../support/sample.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** How the archive behaves where it shows what an option does. */
type Scene = 'refuses once' | 'asks to wait' | 'is slow once' | 'is slow' | 'has new fields' | 'has files';

/** An option to try: values other than its default, and the scene where they show. Those of the connection are alike in all commands. */
interface Trial {
  values?: string[];
  scene?: Scene;
  isOfConnection?: true;
}

const OPTIONS: Readonly<Record<string, Trial>> = {
  'base-url': { values: ['ELSEWHERE'], isOfConnection: true },
  lang: { values: ['nl'], isOfConnection: true },
  timeout: { values: ['0.1'], scene: 'is slow once', isOfConnection: true },
  retries: { values: ['0'], scene: 'refuses once', isOfConnection: true },
  'max-wait': { values: ['0'], scene: 'asks to wait', isOfConnection: true },
  rate: { values: ['1'], scene: 'refuses once', isOfConnection: true },
  'max-page-size': { values: ['0.001'], isOfConnection: true },
  contact: { values: ['me@example.org'], isOfConnection: true },
  lenient: { scene: 'has new fields', isOfConnection: true },
  concurrency: { values: ['30'], scene: 'is slow' },
  force: { scene: 'has files' },
  format: { values: ['json', 'jsonl', 'csv', 'graphml', 'xlsx'] },
  links: { values: ['persons'] },
  bag: { values: ['ZIP'] },
  nde: { values: ['ADDRESS'] },
  from: { values: ['dumps'] },
  report: { values: ['json'] },
  out: { values: ['-'] },
  update: { values: ['FOLDER'] },
  file: { values: ['locations.csv', 'footnotes.csv', 'files.csv'] },
  'last-name': { values: ['Huygens'] },
  city: { values: ['Leiden'] },
  kind: { values: ['locations'] },
  limit: { values: ['1'] },
  media: { values: ['FOLDER'] },
  to: { values: ['jsonl', 'tables'] },
  strict: {},
  ...Object.fromEntries(
    [
      'bom',
      'both',
      'html',
      'full',
      'dry-run',
      'json',
      'quiet',
      'verbose',
      'source',
      'all',
      'count',
      'ris',
      'web',
    ].map((flag) => [flag, {}]),
  ),
};

const LOCATION = uuidOf('location', 1);

/** Commands of archive-api. Those that change a database are not tried: what their options do depends on what it has. */
const OF_API = ['check', 'convert', 'extract', 'doctor'];

/** What each command can do, by arguments. `FOLDER` is that of a harvest, `BUNDLE` the sample, `NEW` and `ZIP` are not there. */
const WAYS: Readonly<Record<string, string[]>> = {
  harvest: ['locations --out NEW', '--update FOLDER', 'locations --dry-run'],
  export: ['FOLDER', 'FOLDER --out -'],
  verify: ['FOLDER'],
  diff: ['FOLDER FOLDER'],
  stats: ['FOLDER'],
  search: ['', '--count', '--web', '--ris'],
  show: [`location ${LOCATION}`, `location ${LOCATION} --json`, `location ${LOCATION} --web`],
  completion: ['bash'],
  check: ['BUNDLE'],
  convert: ['BUNDLE NEW'],
  extract: ['NEW'],
  doctor: [''],
};

const FILES = [
  ...[
    'locations.csv',
    'locations.jsonl',
    'locations.geojson',
    'archive.sqlite',
    'archive.graphml',
    'archive.xlsx',
  ],
  'datapackage.json',
];

/** The archive, what it was asked in a run, and its behaviour. */
const state = {
  address: '',
  asked: [] as { line: string; at: number }[],
  open: 0,
  most: 0,
  scene: '',
  way: '',
};
let harvested: string;
let database: TestDatabase;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const line = (kind: Kind, fields: object) =>
    Array.from({ length: 25 }, (_, at) => ({ id: at + 1, uuid: uuidOf(kind, at + 1), ...fields }));
  const notes = '<sup>1</sup><section class="footnotes"><ol><li><em>Bron</em></li></ol></section>';
  const content = { content_nl: `<p>${'Hij '.repeat(500)}</p>${notes}`, content_en: `<p>He</p>${notes}` };
  const bundle = await writeBundle(join(folder, 'bundle'), {
    ...forKinds((kind) => line(kind, {})),
    person: line('person', { last_name: 'Huygens' }),
    location: line('location', { city: 'Leiden', name_nl: 'Huis', name_en: 'House', ...content }),
  });
  database = await createTestDatabase('sqlite');
  await publishHere(database, bundle);
  const proxy = createServer(async ({ url = '', headers }, response) => {
    state.asked.push({ line: `${url} ${headers['user-agent']}`, at: performance.now() });
    const isFirst = state.asked.length === 1;
    const { scene, way } = state;
    state.open += 1;
    state.most = Math.max(state.most, state.open);
    if (scene === 'is slow' && url.includes('/locations')) await sleep(100);
    if (scene === 'is slow once' && isFirst) await sleep(300);
    const answer = await fetch(server.origin + url, { headers: { 'accept-encoding': 'identity' } });
    let text = await answer.text();
    if (scene === 'has new fields') text = text.replaceAll('"uuid":', '"novel":1,"uuid":');
    if (scene === 'is slow' && way.includes('--dry-run')) text = text.replace('"count":25', '"count":2500');
    // An update then reads the pages.
    const isGone = (scene === 'is slow' || scene === 'has new fields') && url.includes('/changes');
    const isRefused = isFirst && (scene === 'refuses once' || scene === 'asks to wait');
    for (const [name, value] of answer.headers)
      if (!/^(connection|content-length|transfer-encoding|keep-alive|date)$/.test(name))
        response.setHeader(name, value);
    if (isRefused) response.setHeader('retry-after', scene === 'asks to wait' ? '1' : '0');
    state.open -= 1;
    response.writeHead(isRefused ? 503 : isGone ? 404 : answer.status).end(text);
  });
  const { port } = await listen(proxy);
  state.address = `http://127.0.0.1:${port}`;
  const server = await serveHere(database, { BASE_URL: state.address });
  harvested = join(folder, 'harvest');
  const command = ['harvest', 'locations', '--base-url', state.address, '--out', harvested];
  expect(await runHere(command)).toMatchObject({ code: 0 });
});

/** Runs a command in a scene; returns everything that it did. */
async function observe(command: string, words: readonly string[], scene: Scene | undefined) {
  const folder = await temporaryFolder();
  const place = {
    FOLDER: join(folder, 'harvest'),
    NEW: join(folder, 'new'),
    ADDRESS: state.address,
    ZIP: join(folder, 'bag.zip'),
    BUNDLE: SAMPLE,
    ELSEWHERE: `${state.address}/elsewhere`,
  };
  await cp(harvested, place.FOLDER, { recursive: true });
  if (scene === 'has files') {
    await cp(harvested, place.NEW, { recursive: true });
    await writeFile(place.ZIP, 'mine');
    for (const name of FILES)
      for (const into of [place.FOLDER, place.NEW]) await writeFile(join(into, name), 'mine');
  }
  Object.assign(state, { asked: [], open: 0, most: 0, scene, way: words.join(' ') });
  const args = words.map((word) => place[word as keyof typeof place] ?? word);
  const opened: string[] = [];
  const ran = OF_API.includes(command)
    ? await runApiHere(
        [command, ...args],
        settingsFor(database, { BASE_URL: state.address, DATASET_REGISTER: state.address }),
      )
    : await runHere([command, ...args], { ARCHIVE_URL: state.address }, { opened });
  const said = [ran.stdout, ran.stderr].map((text) => withoutChance(text).replaceAll(folder, ''));
  const [first, last] = [state.asked[0]?.at ?? 0, state.asked.at(-1)?.at ?? 0];
  return {
    code: ran.code,
    said,
    opened,
    asked: state.asked.map(({ line }) => withoutChance(line)).toSorted(),
    most: scene === 'is slow' ? state.most : 0,
    isHeldBack: scene === 'refuses once' && last - first > 950 * (state.asked.length - 1),
    files: await contentOf(folder),
  };
}

/** A text without times and random uuids. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/^.*"type":"waited".*\n/gm, '')
    .replaceAll(/("(?:waitMs|seconds_waited)": ?)[\d.]+/g, '$1')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    .replaceAll(/"sha256": ?"\w+"/g, '')
    .replaceAll(/("seconds": ?|About )([\d.]+)/g, (_, what, seconds) => what + (Number(seconds) > 10))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}/g, '');
}

/** The files of a folder, without the store. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'harvest.sqlite') continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    files[path.slice(folder.length)] = entry.name.endsWith('.json')
      ? withoutChance(content.toString())
      : createHash('sha256').update(content).digest('hex');
  }
  return files;
}

/** The options of a command that have a value to try: each as the words of a command line. */
async function listOptions(command: string) {
  const { stdout } = await (OF_API.includes(command) ? runApiHere : runHere)([command, '--help']);
  const names = [...stdout.matchAll(/^ +(?:-\w, )?--([\w-]+)(?:.|\n(?! +-))*/gm)];
  return names.flatMap(([about, name = '']) => {
    if (name === 'help' || name === 'version') return [];
    const known = OPTIONS[name];
    if (!known) throw new Error(`expected a value of --${name} to try`);
    const values = known.values?.filter(
      (value) =>
        (!about.includes('[choices:') || about.includes(`"${value}"`)) &&
        !about.includes(`[default: ${value}]`),
    );
    return (values ?? ['']).map((value) => ({ name, words: [`--${name}`, value].filter(Boolean), ...known }));
  });
}

type Option = Awaited<ReturnType<typeof listOptions>>[number];

/** The options of a command that are taken and ignored, alone or beside another one. */
async function findIgnored(command: string): Promise<string[]> {
  const options = await listOptions(command);
  const before = new Map<string, ReturnType<typeof observe>>();
  const run = (way: string, given: readonly Option[], scene: Scene | undefined) => {
    const line = [way, ...given.flatMap(({ words }) => words)].join(' ').trim();
    const key = `${line.split(' ').toSorted().join(' ')} ${scene}`;
    const observed = before.get(key) ?? observe(command, line.split(' ').filter(Boolean), scene);
    before.set(key, observed);
    return observed;
  };
  const ignored: string[] = [];
  for (const way of WAYS[command] ?? []) {
    expect(await observe(command, way.split(' ').filter(Boolean), undefined)).toEqual(
      await run(way, [], undefined),
    );
    const others = options.filter(({ name }) => !way.includes(`--${name}`));
    for (const option of others) {
      const besides = others.filter((each) => each.name !== option.name && !each.isOfConnection);
      for (const given of [[], ...(option.isOfConnection ? [] : besides.map((each) => [each]))]) {
        const without = await run(way, given, option.scene);
        if (without.code === 2) continue;
        const found = await run(way, [...given, option], option.scene);
        const isIgnored = found.code !== 2 && JSON.stringify(found) === JSON.stringify(without);
        const words = [command, way, ...given.flatMap((each) => each.words), '+', ...option.words];
        if (isIgnored) ignored.push(words.filter(Boolean).join(' '));
      }
    }
  }
  return ignored;
}

describe('no option is taken and ignored', { timeout: 400_000 }, () => {
  test('by harvest', async () => {
    expect(await findIgnored('harvest')).toEqual([]);
  });

  test('by export', async () => {
    expect(await findIgnored('export')).toEqual([]);
  });

  const others = Object.keys(WAYS).filter((command) => command !== 'harvest' && command !== 'export');
  test.each(others)('by %s', async (command) => {
    expect(await findIgnored(command)).toEqual([]);
  });
});
