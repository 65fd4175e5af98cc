/** Settings of the allocator of Linux (glibc, mallopt(3)), by which freed memory goes back to the system: measured in docs/performance.md. */
const SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** The commands that run for long, or need much memory. */
const COMMANDS = ['serve', 'publish', 'index'];

/**
 * Sets the allocator, unless the environment does. That can only be done before a program starts: the process starts it again, with the
 * same number, arguments and output. A child of a cluster has the environment of its parent.
 */
export function setAllocator(current: NodeJS.Process): void {
  const { platform, env, execPath, execArgv, argv, channel } = current;
  const isSet = Object.keys(SETTINGS).every((name) => name in env);
  const [, program = '', command = ''] = argv;
  // To start again closes the channel to a parent.
  if (platform !== 'linux' || isSet || channel || !COMMANDS.includes(command)) return;
  current.execve?.(execPath, [execPath, ...execArgv, program, ...argv.slice(2)], { ...SETTINGS, ...env });
}
