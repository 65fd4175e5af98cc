import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '../support/create-database.ts';
import { startDatabaseServer } from './database-server.ts';
import { findDjango } from './django.ts';
import { generateBundle } from './generate-bundle.ts';
import { type Build, measureArchive } from './measure-archive.ts';
import { withChildren } from './processor-time.ts';
import { type BuildName, compareToMarkdown, Measured, toMarkdown } from './report.ts';
import { SCENARIOS } from './rows.ts';

const ENGINES: readonly Engine[] = ['sqlite', 'mysql'];

const USAGE = `usage: npm run --silent bench -- [options]

Measures archive-api and archive-cli with generated archives, on SQLite and on MariaDB, compared with a bare
node:http server and, if installed, Django REST Framework. Prints a table in Markdown on stdout.

  --sizes 5000,200000    sizes of the archives in records
  --engines ${ENGINES.join(',')}
  --only ${SCENARIOS.join(',')}
                         some of the scenarios
  --against FOLDER       instead compares this checkout with another built one, in turn
  --rounds 3             number of measurements of each (10 with --against)
  --editions 1           editions that this checkout keeps while its server is measured
  --seconds 2            duration of a load
  --connections 16       concurrent requests of a load
  --no-django            without Django REST Framework, which is slow to load large archives
`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    sizes: { type: 'string', default: '5000,200000' },
    engines: { type: 'string', default: ENGINES.join(',') },
    only: { type: 'string', default: SCENARIOS.join(',') },
    against: { type: 'string' },
    rounds: { type: 'string' },
    editions: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    django: { type: 'boolean', default: true },
    help: { type: 'boolean', default: false },
  },
});

const interrupted = new AbortController();

if (values.help) process.stdout.write(USAGE);
else await main();

async function main(): Promise<void> {
  const { against } = values;
  const sizes = values.sizes.split(',').map((size) => wholeNumber('sizes', size));
  const engines = values.engines.split(',').map((engine) => oneOf('engines', engine, ENGINES));
  const scenarios = values.only.split(',').map((name) => oneOf('only', name, SCENARIOS));
  const rounds = wholeNumber('rounds', values.rounds ?? (against === undefined ? '3' : '10'));
  const editions = wholeNumber('editions', values.editions);
  const load = {
    connections: wholeNumber('connections', values.connections),
    seconds: wholeNumber('seconds', values.seconds),
  };
  const now = buildIn('now', resolve(import.meta.dirname, '../..'));
  const builds =
    against === undefined ? [now] : [buildIn('before', resolve(process.env['INIT_CWD'] ?? '', against)), now];

  await using open = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'archive-bench-'));
  open.defer(() => rm(folder, { recursive: true, force: true }));
  const server = engines.includes('mysql') ? await startDatabaseServer() : undefined;
  if (server) open.defer(server.stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt(server?.pid));

  const archives: Measured[] = [];
  open.defer(() => {
    // What was measured before an error is printed too.
    const parameters = `${load.connections} connections, ${load.seconds} s a load, ${rounds} rounds`;
    process.stdout.write(`${machine()}; ${parameters}.\n\n`);
    process.stdout.write(
      against === undefined ? toMarkdown(archives) : archives.map(compareToMarkdown).join('\n'),
    );
  });
  for (const records of sizes) {
    const bundle = join(folder, `bundle-${records}`);
    say(`generating ${records} records`);
    await generateBundle({ folder: bundle, records });
    for (const engine of engines) {
      const measured = new Measured(engine, records);
      archives.push(measured);
      say(measured.title);
      const python = values.django ? await findDjango(engine) : undefined;
      if (values.django && !python) say('  Django REST Framework is not installed: nothing beside it');
      await measureArchive(
        {
          builds,
          server: engine === 'mysql' ? server : undefined,
          bundle,
          scenarios,
          rounds,
          editions,
          load,
          python,
          say,
        },
        measured,
      );
    }
  }
}

function buildIn(name: BuildName, folder: string): Build {
  const program = (app: string) => join(folder, `apps/${app}/bin/archive-${app}.js`);
  return { name, api: program('api'), cli: program('cli') };
}

/** @throws Error naming the option */
function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`--${option}: expected a whole number above 0, got "${text}"`);
  return Number(text);
}

/** @throws Error naming the option */
function oneOf<Value extends string>(option: string, text: string, valid: readonly Value[]): Value {
  const found = valid.find((value) => value === text);
  if (!found) throw new Error(`--${option}: expected some of ${valid.join(',')}, got "${text}"`);
  return found;
}

/** Ends all programs that run but the database server: what measures them fails, and cleans up. */
function interrupt(database: number | undefined): void {
  interrupted.abort(new Error('interrupted'));
  const [, ...programs] = withChildren(process.pid);
  for (const pid of programs.filter((each) => each !== database)) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has just ended.
    }
  }
}

/** Progress, with the minutes so far. @throws Error if the benchmark was interrupted */
function say(text: string): void {
  interrupted.signal.throwIfAborted();
  process.stderr.write(`${(performance.now() / 60_000).toFixed(1)} ${text}\n`);
}

function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB, Node ${process.versions.node}`;
}
