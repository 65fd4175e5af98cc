import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { startProcess } from '../../support/api-process.ts';
import type { ApiServer } from '../../support/api-server.ts';
import { freePorts } from '../../support/free-port.ts';

const SCRIPT = fileURLToPath(new URL('../../../deploy/cluster/on-one-machine.sh', import.meta.url));

/** Offsets of the ports that the script uses. */
const PORTS = 24;

/** A member of the cluster: there are three nodes and three servers. */
export type Member = 1 | 2 | 3;

/** A program of the cluster, by the name of its pid file. */
export type Program = `node${Member}` | `server${Member}` | 'balancer';

/** The users of the databases. */
export type User = 'root' | 'archive_migrate' | 'archive_publish' | 'archive_serve';

/** The cluster of deploy/cluster/on-one-machine.sh. */
export type Cluster = Awaited<ReturnType<typeof planCluster>>;

/** Configures a cluster in a temporary folder, on free ports, without starting it. */
export async function planCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'archive-cluster-'));
  const first = await freePorts(PORTS);
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
    CLUSTER_PORT: String(first),
  };
  const script = async (args: readonly string[]) => {
    await promisify(execFile)(SCRIPT, args, { env });
  };
  const port = (at: Member | 'balancer') => (at === 'balancer' ? first + 15 : first + (at - 1) * 5 + 3);
  const connectTo = (node: Member) => createConnection({ uri: `mysql://root@127.0.0.1:${port(node)}/` });
  const pidOf = async (program: Program) => Number(await readFile(join(folder, `${program}.pid`), 'utf8'));
  /** The address of the load balancer: the base URL of all servers. */
  const publicUrl = `http://127.0.0.1:${first + 16}`;

  /** `DATABASE_URL` of a node, or of the load balancer in front of them. */
  const databaseUrl = (at: Member | 'balancer', user: User, database = 'archive') =>
    `mysql://${user}@127.0.0.1:${port(at)}/${database}`;
  /** Runs SQL on a node as root; returns the rows of the last statement. */
  const sql = async (node: Member, ...statements: string[]) => {
    const connection = await connectTo(node);
    try {
      let rows: RowDataPacket[] = [];
      for (const statement of statements) [rows] = await connection.query<RowDataPacket[]>(statement);
      return rows;
    } finally {
      connection.destroy();
    }
  };
  /** Stops replication to a node, until the returned function is called. */
  const holdUp = async (node: Member) => {
    const connection = await connectTo(node);
    // Desynchronized, it does not delay the others; locked, it applies nothing.
    await connection.query('set global wsrep_desync = on');
    await connection.query('flush tables with read lock');
    return async () => {
      await connection.query('unlock tables');
      await connection.query('set global wsrep_desync = off');
      await connection.end();
    };
  };
  /** Cuts a node off from the others, until the returned function is called. */
  const cutOff = async (node: Member) => {
    const isolate = (on: 0 | 1) => sql(node, `set global wsrep_provider_options = 'gmcast.isolate=${on}'`);
    await isolate(1);
    return async () => {
      await isolate(0);
    };
  };
  /** Whether a node is in the majority and synchronized. */
  const isSynced = async (node: Member) => {
    const [state] = await sql(node, "show status like 'wsrep_local_state_comment'");
    return state?.['Value'] === 'Synced';
  };
  /** A server, without the load balancer. */
  const server = (member: Member): Pick<ApiServer, 'fetch'> => ({
    fetch: (path) => fetch(`http://127.0.0.1:${first + 16 + member}${path}`),
  });
  /** The admin port of a server. */
  const adminUrl = (member: Member) => `http://127.0.0.1:${first + 19 + member}`;
  const signal = async (program: Program, signal: NodeJS.Signals) => {
    process.kill(await pidOf(program), signal);
  };
  /** Ends a program with SIGTERM, and waits until it has ended. */
  const stop = async (program: Program) => {
    await signal(program, 'SIGTERM');
    const pid = await pidOf(program);
    while (await isRunning(pid)) await sleep(50);
  };
  /** Starts a program that has ended, and waits until it has joined again. */
  const startAgain = (program: `node${Member}` | `server${Member}`) =>
    script([program.slice(0, -1), folder, program.slice(-1)]);
  /** Starts archive-api with its own database and folder of derived files. */
  const start = (args: readonly string[], databaseUrl: string) =>
    startProcess(args, {
      DATABASE_URL: databaseUrl,
      DERIVED_DIR: join(folder, 'derived'),
      BASE_URL: publicUrl,
    });
  const run = (args: readonly string[], databaseUrl: string) => start(args, databaseUrl).ended;
  const up = () => script(['up', folder]);
  /** Stops all its programs, and deletes the folder. */
  const down = async () => {
    await script(['down', folder]);
    await rm(folder, { recursive: true, force: true });
  };
  return {
    ...{ publicUrl, databaseUrl, sql, holdUp, cutOff, isSynced, server, adminUrl },
    ...{ signal, stop, startAgain, start, run, up, down },
  };
}

/** Whether a process runs; it may have ended without having been waited for. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}
