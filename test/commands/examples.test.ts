import { once } from 'node:events';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { run as runApi } from '@archiefkast/archive-api';
import { namesOf } from '@archiefkast/command-line';
import { beforeAll, expect, test } from 'vitest';
import { COMMANDS as API_COMMANDS } from '../../apps/api/dist/command-list.js';
import { COMMANDS as CLI_COMMANDS } from '../../apps/cli/dist/command-list.js';
import { runHere } from '../faults/run-here.ts';
import { freePort } from '../support/free-port.ts';
import { endAtLast } from '../support/leftovers.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let address: string;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await temporaryFolder();
  const port = String(await freePort());
  address = `http://localhost:${port}`;
  const register = createServer(({ method }, response) =>
    response.writeHead(method === 'POST' ? 202 : 200).end('[]'),
  );
  register.listen(0, '127.0.0.1');
  await once(register, 'listening');
  endAtLast(async () => void register.close());
  const { port: registerPort } = register.address() as AddressInfo;
  environment = {
    ...{ DATASET_REGISTER: `http://127.0.0.1:${registerPort}` },
    ...{ DATABASE_URL: `sqlite:${join(folder, 'archive.sqlite')}`, DERIVED_DIR: join(folder, 'derived') },
    ...{ PORT: port, BASE_URL: address, ARCHIVE_URL: address, LOG_LEVEL: 'warn' },
  };
  await cp(SAMPLE, join(folder, 'my-archive'), { recursive: true });
  await writeFile(join(folder, 'people.csv'), 'name,born\nAnna,1850\n');
});

/** The files and folders of examples. */
const NAMED = /^(?:my-archive|new-archive|lines|people|map|imported|bundle|harvest|old)(?:\.\w+)?$/;

/** Runs a command line in this process: its paths are those of the folder. */
async function start(line: string, signal = new AbortController().signal) {
  const [program, ...words] = line.replaceAll('http://localhost:3000', address).split(' ');
  const args = words.map((word, at) => (at > 0 && NAMED.test(word) ? join(folder, word) : word));
  if (program === 'archive-cli') return runHere(args, environment);
  const said = { stdout: '', stderr: '' };
  const code = await runApi({
    ...{ arguments: args, environment, signal },
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
  });
  return { code, ...said };
}

/** Runs what an example has of our programs, which have to succeed. */
async function tryExample(example: string): Promise<void> {
  for (const line of example.split(/ (?:&&|\||>>) /).filter((each) => each.startsWith('archive-')))
    expect({ line, ...(await start(line)) }).toMatchObject({ line, code: 0 });
}

/** What is done before each example of a command. */
const BEFORE: Readonly<Record<string, () => Promise<unknown>>> = {
  async publish() {
    // A workbook with another name in it.
    await cp(SAMPLE, join(folder, 'lines'), { recursive: true });
    const persons = join(folder, 'lines', 'persons.jsonl');
    await writeFile(persons, (await readFile(persons, 'utf8')).replaceAll('Beeckman', 'Beekman'));
    await rm(join(folder, 'my-archive.xlsx'));
    await tryExample('archive-api convert lines my-archive.xlsx');
  },
  rollback: () => tryExample('archive-api switch 2'),
  pictures: async () =>
    Object.assign(environment, { MEDIA_DIR: SAMPLE_MEDIA, PICTURES_DIR: join(folder, 'pictures') }),
  diff: () => cp(join(folder, 'harvest'), join(folder, 'old'), { recursive: true }),
};

/** The commands in an order in which the examples of each find what they need. */
const OFFLINE = [
  ...['convert', 'check', 'template', 'import', 'migrate', 'publish', 'index', 'editions'],
  ...['switch', 'rollback', 'extract', 'pictures'],
];
const SERVED = ['doctor', 'register'];
const OF_CLI = ['harvest', 'export', 'verify', 'diff', 'stats', 'search', 'show', 'mcp', 'completion'];

/** The two examples at the start of a command's help. */
async function examplesOf(program: 'archive-api' | 'archive-cli', command: string): Promise<string[]> {
  const { stdout } = await start(`${program} ${command} --help`);
  const [lead = ''] = stdout.split(/^(?:Positionals|Options):/m);
  const examples = [...lead.matchAll(/^# .+\n\$ (.+)$/gm)].map(([, line = '']) => line);
  expect(examples.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
    Array(2).fill(`${program} ${command}`),
  );
  return examples;
}

async function tryAll(program: 'archive-api' | 'archive-cli', commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    for (const example of await examplesOf(program, command)) {
      await BEFORE[command]?.();
      await tryExample(example);
    }
  }
}

/** Runs the examples of `follow` into a database of their own: the first goes on until it is stopped. */
async function tryFollow(): Promise<void> {
  const [endless = '', once = ''] = (await examplesOf('archive-api', 'follow')).map((example) =>
    example.replace('https://archive.example', address),
  );
  const original = environment;
  const place = (name: string) => join(folder, 'copy', name);
  environment = {
    ...original,
    DATABASE_URL: `sqlite:${place('archive.sqlite')}`,
    DERIVED_DIR: place('derived'),
  };
  Object.assign(environment, { FOLLOW_DIR: place('follow'), LOG_LEVEL: 'info' });
  await mkdir(place(''), { recursive: true });
  await tryExample(once);
  const stop = new AbortController();
  const following = start(endless, stop.signal);
  setTimeout(() => stop.abort(), 2_000);
  expect((await following).stderr).not.toContain('"level":"error"');
  expect((await start('archive-api editions')).stdout).toMatch(/^\* edition 1 /);
  environment = original;
}

test('the help of every command begins with two examples, which succeed', { timeout: 300_000 }, async () => {
  const names = [API_COMMANDS, CLI_COMMANDS].flatMap((commands) => namesOf(Object.keys(commands)));
  expect([...OFFLINE, ...SERVED, ...OF_CLI, 'serve', 'follow'].toSorted()).toEqual(
    [...names, 'completion'].toSorted(),
  );
  await tryAll('archive-api', OFFLINE);
  for (const [at, example] of (await examplesOf('archive-api', 'serve')).entries()) {
    const stop = new AbortController();
    const served = start(example, stop.signal);
    const forget = endAtLast(async () => stop.abort());
    const isUp = async () => (await fetch(`${address}/health`).catch(() => undefined))?.ok;
    await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
    if (at === 0) await tryAll('archive-api', SERVED);
    if (at === 0) await tryAll('archive-cli', OF_CLI);
    if (at === 0) await tryFollow();
    stop.abort();
    expect(await served).toMatchObject({ code: 0 });
    forget();
  }
});
