import { type MapTiles, parseMapTiles } from '@archiefkast/site/map-tiles';
import { parseWebAddress } from '@archiefkast/types/web-address';
import { z } from 'zod';
import { type DatabaseAddress, parseDatabaseUrl } from './storage/database-url.ts';

/** The levels of the log, most talkative first. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Any text. */
function text() {
  return z.string();
}

/** One of `names`, in either case. */
function oneOf<const Name extends string>(names: readonly Name[]) {
  return parsed(`one of ${names.join(', ')}`, (given) => names.find((name) => name === given.toLowerCase()));
}

/** A whole number between bounds. */
function wholeNumber(least: number, most: number) {
  return parsed(`a whole number from ${least} to ${most}`, (given) => parseWhole(given, least, most));
}

/** `on` or `off`. */
function onOff() {
  return parsed('on or off', (given) => ({ on: true, off: false })[given.toLowerCase()]);
}

/** A port to listen on, 0 for any; undefined where it is `off`. */
function optionalPort() {
  return parsed(
    'a whole number from 0 to 65535, or off',
    (given): { port: number | undefined } | undefined => {
      if (given.toLowerCase() === 'off') return { port: undefined };
      const port = parseWhole(given, 0, 65_535);
      return port === undefined ? undefined : { port };
    },
  ).transform(({ port }) => port);
}

/** The path of a folder; undefined where it is `off`. */
function optionalFolder() {
  return z.string().transform((given) => (given.toLowerCase() === 'off' ? undefined : given));
}

/** A size given in whole megabytes, as bytes. */
function megabytes(least: number, most: number) {
  return wholeNumber(least, most).transform((number) => number * 2 ** 20);
}

/** A duration given in whole seconds, as milliseconds. */
function seconds(least: number, most: number) {
  return wholeNumber(least, most).transform((number) => number * 1_000);
}

/** What the value of an HTTP header may hold. */
function headerValue(expected: string) {
  return parsed(expected, (given) => (/^[\x20-\x7e]+$/.test(given) ? given : undefined));
}

/** The root of links: an address on the web, without a slash at its end. */
function rootUrl() {
  return parsed(
    'an absolute http or https URL with a host of letters, digits, "." and "-", without query, fragment or password',
    (given) => {
      const url = parseWebAddress(URL.parse(given)?.href ?? '');
      if (!url || url.search || url.hash || url.username || url.password) return undefined;
      // It is part of headers, whose grammar of hosts has no underscore.
      return url.hostname.includes('_') ? undefined : url.href.replace(/\/+$/, '');
    },
  );
}

/** What maps show under their places; undefined where it is `off`. */
function optionalTiles() {
  const expected =
    'an address of tiles with {z}, {x} and {y}, a bar and the credit ' +
    '(https://tile.example/{z}/{x}/{y}.png|© Example), or off';
  return parsed(expected, (given): { tiles: MapTiles | undefined } | undefined => {
    if (given.toLowerCase() === 'off') return { tiles: undefined };
    const tiles = parseMapTiles(given);
    return tiles && { tiles };
  }).transform(({ tiles }) => tiles);
}

/** The address of a database. */
function databaseUrl() {
  return z.string().transform((given, context): DatabaseAddress => {
    const address = parseDatabaseUrl(given);
    if (!('expected' in address)) return Object.freeze(address);
    context.addIssue({ code: 'custom', message: `expected ${address.expected}` });
    return z.NEVER;
  });
}

/** A text that `parse` understands; the message of its fault says what was expected. */
function parsed<Value>(expected: string, parse: (given: string) => Value | undefined) {
  return z.string().transform((given, context): Value => {
    const value = parse(given);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `expected ${expected}` });
    return z.NEVER;
  });
}

function parseWhole(given: string, least: number, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(given) ? Number(given) : -1;
  return number >= least && number <= most ? number : undefined;
}

/** A setting as `--help` and the docs show it: its name in the environment, its default and what it is for. */
interface SettingFacts {
  name: string;
  /** `$PORT` in it stands for the value of that setting. */
  fallback: string;
  meaning: string;
}

const facts = z.registry<SettingFacts>();

