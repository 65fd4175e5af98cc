import { type MysqlServer, startMariadbd, whyUnreachable } from './mariadbd.ts';

/** How to enable the MySQL tests. */
export const HOW_TO_GET_MYSQL =
  'Name a server in TEST_MYSQL_URL (mysql://user:password@host:port/, allowed to create databases), ' +
  'or install mariadbd (Debian: mariadb-server): the tests then start one of their own.';

const LOCAL = 'mysql://root@127.0.0.1:3306/';

/**
 * Finds a server for the tests: the one in `TEST_MYSQL_URL`; else one on 127.0.0.1:3306 that lets root in without
 * a password; else a new `mariadbd` on a temporary folder. Undefined if there is none.
 *
 * @throws Error if the server in `TEST_MYSQL_URL` does not respond
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
