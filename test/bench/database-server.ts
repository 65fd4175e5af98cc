import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { DatabasePlace } from '../support/create-database.ts';
import { startMariadbd } from '../support/mariadbd.ts';
import { countProcessorTime } from './processor-time.ts';

/** A MariaDB server of the benchmark's own, so that all that it does is done for the benchmark. */
export interface DatabaseServer {
  /** Its address with user and password, without a database; ends in `/`. */
  url: string;
  pid: number;
  /** MB that it has written to its redo log so far. */
  redoMegabytes(): Promise<number>;
  /** Waits until it has finished its work in the background, such as writing pages to files. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws Error if `mariadbd` is not installed, or does not start */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  // As it is by default, unlike in tests.
  const defaults = ['--innodb-flush-log-at-trx-commit=1', '--innodb-doublewrite=1'];
  const server = await startMariadbd(process.env['PATH'] ?? '', defaults);
  if (!server) {
    throw new Error('expected mariadbd in the PATH (Debian: mariadb-server), or --engines sqlite');
  }
  const connection = await createConnection({ uri: server.url });
  const [[variables]] = await connection.query<RowDataPacket[]>('select @@pid_file as pidFile');
  const pid = Number(await readFile(variables?.['pidFile'], 'utf8'));
  return {
    url: server.url,
    pid,
    redoMegabytes: async () => {
      const [[status]] = await connection.query<RowDataPacket[]>(
        "show global status like 'Innodb_lsn_current'",
      );
      return Number(status?.['Value']) / 1e6;
    },
    settle: async () => {
      let taken: number;
      do {
        const count = countProcessorTime([pid]);
        await sleep(1000);
        taken = count();
      } while (taken > 20);
    },
    stop: async () => {
      await connection.end();
      await server.stop();
    },
  };
}

/** Sizes of a database and of its derived files, in MB. */
export async function storedMegabytes({ engine, url, folder }: DatabasePlace) {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })),
  );
  const sum = (isDerived: boolean) =>
    sizes
      .filter(({ name }) => name.startsWith('derived') === isDerived)
      .reduce((total, { size }) => total + size, 0) / 1e6;
  return { database: engine === 'sqlite' ? sum(false) : await sizeOfTables(url), derived: sum(true) };
}

async function sizeOfTables(url: string): Promise<number> {
  const connection = await createConnection({ uri: url });
  const tables = 'from information_schema.tables where table_schema = database()';
  const [names] = await connection.query<RowDataPacket[]>(`select table_name as name ${tables}`);
  // Without this, the sizes are from before the tables were filled.
  await connection.query(`analyze table ${names.map(({ name }) => `\`${name}\``).join(', ')}`);
  const [[row]] = await connection.query<RowDataPacket[]>(
    `select sum(data_length + index_length) / 1e6 as size ${tables}`,
  );
  await connection.end();
  return Number(row?.['size']);
}