/** Every setting, under its name in the configuration. A new one is a new entry here, and a row in the docs. */
const settings = z
  .object({
    database: databaseUrl().register(facts, {
      name: 'DATABASE_URL',
      fallback: 'sqlite:./data/archive.sqlite',
      meaning: 'where the editions are kept: sqlite:<file> or mysql://user:password@host:port/database',
    }),
    /** Root of every link, without a slash at its end. */
    baseUrl: rootUrl().register(facts, {
      name: 'BASE_URL',
      fallback: 'http://localhost:$PORT',
      meaning: 'root of every link in every answer',
    }),
    /** Whether the pages of records, and those that lead to them, are served. */
    hasPages: onOff().register(facts, {
      name: 'PAGES',
      fallback: 'on',
      meaning:
        'off: no front page, search and pages of records, where a site of its own answers their addresses',
    }),
    /** Undefined for none. */
    tiles: optionalTiles().register(facts, {
      name: 'MAP_TILES',
      fallback: 'off',
      meaning:
        'streets on the maps of pages: address of tiles, a bar and the credit; off: the outline of the land',
    }),
    port: wholeNumber(0, 65_535).register(facts, {
      name: 'PORT',
      fallback: '3000',
      meaning: 'port to listen on',
    }),
    host: text().register(facts, {
      name: 'HOST',
      fallback: '127.0.0.1',
      meaning: 'address to listen on',
    }),
    logLevel: oneOf(LOG_LEVELS).register(facts, {
      name: 'LOG_LEVEL',
      fallback: 'info',
      meaning: `what the log tells: ${LOG_LEVELS.join(', ')}`,
    }),
    derivedFolder: text().register(facts, {
      name: 'DERIVED_DIR',
      fallback: './data/derived',
      meaning:
        'folder of the files that each node derives from the edition it serves, such as its search index',
    }),
    /** Undefined for none. */
    mediaFolder: optionalFolder().register(facts, {
      name: 'MEDIA_DIR',
      fallback: 'off',
      meaning: 'folder of the pictures and PDF files that records name by path, served below /media/; or off',
    }),
    cacheControl: headerValue('directives such as public, max-age=60').register(facts, {
      name: 'CACHE_CONTROL',
      fallback: 'public, max-age=60, stale-while-revalidate=600',
      meaning: 'what caches are told of answers from the edition served now',
    }),
    pinnedCacheControl: headerValue('directives such as public, max-age=60').register(facts, {
      name: 'PINNED_CACHE_CONTROL',
      fallback: 'public, max-age=86400, immutable',
      meaning: 'what caches are told of answers to requests that name their edition, which never change',
    }),
    cacheBytes: megabytes(0, 1_000_000).register(facts, {
      name: 'CACHE_MB',
      fallback: '64',
      meaning: 'memory for answers that are asked for often, in megabytes',
    }),
    unsentBytes: megabytes(1, 1_000_000).register(facts, {
      name: 'UNSENT_MB',
      fallback: '128',
      meaning:
        'memory for answers that clients have not taken yet, of all connections together, in megabytes; beyond that the slowest are cut',
    }),
    databaseConnections: wholeNumber(1, 1_000).register(facts, {
      name: 'DATABASE_POOL',
      fallback: '8',
      meaning: 'connections to a MySQL or MariaDB server at most, for each process',
    }),
    databaseMilliseconds: seconds(1, 600).register(facts, {
      name: 'DATABASE_SECONDS',
      fallback: '5',
      meaning: 'seconds that a statement of a request may wait for a connection and its answer together',
    }),
    stopMilliseconds: seconds(1, 600).register(facts, {
      name: 'STOP_SECONDS',
      fallback: '10',
      meaning: 'seconds in which serve ends once it is told to: requests in flight have as long',
    }),
    /** Requests that are being made at a time. */
    requestsUnderWay: wholeNumber(1, 100_000).register(facts, {
      name: 'MAX_REQUESTS',
      fallback: '64',
      meaning: 'requests that are worked on at a time; those answered from memory do not count',
    }),
    downloadsUnderWay: wholeNumber(1, 100_000).register(facts, {
      name: 'MAX_DOWNLOADS',
      fallback: '16',
      meaning: 'downloads of dumps at a time; beyond that 503',
    }),
    /** Undefined for none. */
    adminPort: optionalPort().register(facts, {
      name: 'ADMIN_PORT',
      fallback: 'off',
      meaning: 'port for /live, /ready and /metrics, or off',
    }),
    adminHost: text().register(facts, {
      name: 'ADMIN_HOST',
      fallback: '127.0.0.1',
      meaning: 'address of ADMIN_PORT; keep it from the public',
    }),
    accessLog: onOff().register(facts, {
      name: 'ACCESS_LOG',
      fallback: 'off',
      meaning: 'on: the log has a line for every request',
    }),
    slowMilliseconds: wholeNumber(1, 3_600_000).register(facts, {
      name: 'SLOW_MS',
      fallback: '1000',
      meaning: 'milliseconds beyond which a request is logged as slow, whatever ACCESS_LOG says',
    }),
  })
  .readonly();

/** How the API is set up. Frozen: read once, at start. */
export type Config = z.output<typeof settings>;

/** A level of the log. */
export type LogLevel = Config['logLevel'];

/** Every setting as people see it, in the order of the documentation. */
export const SETTINGS: readonly (SettingFacts & { key: string })[] = Object.entries(
  settings.unwrap().shape,
).map(([key, value]) => ({ key, name: '', fallback: '', meaning: '', ...facts.get(value) }));

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
  const given = new Map(SETTINGS.map(({ key, name, fallback }) => [key, environment[name] || fallback]));
  const port = given.get('port') ?? '';
  const { port: portSchema } = settings.unwrap().shape;
  const numbered = (value: string) =>
    value.replace('$PORT', portSchema.safeParse(port).success ? port : '3000');
  const { success, data, error } = settings.safeParse(
    Object.fromEntries([...given].map(([key, value]) => [key, numbered(value)])),
  );
  const faults = (error?.issues ?? []).map(({ path: [key], message }) => {
    const name = SETTINGS.find((setting) => setting.key === key)?.name;
    return `${name}: ${message}, got "${hidePassword(given.get(String(key)) ?? '')}"`;
  });
  if (/^0+$/.test(port) && !environment['BASE_URL']) {
    faults.push('BASE_URL: must be given when PORT is 0, for links cannot follow a port chosen at start');
  }
  if (!success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  return data;
}

/** The URL with its password, if any, made unreadable. */
export function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:***@');
}
