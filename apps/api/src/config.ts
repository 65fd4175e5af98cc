import { type MapTiles, parseMapTiles } from '@archiefkast/site/map-tiles';
import { parseWebAddress } from '@archiefkast/types/web-address';
import { z } from 'zod';
import { type DatabaseAddress, parseDatabaseUrl } from './storage/database-url.ts';

/** The levels of the log, most verbose first. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Any text. */
function text() {
  return z.string();
}

/** One of `names`, in either case. */
function oneOf<const Name extends string>(names: readonly Name[]) {
  return parsed(`one of ${names.join(', ')}`, (given) => names.find((name) => name === given.toLowerCase()));
}

/** A whole number from `least` to `most`. */
function wholeNumber(least: number, most: number) {
  return parsed(`a whole number from ${least} to ${most}`, (given) => parseWhole(given, least, most));
}

/** `on` or `off`. */
function onOff() {
  return parsed('on or off', (given) => ({ on: true, off: false })[given.toLowerCase()]);
}

/** A port to listen on, 0 for any free port; undefined for `off`. */
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

/** The path of a folder; undefined for `off`. */
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

/** Parses a duration such as `90s`, `10m` or `1h` to milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = 's'] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = { s: 1, m: 60, h: 3_600 }[unit];
  return number === undefined || seconds === undefined ? undefined : Number(number) * seconds * 1_000;
}

/** A duration with its unit, as milliseconds; undefined for `off`. */
function optionalDuration() {
  return parsed(
    'a duration such as 30s, 10m or 1h, or off',
    (given): { milliseconds: number | undefined } | undefined => {
      if (given.toLowerCase() === 'off') return { milliseconds: undefined };
      const milliseconds = parseDuration(given);
      return milliseconds ? { milliseconds } : undefined;
    },
  ).transform(({ milliseconds }) => milliseconds);
}

/** A valid value of an HTTP header. */
function headerValue(expected: string) {
  return parsed(expected, (given) => (/^[\x20-\x7e]+$/.test(given) ? given : undefined));
}

/** The base of links: an http or https URL, without a final slash. */
function rootUrl() {
  return parsed(
    'an absolute http or https URL with a host of letters, digits, "." and "-", without query, fragment or password',
    (given) => {
      const url = parseWebAddress(URL.parse(given)?.href ?? '');
      if (!url || url.search || url.hash || url.username || url.password) return undefined;
      // It goes into the Content-Security-Policy header, which allows no underscore in hosts.
      return url.hostname.includes('_') ? undefined : url.href.replace(/\/+$/, '');
    },
  );
}

