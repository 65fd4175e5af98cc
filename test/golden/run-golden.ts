import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { type ArchiveServer, type ArchiveServerOptions, startArchive } from '../faults/archive-server.ts';
import { type ArchiveChange, changeArchive } from '../faults/faults.ts';
import { type HereResult, runHere, type Terminal } from '../faults/run-here.ts';
import { readTestTls, TEST_CERTIFICATE } from '../faults/tls.ts';
import { runApiHere } from '../support/api-here.ts';
import { BARE_ENVIRONMENT } from '../support/api-process.ts';
import { ITSELF, startShared } from '../support/api-server.ts';
import { type Content, edited, writeContent } from './contents.ts';

/** The input of a golden file. */
interface Input {
  /** The steps of every case, unless it has its own. */
  run?: Step | Step[];
  /** The archive of every case, at `archive.test`. */
  archive?: Archive;
  /** The files of every case, by path. */
  files?: Record<string, Content>;
  /** The cases: command lines; or by name, their steps or what differs. */
  cases: string[] | Record<string, Step[] | Case>;
}

/** Files, and what else differs. */
type Case = Record<string, Content> & { run?: Step | Step[]; archive?: Archive };

/** A command line, or how the archive changes. */
type Step = string | ArchiveChange;

/** How an archive starts. */
type Archive = ArchiveChange & Pick<ArchiveServerOptions, 'counts' | 'etags'> & { tls?: boolean };

/** Where the steps of a case run. */
interface Place {
  folder: string;
  archive: ArchiveServer;
  /** The names and addresses of hosts. */
  hosts: readonly (readonly [string, string])[];
}

type Program = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  place: Place,
) => Promise<HereResult>;

const PROGRAMS: Readonly<Record<string, Program>> = {
  'archive-api': runApiHere,
  'archive-cli': runOnTerminal,
  /** The requests that the archive got since the last time, with the status of their responses. */
  async requests(_, __, { archive }) {
    const lines = archive.answers.splice(0).map(({ status, url }) => `${status} ${url}\n`);
    return { code: 0, stderr: '', stdout: lines.join('') };
  },
  /** The User-Agents of these requests. */
  async agents(_, __, { archive }) {
    return {
      code: 0,
      stderr: '',
      stdout: [...new Set(archive.answers.map(({ agent }) => agent))].join('\n'),
    };
  },
  /** The rows of a query to an SQLite file. */
  async sql([path = '', query = '']) {
    using database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare(query).all();
    return { code: 0, stderr: '', stdout: rows.map((row) => `${Object.values(row).join('|')}\n`).join('') };
  },
};

const ROOT = join(import.meta.dirname, '../..');
/** A uuid that is not that of a record of `archive.test`. */
const UUID = /(?!.0000000-0000-4000-8000-)[0-9a-f]{8}-[0-9a-f-]{27}/g;

/**
 * Runs the cases of an input (YAML). Returns a line for each command, with the name of its case, the exit code and the last line
 * of its output, and then the other lines: those of stderr begin with `! `. The folder of a case is `.`, a uuid that the input
 * does not have `(uuid)`. Lines that begin with `$ ` are run by the shell. `sample.test` serves the sample; with `COLUMNS=`
 * a command runs on a terminal of that width.
 */
export async function runGolden(input: string): Promise<string> {
  const { run = [], files = {}, archive = {}, cases }: Input = parse(input, { merge: true });
  const sample = input.includes('sample.test')
    ? await startShared('sample', 'sqlite', { BASE_URL: ITSELF })
    : undefined;
  const hosts = sample ? [['sample.test', new URL(sample.baseUrl).host] as const] : [];
  const named: (readonly [string, Step[] | Case])[] = Array.isArray(cases)
    ? cases.map((line) => [line, [line]])
    : Object.entries(cases);
  let output = '';
  for (const [name, one] of named) {
    const { run: own = run, archive: itsOwn, edits } = readCase(one);
    const results = await runAll([own].flat(), edited(files, edits), { ...archive, ...itsOwn }, hosts);
    output += results.map((result, at) => `# ${at === 0 ? name : '…'}: ${result}`).join('');
  }
  return output.replaceAll(UUID, (uuid) => (input.includes(uuid) ? uuid : '(uuid)'));
}

/** The steps and the archive of a case, and the files that differ. */
function readCase(one: Step[] | Case): Pick<Input, 'run' | 'archive'> & { edits: Record<string, Content> } {
  if (Array.isArray(one)) return { run: one, edits: {} };
  const { run, archive, ...edits } = one;
  return { ...(run && { run }), ...(archive && { archive }), edits };
}

