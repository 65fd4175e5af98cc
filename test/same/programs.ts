import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ended, Settings } from '../support/api-process.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../support/sample.ts';
import { list } from './addresses.ts';
import { type Build, runProgram, type Server } from './archive.ts';
import { both, mapPair, type Pair } from './ask.ts';
import { makeFaulty } from './bundles.ts';
import type { Comparison } from './compare-builds.ts';
import { compareBodies, type Difference } from './differences.ts';
import { readFiles } from './files.ts';
import { normaliseFiles, normaliseOutput } from './normalise.ts';

/**
 * Runs a program of both builds, and compares what it prints and, if `out` is given, the files there.
 *
 * @param args by the folder of the build
 */
export type CompareProgram = (
  subject: string,
  app: 'api' | 'cli',
  args: (folder: string) => readonly string[],
  options?: { out?: string; settings?: Pair<Settings> },
) => Promise<Pair<Ended>>;

export function createProgramComparer(builds: Pair<Build>, { engine, report }: Comparison): CompareProgram {
  return async (subject, app, args, { out, settings } = {}) => {
    const folderOf = (side: 0 | 1) => builds[side].database.folder;
    const ended = await both((side) => runProgram(builds[side], app, args(folderOf(side)), settings?.[side]));
    const told = (side: 0 | 1, text: string) =>
      Buffer.from(normaliseOutput(text, folderOf(side), builds[side].checkout));
    const compare = (name: 'stdout' | 'stderr') =>
      compareBodies(told(0, ended[0][name]), told(1, ended[1][name])).map((each) => ({
        ...each,
        field: `${name} ${each.field}`,
      }));
    const codes = mapPair(ended, ({ code, signal }) => String(code ?? signal));
    const code: Difference[] =
      codes[0] === codes[1] ? [] : [{ field: 'code', before: codes[0], now: codes[1] }];
    report.add(subject, engine, [...code, ...compare('stdout'), ...compare('stderr')]);
    if (out === undefined) return ended;
    const [before, now] = await both(async (side) =>
      normaliseFiles(await readFiles(join(folderOf(side), out))),
    );
    for (const name of new Set([...before.keys(), ...now.keys()])) {
      const files = [
        before.get(name) ?? Buffer.from('missing'),
        now.get(name) ?? Buffer.from('missing'),
      ] as const;
      report.add(`${subject}: ${name}`, engine, compareBodies(...files));
    }
    return ended;
  };
}

const FORMATS = ['--format', 'jsonl,csv,tables,tables.xlsx,geojson,sqlite,xlsx'];

/** Lets archive-cli reach the server of its build at the same address. */
async function throughProxies(
  servers: Pair<Server>,
  work: (settings: Pair<Settings>) => Promise<void>,
): Promise<void> {
  const proxies = await both((side) => startForwardProxy(servers[side].port));
  try {
    await work(mapPair(proxies, ({ url }) => ({ HTTP_PROXY: url, ARCHIVE_URL: 'http://archive.test' })));
  } finally {
    await both((side) => proxies[side].stop());
  }
}

/** Harvests in every format and way, and uses what came. */
export async function compareHarvests(
  builds: Pair<Build>,
  servers: Pair<Server>,
  compare: CompareProgram,
): Promise<void> {
  await throughProxies(servers, async (settings) => {
    const run = (args: (folder: string) => string[], out?: string) =>
      compare(`archive-cli ${args('').join(' ')}`, 'cli', args, { settings, ...(out && { out }) });
    await run((at) => ['harvest', '--out', join(at, 'en'), '--both', '--html', '--bom', ...FORMATS], 'en');
    await run((at) => ['harvest', '--out', join(at, 'nl'), '--lang', 'nl', ...FORMATS], 'nl');
    await run(
      (at) => ['harvest', '--out', join(at, 'dumps'), '--from', 'dumps', '--format', 'jsonl,csv'],
      'dumps',
    );
    await run((at) => ['harvest', 'persons', '--out', join(at, 'persons'), '--concurrency', '4'], 'persons');
    await both((side) =>
      cp(join(builds[side].database.folder, 'en'), join(builds[side].database.folder, 'old'), {
        recursive: true,
      }),
    );
    await run((at) => ['verify', join(at, 'en'), '--source']);
    await run((at) => ['verify', join(at, 'persons')]);
    await run((at) => ['stats', join(at, 'en')]);
    await run((at) => ['stats', join(at, 'nl'), '--json']);
    await run((at) => ['diff', join(at, 'en'), join(at, 'nl')]);
    await run((at) => ['export', join(at, 'dumps'), ...FORMATS], 'dumps');
    await run((at) => ['export', join(at, 'en'), '--format', 'csv', '--file', 'subjects.csv', '--out', '-']);
    await run(() => ['search', 'de', 'amsterdam']);
    await run(() => ['search', '--last-name', 'a', '--json']);
    await run(() => ['search', 'nope:1']);
    await run(() => ['show', 'person', '0e2a4b66-0000-4000-8000-000000000000']);
  });
}