/** Map tiles; undefined for `off`. */
function optionalTiles() {
  const expected =
    'a URL of tiles with {z}, {x} and {y}, a vertical bar and the attribution ' +
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

/** A text that `parse` accepts; the error message says what was expected. */
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

/** A setting as in `--help` and the docs: its environment variable, default and meaning. */
interface SettingFacts {
  name: string;
  /** `$PORT` is replaced by the value of that setting. */
  fallback: string;
  meaning: string;
}

const facts = z.registry<SettingFacts>();

/** Every setting, by its name in the configuration. A new one needs an entry here, and a row in the docs. */
const settings = z
  .object({
    database: databaseUrl().register(facts, {
      name: 'DATABASE_URL',
      fallback: 'sqlite:./data/archive.sqlite',
      meaning: 'the database: sqlite:<file> or mysql://user:password@host:port/database',
    }),
    /** Base of every link, without a final slash. */
    baseUrl: rootUrl().register(facts, {
      name: 'BASE_URL',
      fallback: 'http://localhost:$PORT',
      meaning: 'public URL of the archive, the base of all links in responses',
    }),
    /** Whether the front page, search and the pages of records are served. */
    hasPages: onOff().register(facts, {
      name: 'PAGES',
      fallback: 'on',
      meaning: 'off: do not serve the front page, search and pages of records, if another site does',
    }),
    /** Undefined for `off`. */
    tiles: optionalTiles().register(facts, {
      name: 'MAP_TILES',
      fallback: 'off',
      meaning:
        'streets on maps: URL of tiles, a vertical bar and the attribution; off: only the outline of the land',
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
      meaning: `lowest level to log: ${LOG_LEVELS.join(', ')}`,
    }),
    derivedFolder: text().register(facts, {
      name: 'DERIVED_DIR',
      fallback: './data/derived',
      meaning: 'folder for the derived files of this node, such as search indexes',
    }),
    /** Undefined for `off`. */
    mediaFolder: optionalFolder().register(facts, {
      name: 'MEDIA_DIR',
      fallback: 'off',
      meaning: 'folder of images and PDF files that records refer to by path, served under /media/; or off',
    }),
    cacheControl: headerValue('directives such as public, max-age=60').register(facts, {
      name: 'CACHE_CONTROL',
      fallback: 'public, max-age=60, stale-while-revalidate=600',
      meaning: 'Cache-Control of responses from the served edition',
    }),
    pinnedCacheControl: headerValue('directives such as public, max-age=60').register(facts, {
      name: 'PINNED_CACHE_CONTROL',
      fallback: 'public, max-age=86400, immutable',
      meaning: 'Cache-Control of responses to requests that name an edition, which never change',
    }),
    cacheBytes: megabytes(0, 1_000_000).register(facts, {
      name: 'CACHE_MB',
      fallback: '64',
      meaning: 'size of the response cache, in megabytes',
    }),
    databaseConnections: wholeNumber(1, 1_000).register(facts, {
      name: 'DATABASE_POOL',
      fallback: '8',
      meaning: 'maximum number of connections to a MySQL or MariaDB server, per process',
    }),
    databaseMilliseconds: seconds(1, 600).register(facts, {
      name: 'DATABASE_SECONDS',
      fallback: '5',
      meaning: 'timeout of a statement, including the wait for a connection, in seconds',
    }),
    /** Undefined for `off`. */
    maxStale: optionalDuration().register(facts, {
      name: 'MAX_STALE',
      fallback: 'off',
      meaning:
        'respond 503 when it could not be confirmed for this long that the database is current, such as 30s or 10m; or off',
    }),
    stopMilliseconds: seconds(1, 600).register(facts, {
      name: 'STOP_SECONDS',
      fallback: '10',
      meaning: 'time for requests in flight to finish when serve is stopped, in seconds',
    }),
    requestsUnderWay: wholeNumber(1, 100_000).register(facts, {
      name: 'MAX_REQUESTS',
      fallback: '64',
      meaning: 'maximum number of concurrent requests, except those answered from the cache',
    }),
    downloadsUnderWay: wholeNumber(1, 100_000).register(facts, {
      name: 'MAX_DOWNLOADS',
      fallback: '16',
      meaning: 'maximum number of concurrent downloads of dumps; above it, the response is 503',
    }),
    /** Undefined for `off`. */
    adminPort: optionalPort().register(facts, {
      name: 'ADMIN_PORT',
      fallback: 'off',
      meaning: 'port for /live, /ready and /metrics, or off',
    }),
    adminHost: text().register(facts, {
      name: 'ADMIN_HOST',
      fallback: '127.0.0.1',
      meaning: 'address to listen on for ADMIN_PORT; keep it private',
    }),
    accessLog: onOff().register(facts, {
      name: 'ACCESS_LOG',
      fallback: 'off',
      meaning: 'on: log every request',
    }),
    slowMilliseconds: wholeNumber(1, 3_600_000).register(facts, {
      name: 'SLOW_MS',
      fallback: '1000',
      meaning: 'time after which a request is logged as slow, regardless of ACCESS_LOG, in milliseconds',
    }),
  })
  .readonly();

/** The configuration. Frozen, because it is read only once, at start. */
export type Config = z.output<typeof settings>;

/** A level of the log. */
export type LogLevel = Config['logLevel'];

/** Every setting with its facts, in the order of the documentation. */
export const SETTINGS: readonly (SettingFacts & { key: string })[] = Object.entries(
  settings.unwrap().shape,
).map(([key, value]) => ({ key, name: '', fallback: '', meaning: '', ...facts.get(value) }));

/** Invalid settings. The message has a line for each. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the configuration from the environment. An empty variable counts as unset.
 *
 * @throws ConfigError with the name, the value and the expected value of every invalid setting
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
    faults.push('BASE_URL: must be set when PORT is 0, because links need the port');
  }
  if (!success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  return data;
}

/** The URL with its password, if any, replaced by asterisks. */
export function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:***@');
}
