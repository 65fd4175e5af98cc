import { spawn } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { refuseOldNode } from '@archiefkast/system/node-version';

/**
 * How far the heap grows between collections. A harvest allocates much and keeps little: on 70,000 persons V8's default
 * takes twice the memory in the same time. Of 8,303 events at one place, 100 takes 218 to 234 MB, and 40 takes 202 to 217.
 */
const HEAP_GROWTH_PERCENT = 40;
/** Maximum size of the young generation. Half of it takes 20 % more time on an archive of long records. */
const YOUNG_GENERATION_BYTES = 8 * 2 ** 20;
/** How long a command may take to stop before the process exits. */
const STOP_TIMEOUT_MILLISECONDS = 2000;

/** Runs the command of this process. @param name of the program */
export async function main(name: string): Promise<void> {
  if (refuseOldNode(name)) return;
  const { freezeYoungGeneration, growYoungGeneration, guardOutput } = await import('@archiefkast/system');
  freezeYoungGeneration();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // Imported dynamically: older versions of Node lack this export.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { run } = await import('./cli.ts');
  growYoungGeneration(YOUNG_GENERATION_BYTES);
  const stopped = new AbortController();

  /** The exit code of a command that a signal has stopped: 128 and the number of the first signal. */
  let interrupted = 130;
  const interrupt = (code: number) => () => {
    if (stopped.signal.aborted) process.exit(interrupted);
    interrupted = code;
    stopped.abort();
    setTimeout(() => process.exit(code), STOP_TIMEOUT_MILLISECONDS).unref();
  };
  process.on('SIGINT', interrupt(130));
  process.on('SIGTERM', interrupt(143));
  const { stdout, stderr, exit } = guardOutput(name, process, () => stopped.abort());

  const [command, shell] = process.argv.slice(2);
  // yargs chooses the script of a shell by this variable.
  if (command === 'completion' && shell) process.env['SHELL'] = shell;
  const { signal } = stopped;
  const { argv, env: environment, stdin } = process;
  const useProxies = async (address: string) =>
    (await import('@archiefkast/system/use-proxies')).useProxies(environment, address);
  const own = { arguments: argv.slice(2), environment, stdin, stdout, stderr, signal, openPage, useProxies };
  const code = await run(own, name);
  exit(code === 130 ? interrupted : code);
}

/** Opens an address in the default browser. Errors are ignored: the address has been printed. */
async function openPage(url: string): Promise<void> {
  const opener = { darwin: 'open', win32: 'explorer' }[String(process.platform)] ?? 'xdg-open';
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
