import { refuseOldNode } from '@archiefkast/system/node-version';
import type { StopSignal } from './commands/command.ts';

/** Settings of the allocator of Linux (glibc, mallopt(3)), by which freed memory goes back to the system: see docs/operations.md. */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * The commands that run for long or need much memory, with options of V8: the size of each of the two semi-spaces of young objects in MB,
 * and by how much the heap may grow before it is collected. Of serve, twice of this size, V8's own limit, takes more memory and saves no
 * time; half of it takes a tenth more time. Its heap takes some 30 MB less at 1,000,000 records than one that grows to three times its size, and
 * no more time; one that grows to one and a half, 30 MB less again, but 9 % more time. The others limit their heap once their code is
 * loaded (`growHeapSlowly` in `cli.ts`): with options like these, a publish of 200,000 records takes a third more time and 60 MB more.
 */
const LARGE: Readonly<Record<string, readonly string[]>> = {
  serve: ['--max-semi-space-size=32', '--heap-growing-percent=100'],
  publish: [],
  follow: [],
  index: [],
  check: [],
};

/**
 * Starts a large command again with the settings above, unless the environment has those of the allocator: they can only be made before a
 * program starts. The process keeps its number, arguments and output. A child of a cluster has the settings of its parent.
 */
function startWithSettings(): void {
  const { platform, env, execPath, execArgv, argv, channel } = process;
  const [, program = '', command = '', ...rest] = argv;
  const options = LARGE[command];
  const isSet = Object.keys(ALLOCATOR).every((name) => name in env);
  // To start again closes the channel to a parent.
  if (platform !== 'linux' || isSet || channel || !options) return;
  process.execve?.(execPath, [execPath, ...execArgv, ...options, program, command, ...rest], {
    ...ALLOCATOR,
    ...env,
  });
}

/** Runs the command of this process. @param name of the program */
export async function main(name: string): Promise<void> {
  if (refuseOldNode(name)) return;
  startWithSettings();
  // Imported dynamically, because older versions of Node lack it.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { run } = await import('./cli.ts');
  const { STOP_SIGNALS, Stopped } = await import('./commands/command.ts');
  const stop = new AbortController();
  // `once`, so that a second Ctrl-C ends the process at once.
  for (const name of Object.keys(STOP_SIGNALS) as StopSignal[])
    process.once(name, () => stop.abort(new Stopped(name)));
  const { guardOutput } = await import('@archiefkast/system');
  const { stdout, stderr, exit } = guardOutput(name, process, () => stop.abort(new Stopped('SIGTERM')));
  const { argv, env: environment } = process;
  exit(await run({ arguments: argv.slice(2), environment, stdout, stderr, signal: stop.signal }, name));
  // Ends the process even if a handle is still open, such as a socket to a hanging server.
  setTimeout(() => process.exit(), 1_000).unref();
}
