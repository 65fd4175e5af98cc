import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, type Engine } from '../support/create-database.ts';
import { findMysqlServer } from '../support/mysql-server.ts';
import { measureBusyPlace } from './busy-place.ts';
import { findDjango } from './django.ts';
import { generateBundle } from './generate-bundle.ts';
import { measureArchive } from './measure-archive.ts';
import { drawGrowth, drawThroughput } from './plot.ts';
import { inOrder, type MeasuredArchive, toMarkdown } from './report.ts';

const USAGE = `usage: npm run bench -- [options]

Measures archive-api on generated archives, on SQLite and on MySQL or MariaDB, side by side with a bare
node:http server and, where Python has it, Django REST Framework. Prints a table in Markdown on stdout.

  --sizes 5000,200000    records of the archives measured (1000000 takes long)
  --engines sqlite,mysql
  --seconds 3            length of one measurement
  --rounds 3             how often each is measured
  --connections 16
  --no-django            not beside Django REST Framework, which takes long to load large archives
  --plots FOLDER         also draws throughput.svg and growth.svg there
  --json FILE            also writes all figures there
  --add FILE             also shows the figures that an earlier run wrote so
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
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
} else {
  await main();
}

async function main(): Promise<void> {
  const root = process.env['INIT_CWD'] ?? process.cwd();
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const load = { connections: Number(values.connections), seconds: Number(values.seconds) };
  const mysql = await findMysqlServer(process.env);
  const folder = await mkdtemp(join(tmpdir(), 'archive-bench-'));
  const all: MeasuredArchive[] = values.add ? await readMeasured(resolve(root, values.add)) : [];
  try {
    for (const records of values.sizes.split(',').map(Number)) {
      const bundle = join(folder, `bundle-${records}`);
      say(`generating ${records} records`);
      await generateBundle({ folder: bundle, records });
      for (const engine of values.engines.split(',') as Engine[]) {
        if (engine === 'mysql' && !mysql)
          throw new Error('there is no MySQL or MariaDB server to measure on');
        const database = await createDatabase(engine, mysql?.url ?? null);
        try {
          say(`${engine}, ${records} records`);
          const rounds = Number(values.rounds);
          const mysqlUrl = mysql?.url ?? null;
          const python = values.django ? await findDjango(engine) : undefined;
          if (values.django && !python) say('  Django REST Framework is not installed: nothing beside it');
          const plan = { database, bundle, records, load, rounds, python, mysqlUrl, say };
          all.push(await measureArchive(plan));
        } finally {
          await database.drop();
        }
      }
      await rm(bundle, { recursive: true });
    }
    for (const engine of values.engines.split(',') as Engine[]) {
      say(`${engine}, a place with 2,000 events`);
      all.push(await measureBusyPlace(engine, mysql?.url ?? null, folder));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await mysql?.stop();
  }
  const measured = inOrder(all);
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  if (values.json)
    await writeFile(resolve(root, values.json), `${JSON.stringify({ machine, load, measured }, null, 1)}\n`);
  process.stdout.write(toMarkdown(machine, load, measured));
  if (values.plots) {
    await writeFile(resolve(root, values.plots, 'throughput.svg'), drawThroughput(measured));
    await writeFile(resolve(root, values.plots, 'growth.svg'), drawGrowth(measured));
  }
}

/** What an earlier run measured. */
async function readMeasured(file: string): Promise<MeasuredArchive[]> {
  const { measured } = JSON.parse(await readFile(file, 'utf8')) as { measured: MeasuredArchive[] };
  return measured.filter(({ name }) => name === undefined);
}
