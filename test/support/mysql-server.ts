import { createConnection } from 'mysql2/promise';
import { startMariadbd } from './mariadbd.ts';

/** How a machine gets the MySQL half of the tests. */
export const HOW_TO_GET_MYSQL =
  'Name a server in TEST_MYSQL_URL (mysql://user:password@host:port/, allowed to create databases), ' +
  'or install mariadbd (Debian: mariadb-server): the tests then start one of their own.';

/** A MySQL or MariaDB server for a test run, on which databases may be made and dropped. */
export interface MysqlServer {
  /** Its address with user and password, without a database; ends in `/`. */
  url: string;
  /** Ends it, if the test run started it. */
  stop(): Promise<void>;
}

const LOCAL = 'mysql://root@127.0.0.1:3306/';

/**
 * Finds a server for the tests: the one that `TEST_MYSQL_URL` names; else one on 127.0.0.1:3306 that lets root
 * in without a password; else a `mariadbd` of its own, on a temporary folder. Undefined when there is none.
 *
 * @throws Error when `TEST_MYSQL_URL` names a server that does not answer
 */
export async function findMysqlServer(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<MysqlServer | undefined> {
  const given = environment['TEST_MYSQL_URL'];
  if (given) {
    const url = new URL('/', given).href;
    const fault = await whyUnreachable(url);
    if (fault) throw new Error(`TEST_MYSQL_URL: no MySQL or MariaDB server can be used there: ${fault}`);
    return { url, stop: async () => {} };
  }
  if ((await whyUnreachable(LOCAL)) === undefined) return { url: LOCAL, stop: async () => {} };
  return await startMariadbd(environment['PATH'] ?? '');
}

/** Why a server cannot be used; undefined when it can. */
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
