import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ARCHIVE_API } from '../support/api-process.ts';
import { createDatabase, type Engine } from '../support/create-database.ts';
import { findMysqlServer } from '../support/mysql-server.ts';
import { measureBusyPlace } from './busy-place.ts';
import { compareArchives, compareToMarkdown } from './compare.ts';
import { findDjango } from './django.ts';
import { generateBundle } from './generate-bundle.ts';
import { measureArchive } from './measure-archive.ts';
import { drawGrowth, drawThroughput } from './plot.ts';
import { inOrder, type MeasuredArchive, toMarkdown } from './report.ts';

const USAGE = `usage: npm run bench -- [options]

Measures archive-api on generated archives, on SQLite and on MySQL or MariaDB, compared with a bare
node:http server and, if installed, Django REST Framework. Prints a table in Markdown on stdout.

  --sizes 5000,200000    sizes of the archives in records (1000000 takes long)
  --engines sqlite,mysql
  --seconds 3            duration of one measurement
  --rounds 3             number of measurements of each
  --connections 16
  --no-django            without Django REST Framework, which is slow to load large archives
  --plots FOLDER         also writes throughput.svg and growth.svg to this folder
  --json FILE            also writes all figures to this file
  --add FILE             also shows the figures of an earlier run from this file
  --against FOLDER       instead compares this checkout with another built one, step by step
`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    sizes: { type: 'string', default: '5000,200000' },
    engines: { type: 'string', default: 'sqlite,mysql' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    django: { type: 'boolean', default: true },
    plots: { type: 'string' },
    json: { type: 'string' },
    add: { type: 'string' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
} else {
  await (values.against === undefined ? measure() : compare(values.against));
}

/** The folder in which the command was called. */
function calledFrom(): string {
  return process.env['INIT_CWD'] ?? process.cwd();
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function loadOf() {
  return { connections: Number(values.connections), seconds: Number(values.seconds) };
}

function machineOf(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB, Node ${process.versions.node}`;
}

/** A generated archive that is measured on one engine. */
interface Archive {
  engine: Engine;
  mysqlUrl: string | null;
  bundle: string;
  records: number;
}

/** Generates archives of each size, and runs `work` on each engine, then `atLast`. */
async function withArchives(
  work: (archive: Archive) => Promise<void>,
  atLast: (engine: Engine, mysqlUrl: string | null, folder: string) => Promise<void> = async () => {},
): Promise<void> {
  const mysql = await findMysqlServer(process.env);
  const mysqlUrl = mysql?.url ?? null;
  const engines = values.engines.split(',') as Engine[];
  const folder = await mkdtemp(join(tmpdir(), 'archive-bench-'));
  try {
    if (engines.includes('mysql') && !mysql)
      throw new Error('there is no MySQL or MariaDB server to measure on');
    for (const records of values.sizes.split(',').map(Number)) {
      const bundle = join(folder, `bundle-${records}`);
      say(`generating ${records} records`);
      await generateBundle({ folder: bundle, records });
      for (const engine of engines) {
        say(`${engine}, ${records} records`);
        await work({ engine, mysqlUrl, bundle, records });
      }
      await rm(bundle, { recursive: true });
    }
    for (const engine of engines) await atLast(engine, mysqlUrl, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await mysql?.stop();
  }
}

/** Compares this checkout with another one. */
async function compare(other: string): Promise<void> {
  const load = loadOf();
  const rounds = Number(values.rounds);
  const before = resolve(calledFrom(), other, 'apps/api/bin/archive-api.js');
  const compiled = await mkdtemp(join(tmpdir(), 'archive-bench-compiled-'));
  // Node's compile cache is filled by the first command: equally for both.
  const program = (file: string, name: string) => ({
    file,
    settings: { NODE_COMPILE_CACHE: join(compiled, name) },
  });
  const programs = { before: program(before, 'before'), now: program(ARCHIVE_API, 'now') };
  process.stdout.write(
    `${machineOf()}; ${load.connections} connections, ${load.seconds} s a measurement, ${rounds} rounds in turn; median (least–most); ✗ each round is worse than each before.\n\n`,
  );
  try {
    await withArchives(async (archive) => {
      const title = `${archive.engine}, ${archive.records.toLocaleString('en')} records`;
      const compared = await compareArchives({ ...archive, load, rounds, programs, say });
      process.stdout.write(`${compareToMarkdown(title, compared)}\n`);
    });
  } finally {
    await rm(compiled, { recursive: true, force: true });
  }
}

/** Measures this checkout. */
async function measure(): Promise<void> {
  const root = calledFrom();
  const load = loadOf();
  const all: MeasuredArchive[] = values.add ? await readMeasured(resolve(root, values.add)) : [];
  await withArchives(
    async ({ engine, mysqlUrl, bundle, records }) => {
      const database = await createDatabase(engine, mysqlUrl);
      try {
        const rounds = Number(values.rounds);
        const python = values.django ? await findDjango(engine) : undefined;
        if (values.django && !python) say('  Django REST Framework is not installed: nothing beside it');
        const plan = { database, bundle, records, load, rounds, python, mysqlUrl, say };
        all.push(await measureArchive(plan));
      } finally {
        await database.drop();
      }
    },
    async (engine, mysqlUrl, folder) => {
      say(`${engine}, a place with 2,000 events`);
      all.push(await measureBusyPlace(engine, mysqlUrl, folder));
    },
  );
  const measured = inOrder(all);
  const machine = machineOf();
  if (values.json)
    await writeFile(resolve(root, values.json), `${JSON.stringify({ machine, load, measured }, null, 1)}\n`);
  process.stdout.write(toMarkdown(machine, load, measured));
  if (values.plots) {
    await writeFile(resolve(root, values.plots, 'throughput.svg'), drawThroughput(measured));
    await writeFile(resolve(root, values.plots, 'growth.svg'), drawGrowth(measured));
  }
}

/** The results of an earlier run. */
async function readMeasured(file: string): Promise<MeasuredArchive[]> {
  const { measured } = JSON.parse(await readFile(file, 'utf8')) as { measured: MeasuredArchive[] };
  return measured.filter(({ name }) => name === undefined);
}
