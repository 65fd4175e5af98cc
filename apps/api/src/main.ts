const OLDEST = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST) {
  process.stderr.write(
    `archive-api needs Node ${OLDEST} or newer; this is Node ${process.versions.node}. ` +
      'Run it with npx or an npm script inside the repository, which bring their own.\n',
  );
  process.exitCode = 1;
} else {
  // Older ones lack it. What was compiled once is read the next time.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { run } = await import('./cli.ts');
  const { Stopped } = await import('./commands/command-context.ts');
  const stop = new AbortController();
  // Once: whoever presses Ctrl-C twice does not want to wait.
  process.once('SIGTERM', () => stop.abort(new Stopped('SIGTERM')));
  process.once('SIGINT', () => stop.abort(new Stopped('SIGINT')));
  process.exitCode = await run({
    arguments: process.argv.slice(2),
    environment: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: stop.signal,
  });
  // What still holds the process open, such as a socket of a server that hangs, is let go.
  setTimeout(() => process.exit(), 1_000).unref();
}
