import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { type Ended, type Running, type Settings, startProcess } from '../../support/api-process.ts';
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
export interface Cluster {
  folder: string;
  /** The address of the load balancer: the base URL of all servers. */
  publicUrl: string;
  /** `DATABASE_URL` of a node, or of the load balancer in front of them. */
  databaseUrl(at: Member | 'balancer', user: User, database?: string): string;
  databasePort(node: Member): number;
  /** Runs SQL on a node as root; returns the rows of the last statement. */
  sql(node: Member, ...statements: string[]): Promise<RowDataPacket[]>;
  /** Stops replication to a node, until the returned function is called. */
  holdUp(node: Member): Promise<() => Promise<void>>;
  /** Cuts a node off from the others, until the returned function is called. */
  cutOff(node: Member): Promise<() => Promise<void>>;
  /** Whether a node is in the majority and synchronized. */
  isSynced(node: Member): Promise<boolean>;
  /** A server, without the load balancer. */
  server(member: Member): Pick<ApiServer, 'fetch'>;
  /** The admin port of a server. */
  adminUrl(member: Member): string;
  /** Sends a signal to a program. */
  signal(program: Program, signal: NodeJS.Signals): Promise<void>;
  /** Ends a program with SIGTERM, and waits until it has ended. */
  stop(program: Program): Promise<void>;
  /** Starts a program that has ended, and waits until it has joined again. */
  startAgain(program: `node${Member}` | `server${Member}`, environment?: Settings): Promise<void>;
  /** Starts archive-api with its own database and folder of derived files. */
  start(args: readonly string[], databaseUrl: string, settings?: Settings): Running;
  run(args: readonly string[], databaseUrl: string): Promise<Ended>;
  /** Starts the whole cluster. */
  up(): Promise<void>;
  /** Stops all its programs, and deletes the folder. */
  down(): Promise<void>;
}

/** Configures a cluster in a temporary folder, on free ports, without starting it. */
export async function planCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-cluster-'));
  const first = await freePorts(PORTS);
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
    CLUSTER_PORT: String(first),
  };
  const script = async (args: readonly string[], more: Settings = {}) => {
    await promisify(execFile)(SCRIPT, args, { env: { ...env, ...more } });
  };
  const port = (at: Member | 'balancer') => (at === 'balancer' ? first + 15 : first + (at - 1) * 5 + 3);
  const publicUrl = `http://127.0.0.1:${first + 16}`;
  const pidOf = async (program: Program) => Number(await readFile(join(folder, `${program}.pid`), 'utf8'));
  const cluster: Cluster = {
    folder,
    publicUrl,
    databaseUrl: (at, user, database = 'archive') => `mysql://${user}@127.0.0.1:${port(at)}/${database}`,
    databasePort: port,
    async sql(node, ...statements) {
      const connection = await createConnection({ uri: `mysql://root@127.0.0.1:${port(node)}/` });
      try {
        let rows: RowDataPacket[] = [];
        for (const statement of statements) [rows] = await connection.query<RowDataPacket[]>(statement);
        return rows;
      } finally {
        connection.destroy();
      }
    },
    async holdUp(node) {
      const connection = await createConnection({ uri: `mysql://root@127.0.0.1:${port(node)}/` });
      // Desynchronized, it does not delay the others; locked, it applies nothing.
      await connection.query('set global wsrep_desync = on');
      await connection.query('flush tables with read lock');
      return async () => {
        await connection.query('unlock tables');
        await connection.query('set global wsrep_desync = off');
        await connection.end();
      };
    },
    async cutOff(node) {
      const isolate = (on: 0 | 1) =>
        cluster.sql(node, `set global wsrep_provider_options = 'gmcast.isolate=${on}'`);
      await isolate(1);
      return async () => {
        await isolate(0);
      };
    },
    async isSynced(node) {
      const [state] = await cluster.sql(node, "show status like 'wsrep_local_state_comment'");
      return state?.['Value'] === 'Synced';
    },
    server: (member) => ({ fetch: (path) => fetch(`http://127.0.0.1:${first + 16 + member}${path}`) }),
    adminUrl: (member) => `http://127.0.0.1:${first + 19 + member}`,
    async signal(program, signal) {
      process.kill(await pidOf(program), signal);
    },
    async stop(program) {
      await cluster.signal(program, 'SIGTERM');
      const pid = await pidOf(program);
      while (await isRunning(pid)) await sleep(50);
    },
    async startAgain(program, environment) {
      await script([program.slice(0, -1), folder, program.slice(-1)], environment);
    },
    start: (args, databaseUrl, settings = {}) =>
      startProcess(args, {
        DATABASE_URL: databaseUrl,
        DERIVED_DIR: join(folder, 'derived'),
        BASE_URL: publicUrl,
        ...settings,
      }),
    run: (args, databaseUrl) => cluster.start(args, databaseUrl).ended,
    up: () => script(['up', folder]),
    async down() {
      await script(['down', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}

/** Whether a process runs; it may have ended without having been waited for. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}
