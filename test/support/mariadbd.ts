import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';

/** A MySQL or MariaDB server on which tests may create and drop databases. */
export interface MysqlServer {
  /** Its address with user and password, without a database; ends in `/`. */
  url: string;
  /** Stops it, if the test run started it. */
  stop(): Promise<void>;
}

/** Timeout for the start of the server. */
const START_MILLISECONDS = 30_000;

/**
 * Starts a MariaDB server on a temporary folder, on the loopback address only; undefined if `mariadbd` is not
 * installed. Its data is temporary, so it does not flush to disk.
 *
 * @param path folders to search, in the format of PATH
 * @param more additional options of the server
 * @throws Error if it is installed but does not start
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
  // When it starts, a server deletes all temporary tables in its folder, including those of other servers.
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

/** Why a server cannot be used; undefined if it can. */
export async function whyUnreachable(url: string): Promise<string | undefined> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 3000 });
    await connection.query('select 1');
    await connection.end();
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return `${code} ${error instanceof Error ? error.message : String(error)}`.trim();
  }
}
