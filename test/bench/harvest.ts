import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { publishBundle, settingsFor, startProcess } from '../support/api-process.ts';
import { createDatabase } from '../support/create-database.ts';
import { freePort } from '../support/free-port.ts';
import { peakMemory } from '../support/memory.ts';
import { generateBundle } from './generate-bundle.ts';
import { showNumber, showSample, summarise } from './statistics.ts';

const USAGE = `usage: node test/bench/harvest.ts [options]

Measures the time and memory of archive-cli harvest: of persons as JSON Lines, compared with a plain walk over the same
pages on one connection, with and without a delay of 30 ms per response; and of whole archives as CSV. Prints a table
in Markdown on stdout.

  --persons 70000   persons of the large archive
  --bundle FOLDER   another archive to harvest completely, such as one with long texts
  --rounds 3        number of measurements of each
  --against FILE    archive-cli.js of another checkout, for comparison
`;

/** The share of persons in a generated archive. */
const PERSONS_SHARE = 0.35;
const SMALL = 5000;
const WAIT_MS = 30;

const CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));
const PLAIN_WALK = fileURLToPath(new URL('./plain-walk.ts', import.meta.url));

/** The cost of one run of a program. */
interface Run {
  seconds: number;
  /** Peak resident memory, in MB. */
  memory: number;
}

async function runProgram(args: readonly string[]): Promise<Run> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, peakMemory(child.pid ?? 0));
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, memory };
}

