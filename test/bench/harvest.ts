import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { publishBundle, settingsFor, startProcess } from '../support/api-process.ts';
import { createDatabase } from '../support/create-database.ts';
import { freePort } from '../support/free-port.ts';
import { generateBundle } from './generate-bundle.ts';
import { peakMemory } from './peak-memory.ts';
import { showNumber, showSample, summarise } from './statistics.ts';

const USAGE = `usage: node test/bench/harvest.ts [options]

Measures archive-cli harvest beside a plain walk of the same pages on one kept connection, with and without
a wait of 30 ms in each answer, and the memory it takes. Prints a table in Markdown on stdout.

  --persons 70000   persons of the large archive
  --rounds 3        how often each is measured
  --against FILE    an archive-cli.js of another checkout, measured beside this one
`;

/** Of a generated archive, this part are persons. */
const PERSONS_SHARE = 0.35;
const SMALL = 5000;
const WAIT_MS = 30;

const CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));
const PLAIN_WALK = fileURLToPath(new URL('./plain-walk.ts', import.meta.url));

/** What one run of a program took. */
interface Run {
  seconds: number;
  /** Largest resident memory, in MB. */
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

/** Passes requests on to `port`, and answers after a wait. */
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

/** Serves so many persons while `work` is done, with a wait in each answer if one is given. */
async function withArchive(
  persons: number,
  waitMs: number | undefined,
  work: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-bench-'));
  const database = await createDatabase('sqlite', null);
  try {
    await generateBundle({ folder, records: Math.round(persons / PERSONS_SHARE) });
    await truncate(join(folder, 'locations.jsonl'));
    await truncate(join(folder, 'events.jsonl'));
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
    await rm(folder, { recursive: true, force: true });
  }
}

async function harvest(baseUrl: string, more: readonly string[] = [], cli = CLI): Promise<Run> {
  const out = await mkdtemp(join(tmpdir(), 'archive-bench-harvest-'));
  try {
    return await runProgram([
      ...[cli, 'harvest', 'persons', '--base-url', baseUrl, '--out', out, '--quiet'],
      ...['--format', 'jsonl', ...more],
    ]);
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

async function main(persons: number, rounds: number, against?: string): Promise<void> {
  const { stdout } = process;
  stdout.write(
    '| persons | program | seconds | times the first | peak memory, MB |\n|---|---|---|---|---|\n',
  );
  for (const size of [SMALL, persons]) {
    await withArchive(size, undefined, async (baseUrl) => {
      const runs = await inTurn(rounds, {
        'plain walk': () => runProgram([PLAIN_WALK, `${baseUrl}/en/api/persons`]),
        harvest: () => harvest(baseUrl),
        'harvest --concurrency 8': () => harvest(baseUrl, ['--concurrency', '8']),
        'harvest --from dumps': () => harvest(baseUrl, ['--from', 'dumps']),
        ...(against === undefined
          ? {}
          : { 'harvest of the other checkout': () => harvest(baseUrl, [], against) }),
      });
      stdout.write(rows(size.toLocaleString('en'), runs, 'plain walk'));
    });
  }
  await withArchive(SMALL, WAIT_MS, async (baseUrl) => {
    const runs = await inTurn(1, {
      harvest: () => harvest(baseUrl),
      'harvest --concurrency 8': () => harvest(baseUrl, ['--concurrency', '8']),
    });
    stdout.write(rows(`${SMALL.toLocaleString('en')}, ${WAIT_MS} ms added`, runs, 'harvest'));
  });
}

const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '70000' },
    rounds: { type: 'string', default: '3' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else await main(Number(values.persons), Number(values.rounds), values.against);