/** Updates the harvests to the edition that is served now. */
export async function compareUpdates(servers: Pair<Server>, compare: CompareProgram): Promise<void> {
  await throughProxies(servers, async (settings) => {
    const run = (args: (folder: string) => string[], out?: string) =>
      compare(`archive-cli ${args('').join(' ')}`, 'cli', args, { settings, ...(out && { out }) });
    await run((at) => ['harvest', '--update', join(at, 'en'), '--report', 'json'], 'en');
    await run((at) => ['harvest', '--update', join(at, 'nl'), '--from', 'pages', '--report', 'csv'], 'nl');
    await run((at) => ['harvest', '--update', join(at, 'dumps'), '--from', 'dumps'], 'dumps');
    for (const format of ['table', 'json', 'csv'])
      await run((at) => ['diff', join(at, 'old'), join(at, 'en'), '--format', format]);
    await run((at) => ['verify', join(at, 'en'), '--source']);
  });
}

const COMMANDS = {
  api: list(
    'publish serve editions switch rollback doctor migrate index check export convert template import',
  ),
  cli: list('harvest export verify diff stats search show completion'),
};

/** Runs all other commands, with mistakes. */
export async function compareOffline(
  builds: Pair<Build>,
  compare: CompareProgram,
  folder: string,
): Promise<void> {
  const run = (app: 'api' | 'cli', args: (folder: string) => string[], out?: string) =>
    compare(`archive-${app} ${args('').join(' ')}`, app, args, out ? { out } : {});
  for (const app of ['api', 'cli'] as const) {
    for (const args of [
      ['--help'],
      ['--version'],
      [],
      ['nope'],
      ...COMMANDS[app].flatMap((name) => [
        [name, '--help'],
        [name, '--nope'],
      ]),
    ])
      await run(app, () => args);
  }
  await run('api', () => ['editions']);
  await run('api', (at) => ['export', join(at, 'jsonl')], 'jsonl');
  await run('api', (at) => ['export', '--to', 'tables', join(at, 'tables')], 'tables');
  await run('api', (at) => ['export', join(at, 'book.xlsx')], 'book.xlsx');
  await run('api', (at) => ['convert', join(at, 'tables'), join(at, 'back'), '--to', 'jsonl'], 'back');
  await run('api', (at) => ['check', join(at, 'book.xlsx'), '--json']);
  await run('api', (at) => ['template', join(at, 'template')], 'template');
  await run('api', () => ['check', SAMPLE, '--strict', '--media', SAMPLE_MEDIA]);
  await run(
    'api',
    (at) => ['import', join(at, 'tables/persons.csv'), '--draft', join(at, 'map.yaml')],
    'map.yaml',
  );
  await run('api', () => ['index']);
  await run('api', () => ['switch', '1']);
  await run('api', () => ['switch', '4']);
  await run('api', () => ['rollback']);
  const faulty = await makeFaulty(join(folder, 'faulty'), join(builds[0].database.folder, 'tables'));
  for (const bundle of faulty)
    await compare(`archive-api check ${bundle.slice(folder.length + 1)}`, 'api', () => ['check', bundle]);
}