/** Relays requests to `port`, with a delay before each response. */
async function startSlowDoor(doorPort: number, port: number, waitMs: number): Promise<() => Promise<void>> {
  const server = createServer((asked, answered) => {
    const { url = '', headers } = asked;
    const onward = request({ port, path: url, headers, host: '127.0.0.1' }, (answer) => {
      setTimeout(() => {
        answered.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(answered);
      }, waitMs);
    });
    onward.end();
  }).listen(doorPort, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
}

/** Serves this many persons while `work` runs, with a delay before each response if given. */
async function withPersons(
  persons: number,
  waitMs: number | undefined,
  work: (baseUrl: string) => Promise<void>,
): Promise<void> {
  await withGenerated(persons, async (folder) => {
    await truncate(join(folder, 'locations.jsonl'));
    await truncate(join(folder, 'events.jsonl'));
    await withBundle(folder, waitMs, work);
  });
}

/** Generates a bundle with this many persons, in a folder that is removed after `work`. */
async function withGenerated(persons: number, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-bench-'));
  try {
    await generateBundle({ folder, records: Math.round(persons / PERSONS_SHARE) });
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Serves a bundle while `work` runs. */
async function withBundle(
  folder: string,
  waitMs: number | undefined,
  work: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const database = await createDatabase('sqlite', null);
  try {
    await publishBundle(database, folder);
    const port = await freePort();
    const doorPort = waitMs === undefined ? port : await freePort();
    const baseUrl = `http://127.0.0.1:${doorPort}`;
    const server = startProcess(
      ['serve'],
      settingsFor(database, { PORT: String(port), BASE_URL: baseUrl, LOG_LEVEL: 'info' }),
    );
    await server.said(/"msg":"listening"/);
    const closeDoor = waitMs === undefined ? undefined : await startSlowDoor(doorPort, port, waitMs);
    try {
      await work(baseUrl);
    } finally {
      await closeDoor?.();
      server.kill('SIGTERM');
      await server.ended;
    }
  } finally {
    await database.drop();
  }
}

function harvestPersons(baseUrl: string, more: readonly string[] = [], cli = CLI): Promise<Run> {
  return harvest(baseUrl, ['persons', '--format', 'jsonl', ...more], cli);
}

async function harvest(baseUrl: string, more: readonly string[], cli = CLI): Promise<Run> {
  const out = await mkdtemp(join(tmpdir(), 'archive-bench-harvest-'));
  try {
    return await runProgram([cli, 'harvest', '--base-url', baseUrl, '--out', out, '--quiet', ...more]);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Runs programs in turn, `rounds` times. */
async function inTurn(
  rounds: number,
  programs: Readonly<Record<string, () => Promise<Run>>>,
): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, program] of Object.entries(programs)) runs.get(name)?.push(await program());
  }
  return runs;
}

function rows(what: string, runs: ReadonlyMap<string, readonly Run[]>, reference: string): string {
  const median = (name: string) => summarise((runs.get(name) ?? []).map(({ seconds }) => seconds)).median;
  return [...runs]
    .map(([name, all]) => {
      const seconds = showSample(summarise(all.map((run) => run.seconds)));
      const memory = showNumber(Math.max(...all.map((run) => run.memory)));
      const ratio = (median(name) / median(reference)).toFixed(2);
      return `| ${what} | ${name} | ${seconds} | ${ratio} | ${memory} |\n`;
    })
    .join('');
}

/** The name of a run that is measured once: the archive then hashes its dumps, and caches the hashes. */
const FIRST = 'first harvest of an edition';

interface BenchOptions {
  persons: number;
  rounds: number;
  /** A bundle given by the user. */
  bundle: string | undefined;
  /** The program of another checkout. */
  against: string | undefined;
}

async function main({ persons, rounds, bundle, against }: BenchOptions): Promise<void> {
  const { stdout } = process;
  stdout.write(
    '| archive | program | seconds | times the first | peak memory, MB |\n|---|---|---|---|---|\n',
  );
  const beside = (program: (cli: string) => Promise<Run>) =>
    against === undefined ? {} : { 'harvest of the other checkout': () => program(against) };

  for (const size of [SMALL, persons]) {
    await withPersons(size, undefined, async (baseUrl) => {
      const once = await inTurn(1, { [FIRST]: () => harvestPersons(baseUrl) });
      const runs = await inTurn(rounds, {
        'plain walk': () => runProgram([PLAIN_WALK, `${baseUrl}/en/api/persons`]),
        harvest: () => harvestPersons(baseUrl),
        'harvest --concurrency 8': () => harvestPersons(baseUrl, ['--concurrency', '8']),
        'harvest --from dumps': () => harvestPersons(baseUrl, ['--from', 'dumps']),
        ...beside((cli) => harvestPersons(baseUrl, [], cli)),
      });
      stdout.write(rows(`${size.toLocaleString('en')} persons`, new Map([...runs, ...once]), 'plain walk'));
    });
  }
  await withPersons(SMALL, WAIT_MS, async (baseUrl) => {
    const runs = await inTurn(1, {
      harvest: () => harvestPersons(baseUrl),
      'harvest --concurrency 8': () => harvestPersons(baseUrl, ['--concurrency', '8']),
    });
    stdout.write(rows(`${SMALL.toLocaleString('en')} persons, ${WAIT_MS} ms added`, runs, 'harvest'));
  });

  const measureWhole = (what: string, folder: string) =>
    withBundle(folder, undefined, async (baseUrl) => {
      const csv = (cli?: string) => harvest(baseUrl, ['--format', 'csv'], cli);
      const once = await inTurn(1, { [FIRST]: () => csv() });
      const runs = await inTurn(rounds, { 'harvest --format csv': () => csv(), ...beside(csv) });
      stdout.write(rows(what, new Map([...runs, ...once]), 'harvest --format csv'));
    });
  await withGenerated(SMALL, (folder) =>
    measureWhole(`${SMALL.toLocaleString('en')} persons and all else`, folder),
  );
  if (bundle !== undefined) await measureWhole(basename(bundle), bundle);
}

const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '70000' },
    rounds: { type: 'string', default: '3' },
    bundle: { type: 'string' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else {
  const { persons, rounds, bundle, against } = values;
  await main({ persons: Number(persons), rounds: Number(rounds), bundle, against });
}
