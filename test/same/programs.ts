import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ended, Settings } from '../support/api-process.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { type Build, runProgram, type Server } from './archive.ts';
import { both, mapPair, type Pair } from './ask.ts';
import { makeFaulty } from './bundles.ts';
import { compareBodies } from './differences.ts';
import { readFiles } from './files.ts';
import { normaliseFiles, normaliseOutput } from './normalise.ts';
import type { Report } from './report.ts';

/**
 * Runs a command of both builds, and compares what it prints and writes.
 *
 * @param command as in commands.txt
 * @param out the folder or file that it writes
 */
export type RunBoth = (command: string, out?: string, settings?: Pair<Settings>) => Promise<Pair<Ended>>;

export function createRunBoth(builds: Pair<Build>, shared: string, engine: string, report: Report): RunBoth {
  return async (command, out, settings) => {
    const [program = '', ...args] = command.split(' ');
    const ended = await both((build, side) => {
      // Renamed after 1.0.0.
      const isOld = !existsSync(join(build.checkout, 'apps/api/dist/commands/extract.js'));
      const own = args
        .map((arg) => (isOld && arg === 'extract' ? 'export' : arg))
        .map((arg) => arg.replace(/^@/, build.database.folder).replace(/^#/, shared));
      return runProgram(build, program, own, settings?.[side]);
    }, builds);
    const told = mapPair([0, 1] as const, (side) => {
      const { checkout, database } = builds[side];
      const { code, signal, stdout, stderr } = ended[side];
      const [out, error] = mapPair([stdout, stderr], (text) =>
        normaliseOutput(
          text.replaceAll(shared, '#').replaceAll(database.folder, '@').replaceAll(checkout, '(checkout)'),
        ),
      );
      return { code: String(code ?? signal), stdout: out, stderr: error };
    });
    const differences = (['code', 'stdout', 'stderr'] as const).flatMap((name) => {
      const found = compareBodies(...mapPair(told, (each) => Buffer.from(each[name])));
      return found.map((each) => ({ ...each, field: `${name} ${each.field}` }));
    });
    report.add(command, engine, differences);
    if (out === undefined) return ended;
    const files = await both(
      async ({ database: { folder } }) => normaliseFiles(await readFiles(join(folder, out)), folder),
      builds,
    );
    for (const name of new Set(files.flatMap((of) => [...of.keys()]))) {
      const pair = mapPair(files, (of) => of.get(name) ?? Buffer.from('missing'));
      report.add(`${command}: ${name}`, engine, compareBodies(...pair));
    }
    return ended;
  };
}

/** The commands of a section of commands.txt, and what each writes. */
async function readCommands(section: string): Promise<[command: string, out: string | undefined][]> {
  const text = await readFile(join(import.meta.dirname, 'commands.txt'), 'utf8');
  const [, lines = ''] =
    text
      .split('\n## ')
      .find((each) => each.startsWith(`${section}:`))
      ?.split(/\n(.*)/s) ?? [];
  return lines
    .trim()
    .split('\n')
    .map((line) => line.split(' > ') as [string, string | undefined]);
}

/** Runs the clients of both builds, which reach their servers at the same address. */
export async function compareHarvests(
  section: 'harvests' | 'updates',
  servers: Pair<Server>,
  run: RunBoth,
): Promise<void> {
  const proxies = await both(({ port }) => startForwardProxy(port), servers);
  const settings = mapPair(proxies, ({ url }) => ({ HTTP_PROXY: url, ARCHIVE_URL: 'http://archive.test' }));
  for (const [command, out] of await readCommands(section)) await run(command, out, settings);
  await both(({ stop }) => stop(), proxies);
}

/** Runs all commands that need no server: with `--help`, and with mistakes in options and bundles. */
export async function compareOffline(tables: string, shared: string, run: RunBoth): Promise<void> {
  for (const program of ['archive-api', 'archive-cli']) {
    const [{ stdout }] = await run(`${program} --help`);
    const commands = [...stdout.matchAll(new RegExp(`^ +${program} (\\w+)`, 'gm'))].map(([, name]) => name);
    for (const command of commands) {
      for (const option of ['--help', '--nope']) await run(`${program} ${command} ${option}`);
    }
  }
  for (const [command, out] of await readCommands('others')) await run(command, out);
  for (const bundle of await makeFaulty(join(shared, 'faulty'), tables))
    await run(`archive-api check #/faulty/${bundle}`);
}
