import { spawn } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';

const OLDEST = 24;
/**
 * A harvest makes much garbage and keeps little. V8 would let its heap grow to several times of what is in use before it
 * collects: measured on 70,000 persons, that takes twice the memory, in the same time.
 */
const HEAP_GROWTH_PERCENT = 100;
/** What the nursery grows to, both halves of it. Half as much takes a fifth more time of an archive whose records are long. */
const NURSERY_BYTES = 8 * 2 ** 20;
/** How long a command may take to stop tidily, in milliseconds. */
const PATIENCE = 2000;

/** Someone asked the command to stop. */
class InterruptedError extends Error {
  override name = 'InterruptedError';

  constructor() {
    super('interrupted');
  }
}

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST) {
  process.stderr.write(
    `archive-cli needs Node ${OLDEST} or newer; this is Node ${process.versions.node}. ` +
      'Run it with npx or an npm script inside the repository, which bring their own.\n',
  );
  process.exitCode = 1;
} else {
  const { growNursery, keepNursery } = await import('@archiefkast/system/nursery');
  keepNursery();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // Older ones lack it. What was compiled once is read the next time.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { run } = await import('./cli.ts');
  growNursery(NURSERY_BYTES);
  const stopped = new AbortController();
  let brokenPipe = false;

  const interrupt = () => {
    if (stopped.signal.aborted) process.exit(130);
    stopped.abort(new InterruptedError());
    setTimeout(() => process.exit(130), PATIENCE).unref();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    brokenPipe = true;
    stopped.abort(new InterruptedError());
  });

  const exitCode = await run({
    arguments: process.argv.slice(2),
    environment: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: stopped.signal,
    openPage,
  });
  process.exitCode = brokenPipe ? 0 : exitCode;
}

/** Hands an address to what opens pages on this system. Where nothing does, it has been printed. */
async function openPage(url: string): Promise<void> {
  const opener = { darwin: 'open', win32: 'explorer' }[String(process.platform)] ?? 'xdg-open';
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
