import { setAllocator } from './allocator.ts';

const OLDEST = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST) {
  process.stderr.write(
    `archive-api needs Node ${OLDEST} or newer; this is Node ${process.versions.node}. ` +
      'Run it with npx or an npm script inside the repository, which bring their own.\n',
  );
  process.exitCode = 1;
} else {
  setAllocator(process);
  // Imported dynamically, because older versions of Node lack it.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { run } = await import('./cli.ts');
  const { Stopped } = await import('./commands/command-context.ts');
  const stop = new AbortController();
  // `once`, so that a second Ctrl-C ends the process at once.
  process.once('SIGTERM', () => stop.abort(new Stopped('SIGTERM')));
  process.once('SIGINT', () => stop.abort(new Stopped('SIGINT')));
  process.exitCode = await run({
    arguments: process.argv.slice(2),
    environment: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: stop.signal,
  });
  // Ends the process even if a handle is still open, such as a socket to a hanging server.
  setTimeout(() => process.exit(), 1_000).unref();
}
