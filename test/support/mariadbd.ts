import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { type MysqlServer, whyUnreachable } from './mysql-server.ts';

/** How long the server gets until it answers. */
const START_MILLISECONDS = 30_000;

/**
 * Starts a MariaDB server on a temporary folder, for the loopback address only; undefined when no `mariadbd` is
 * installed. Nothing it holds outlives it, so it is told not to wait for the disk.
 *
 * @param path folders to look in, as in the environment's PATH
 * @param more options of the server beside those that every test needs
 * @throws Error when it is installed but does not start
 */
export async function startMariadbd(
  path: string,
  more: readonly string[] = [],
): Promise<MysqlServer | undefined> {
  // A user's PATH may lack the folder of servers.
  const server = await findProgram('mariadbd', `${path}:/usr/sbin`);
  const install = await findProgram('mariadb-install-db', path);
  if (!server || !install) return undefined;

  const folder = await mkdtemp(join(tmpdir(), 'archive-mariadb-'));
  const data = join(folder, 'data');
  const user = `--user=${userInfo().username}`;
  // A server that starts deletes what others have in the same folder of temporary tables.
  const env = { ...process.env, TMPDIR: folder };
  const installing = [
    '--no-defaults',
    `--datadir=${data}`,
    user,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ];
  await promisify(execFile)(install, installing, { env });
  const port = await freePort();
  const child = spawn(
    server,
    [
      '--no-defaults',
      `--datadir=${data}`,
      user,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-doublewrite=0',
      ...more,
    ],
    { env, stdio: 'ignore' },
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const url = `mysql://root@127.0.0.1:${port}/`;
  const deadline = performance.now() + START_MILLISECONDS;
  for (;;) {
    const fault = await whyUnreachable(url);
    if (fault === undefined) return { url, stop };
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${server} does not start: ${fault}`);
    }
    await sleep(50);
  }
}
