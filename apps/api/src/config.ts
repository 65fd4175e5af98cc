/** How the API is set up. Frozen: read once, at start. */
export interface Config {
  readonly database: DatabaseConfig;
  /** Root of every link, without a slash at its end. */
  readonly baseUrl: string;
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  /** Folder of the files that every node derives from the editions it serves. */
  readonly derivedFolder: string;
  /** What caches are told of answers from the edition served now: a `Cache-Control` header. */
  readonly cacheControl: string;
  /** Memory for answers, in bytes. */
  readonly cacheBytes: number;
  /** What a client gets to send a request, and to take its share of an answer, in milliseconds. */
  readonly clientMilliseconds: number;
}

/** Which database holds the editions. */
export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'mysql'; readonly url: string };

/** The levels of the log, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** A level of the log. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every setting: its name in the environment, its default and what it is for. `--help` and the docs show it. */
export const SETTINGS = [
  {
    name: 'DATABASE_URL',
    fallback: 'sqlite:./data/archive.sqlite',
    meaning: 'where the editions are kept: sqlite:<file> or mysql://user:password@host:port/database',
  },
  { name: 'BASE_URL', fallback: 'http://localhost:$PORT', meaning: 'root of every link in every answer' },
  { name: 'PORT', fallback: '3000', meaning: 'port to listen on' },
  { name: 'HOST', fallback: '127.0.0.1', meaning: 'address to listen on' },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: `what the log tells: ${LOG_LEVELS.join(', ')}` },
  {
    name: 'DERIVED_DIR',
    fallback: './data/derived',
    meaning:
      'folder of the files that each node derives from the edition it serves, such as its search index',
  },
  {
    name: 'CACHE_CONTROL',
    fallback: 'public, max-age=60, stale-while-revalidate=600',
    meaning: 'what caches are told of answers from the edition served now',
  },
  { name: 'CACHE_MB', fallback: '64', meaning: 'memory for answers that are asked for often, in megabytes' },
  {
    name: 'CLIENT_SECONDS',
    fallback: '30',
    meaning: 'seconds in which a client must send its request, and take at least 16 kB of an answer',
  },
] as const;

/** The name of a setting. */
export type SettingName = (typeof SETTINGS)[number]['name'];

/** The environment does not make a configuration. The message has a line for every fault. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the configuration from the environment. An empty variable counts as absent.
 *
 * @throws ConfigError naming every variable that is wrong, what it holds and what was expected
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const value = (name: SettingName) =>
    environment[name] || (SETTINGS.find((setting) => setting.name === name)?.fallback ?? '');
  const check = <Value>(name: SettingName, parsed: Value | undefined, expected: string) => {
    if (parsed === undefined)
      faults.push(`${name}: expected ${expected}, got "${hidePassword(value(name))}"`);
    return parsed;
  };

  const port = check('PORT', parseWhole(value('PORT'), 0, 65_535), 'a whole number from 0 to 65535');
  const baseUrl = check(
    'BASE_URL',
    parseBaseUrl(value('BASE_URL').replace('$PORT', String(port ?? 3000))),
    'an absolute http or https URL without query, fragment or password',
  );
  const database = check(
    'DATABASE_URL',
    parseDatabaseUrl(value('DATABASE_URL')),
    'sqlite:<file> or mysql://user:password@host:port/database',
  );
  const logLevel = check(
    'LOG_LEVEL',
    LOG_LEVELS.find((level) => level === value('LOG_LEVEL').toLowerCase()),
    `one of ${LOG_LEVELS.join(', ')}`,
  );
  const cacheControl = check(
    'CACHE_CONTROL',
    /^[\x20-\x7e]+$/.test(value('CACHE_CONTROL')) ? value('CACHE_CONTROL') : undefined,
    'directives such as public, max-age=60',
  );
  const cacheMegabytes = check(
    'CACHE_MB',
    parseWhole(value('CACHE_MB'), 0, 1_000_000),
    'a whole number from 0 to 1000000',
  );
  const clientSeconds = check(
    'CLIENT_SECONDS',
    parseWhole(value('CLIENT_SECONDS'), 1, 3_600),
    'a whole number from 1 to 3600',
  );
  if (port === 0 && !environment['BASE_URL']) {
    faults.push('BASE_URL: must be given when PORT is 0, for links cannot follow a port chosen at start');
  }
  if (
    faults.length > 0 ||
    port === undefined ||
    !baseUrl ||
    !database ||
    !logLevel ||
    !cacheControl ||
    cacheMegabytes === undefined ||
    !clientSeconds
  ) {
    throw new ConfigError(faults.join('\n'));
  }
  return Object.freeze({
    database: Object.freeze(database),
    baseUrl,
    port,
    host: value('HOST'),
    logLevel,
    derivedFolder: value('DERIVED_DIR'),
    cacheControl,
    cacheBytes: cacheMegabytes * 2 ** 20,
    clientMilliseconds: clientSeconds * 1_000,
  });
}

function parseWhole(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : undefined;
}

function parseBaseUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return url.href.replace(/\/+$/, '');
}

function parseDatabaseUrl(text: string): DatabaseConfig | undefined {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    return file && file !== ':memory:' ? { engine: 'sqlite', file } : undefined;
  }
  const url = URL.parse(text);
  const isMysql = url && /^(mysql|mariadb):$/.test(url.protocol) && url.hostname && url.pathname.length > 1;
  return isMysql ? { engine: 'mysql', url: text.replace(/^mariadb:/, 'mysql:') } : undefined;
}

/** The URL with its password, if any, made unreadable. */
export function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:***@');
}
