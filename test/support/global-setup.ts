import type { TestProject } from 'vitest/node';
import { findProgram } from './find-program.ts';
import { findMysqlServer } from './mysql-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the MySQL or MariaDB server, without a database; null when there is none. */
    mysqlUrl: string | null;
    /** The proxies that are installed, by name: where they are. */
    proxies: Readonly<Partial<Record<ProxyName, string>>>;
  }
}

/** The proxies in front of which the server is tested. */
export const PROXIES = ['varnishd', 'nginx'] as const;

/** A proxy. */
export type ProxyName = (typeof PROXIES)[number];

/** How a machine gets the tests of the proxies. */
export const HOW_TO_GET_PROXIES =
  'Install them (Debian: varnish, nginx-light): the tests start them on a temporary folder.';

/** How a machine gets the MySQL half of the tests. */
export const HOW_TO_GET_MYSQL =
  'Name a server in TEST_MYSQL_URL (mysql://user:password@host:port/, allowed to create databases), ' +
  'or install mariadbd (Debian: mariadb-server): the tests then start one of their own.';

/**
 * Finds the MySQL or MariaDB server once for the whole run.
 *
 * @throws Error when there is none on CI, where half of the tests must not go missing
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await findMysqlServer(process.env);
  if (!server && process.env['CI']) {
    throw new Error(`There is no MySQL or MariaDB server for the tests. ${HOW_TO_GET_MYSQL}`);
  }
  project.provide('mysqlUrl', server?.url ?? null);
  project.provide('proxies', await findProxies(process.env['PATH'] ?? ''));
  return async () => {
    await server?.stop();
  };
}

async function findProxies(path: string): Promise<Partial<Record<ProxyName, string>>> {
  const found = await Promise.all(
    PROXIES.map(async (name) => [name, await findProgram(name, path)] as const),
  );
  return Object.fromEntries(found.filter(([, file]) => file !== undefined));
}
