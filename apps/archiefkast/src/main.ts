import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chooseProgram, listCommands, type Program } from './choose-program.ts';

const OLDEST = 24;
const USAGE = 2;
const LOAD = {
  api: () => import('@archiefkast/archive-api'),
  cli: () => import('@archiefkast/archive-cli'),
} as const;

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST) {
  process.stderr.write(`archiefkast needs Node ${OLDEST} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  const choice = chooseProgram(process.argv.slice(2));
  if (choice.kind === 'run') await runProgram(choice.program, choice.arguments);
  else {
    const { guardOutput } = await import('@archiefkast/system');
    const { stdout, stderr, exit } = guardOutput('archiefkast', process, () => {});
    exit(choice.kind === 'invalid' ? USAGE : 0);
    if (choice.kind === 'help') stdout.write(await describe());
    else if (choice.kind === 'version') stdout.write(`${await readVersion()}\n`);
    else stderr.write(`archiefkast: ${choice.reason} (see archiefkast --help)\n`);
  }
}

/** Becomes a program: it finds its own name and arguments in `process.argv`, as if it had been started. */
async function runProgram(program: Program, args: readonly string[]): Promise<void> {
  const main = import.meta.resolve(`@archiefkast/archive-${program}/main`);
  process.argv.splice(1, Infinity, fileURLToPath(main), ...args);
  await import(main);
}

async function describe(): Promise<string> {
  return [
    'archiefkast <command>\n\nPublishes a historical research archive on the web, and harvests it.',
    `Publish and serve (settings: archiefkast api --help):\n${listCommands('api', await helpOf('api'))}`,
    `Harvest and search (exit codes: archiefkast cli --help):\n${listCommands('cli', await helpOf('cli'))}`,
    'Options of a command: archiefkast <command> --help\n',
  ].join('\n\n');
}

async function helpOf(program: Program): Promise<string> {
  const { run } = await LOAD[program]();
  const written: (string | Uint8Array)[] = [];
  const output = { write: (text: string | Uint8Array) => written.push(text) };
  const { signal } = new AbortController();
  const openPage = async () => {};
  await run({ arguments: ['--help'], environment: {}, stdout: output, stderr: output, signal, openPage });
  return written.join('');
}

async function readVersion(): Promise<string> {
  const url = new URL('../package.json', import.meta.url);
  const { version }: { version: string } = JSON.parse(await readFile(url, 'utf8'));
  return version;
}
