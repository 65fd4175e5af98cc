const OLDEST = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST) {
  process.stderr.write(
    `archive-api needs Node ${OLDEST} or newer; this is Node ${process.versions.node}. ` +
      'Run it with npx or an npm script inside the repository, which bring their own.\n',
  );
  process.exitCode = 1;
} else {
  const { run } = await import('./cli.ts');
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
  process.exitCode = await run({
    arguments: process.argv.slice(2),
    environment: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    stopped,
  });
}

export {};