/** Runs steps in a folder with these files, beside an archive. */
async function runAll(
  steps: readonly Step[],
  files: Readonly<Record<string, Content>>,
  start: Archive,
  others: Place['hosts'],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-golden-'));
  const { counts = {}, etags = false, tls } = start;
  const archive = await startArchive({ counts, etags, ...(tls && { tls: await readTestTls() }) });
  const { port } = new URL(archive.url);
  const hosts = [
    ['archive.test', `localhost:${port}`],
    ['address.test', `127.0.0.1:${port}`],
    ...others,
  ] as const;
  const place = { folder, archive, hosts };
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeContent(join(folder, name), content);
    }
    const results: string[] = [];
    for (const step of [start, ...steps]) {
      const text = addressed(typeof step === 'string' ? step : JSON.stringify(step), place);
      if (typeof step === 'string') results.push(printed(await runCommand(text, place), place));
      else changeArchive(archive, JSON.parse(text));
    }
    return results;
  } finally {
    await archive.stop();
    await rm(folder, { recursive: true });
  }
}

function addressed(text: string, { hosts }: Place): string {
  return hosts.reduce((replaced, [name, address]) => replaced.replaceAll(name, address), text);
}

function printed({ code, stderr, stdout }: HereResult, { folder, hosts }: Place): string {
  const output = (stderr.replaceAll(/^(?=.)/gm, '! ') + stdout)
    .replaceAll(folder, '.')
    .replaceAll(/(?<=: is not JSON: ).*/g, '(why)')
    .replaceAll(/\b\d+\.\d s\b/g, '(time)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replaceAll(/(?<=About )[\d:]+ \w+/g, '(time)')
    .replaceAll(/(?<=archive-cli\/)\d+\.\d+\.\d+/g, '(version)')
    .replaceAll(/getaddrinfo \w+|other side closed|read ECONNRESET|terminated/g, '(why)')
    .replaceAll('\r', '');
  const lines = hosts
    .reduce((replaced, [name, address]) => replaced.replaceAll(address, name), output)
    .trimEnd()
    .split('\n')
    .toSorted((one, other) => orderOf(one) - orderOf(other));
  return `${[`exit ${code} ${lines.at(-1)}`, ...lines.slice(0, -1)].join('\n')}\n`;
}

/** Kinds are harvested at the same time: lines that are only about one come in the order of kinds, then the others. */
function orderOf(line: string): number {
  const [, collection] = /^(?:! |\d+ \/en\/api\/)(subjects|locations|events)(?:: |\?|$)/.exec(line) ?? [];
  return collection === undefined ? 3 : ['subjects', 'locations', 'events'].indexOf(collection);
}

/** Runs a command line: environment variables, the program and its arguments, in double quotes if they have spaces. */
async function runCommand(line: string, place: Place): Promise<HereResult> {
  if (line.startsWith('$ ')) return runInShell(line.slice(2), place.folder);
  const words = (line.match(/(?:"[^"]*"|[^\s"])+/g) ?? []).map((word) =>
    word.replaceAll('"', '').replace(/(?<=^|[:=])\.(?=\/|$)/, place.folder),
  );
  const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const program = PROGRAMS[words[at] ?? ''];
  if (program === undefined) throw new Error(`expected a program in "${line}"`);
  const environment = Object.fromEntries(words.slice(0, at).map((word) => word.split(/=(.*)/s, 2)));
  const args = words
    .slice(at + 1)
    .flatMap((word) => (word.endsWith('/*') ? globSync(word).toSorted() : word));
  return program(args, environment, place);
}

async function runInShell(script: string, cwd: string): Promise<HereResult> {
  const path = [join(ROOT, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']];
  const env = { ...BARE_ENVIRONMENT, PATH: path.join(delimiter), LC_ALL: 'C', TEST_CERTIFICATE };
  const child = spawn('/bin/sh', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code: code ?? 1, stdout, stderr };
}

async function runOnTerminal(
  args: readonly string[],
  { COLUMNS, ...environment }: Readonly<Record<string, string>>,
): Promise<HereResult> {
  const opened: string[] = [];
  const terminal: Terminal = COLUMNS === undefined ? {} : { isTTY: true, columns: Number(COLUMNS) };
  const result = await runHere(args, environment, { ...terminal, opened });
  return { ...result, stdout: result.stdout + opened.map((url) => `opened ${url}\n`).join('') };
}
