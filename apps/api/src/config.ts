import { LONGEST_SECONDS } from '@archiefkast/system';
import { parseWebAddress } from '@archiefkast/types/links';
import { parseMapTiles } from './map-tiles.ts';

/** The engine and address of a database. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'mysql'; readonly url: string; readonly tls?: TlsCheck | undefined };

/**
 * What is verified of an encrypted connection to a MySQL server: nothing, its certificate, or also that it is for the host. Trusted
 * authorities are those of Node.
 */
export type TlsCheck = 'nothing' | 'certificate' | 'identity';

/** Why a value is invalid. */
class Invalid {
  readonly expected: string;

  constructor(expected: string) {
    this.expected = expected;
  }
}

/** Parses the text of a setting. */
type Read<Value> = (given: string) => Value | Invalid;

/** A setting: its environment variable, default and meaning, as in `--help` and the docs. */
interface Setting {
  name: string;
  /** `$PORT` and `$BASE_URL` are replaced by the values of these settings. */
  fallback: string;
  read: Read<unknown>;
  meaning: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting, by its name in the configuration. A new one needs an entry here. */
const settings = {
  database: {
    name: 'DATABASE_URL',
    fallback: 'sqlite:./data/archive.sqlite',
    read: databaseUrl,
    meaning: 'the database: sqlite:<file> or mysql://user:password@host:port/database',
  },
  /** Base of every link, without a final slash. */
  baseUrl: {
    name: 'BASE_URL',
    fallback: 'http://localhost:$PORT',
    read: rootUrl,
    meaning: 'public URL of the archive with its path prefix, the base of all links in responses',
  },
  /** Base of the addresses that name records, without a final slash. */
  identityUrl: {
    name: 'IDENTITY_URL',
    fallback: '$BASE_URL',
    read: rootUrl,
    meaning:
      'base of the addresses that name records in linked data and OAI-PMH; after a move, the BASE_URL of before',
  },
  /** Whether the front page, search and the pages of records are served. */
  hasPages: {
    name: 'PAGES',
    fallback: 'on',
    read: onOff,
    meaning: 'off: do not serve the front page, search and pages of records, if another site does',
  },
  /** Whether assistants can ask the archive at /mcp. */
  hasMcp: {
    name: 'MCP',
    fallback: 'on',
    read: onOff,
    meaning: 'off: do not answer the Model Context Protocol at /mcp',
  },
  tiles: {
    name: 'MAP_TILES',
    fallback: 'off',
    read: orOff(mapTiles),
    meaning:
      'streets on maps: URL of tiles, a vertical bar and the attribution; off: only the outline of the land',
  },
  port: { name: 'PORT', fallback: '3000', read: wholeNumber(0, 65_535), meaning: 'port to listen on' },
  host: { name: 'HOST', fallback: '127.0.0.1', read: ownAddress, meaning: 'address to listen on' },
  reusePort: {
    name: 'REUSE_PORT',
    fallback: 'off',
    read: onOff,
    meaning: 'on: share PORT with other processes that have this setting, to use more cores (not on macOS)',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    fallback: 'info',
    read: oneOf(LOG_LEVELS),
    meaning: `lowest level to log: ${LOG_LEVELS.join(', ')}`,
  },
  derivedFolder: {
    name: 'DERIVED_DIR',
    fallback: './data/derived',
    read: path,
    meaning: 'folder for the derived files of this node, such as search indexes',
  },
  mediaFolder: {
    name: 'MEDIA_DIR',
    fallback: 'off',
    read: orOff(path),
    meaning: 'folder of images and PDF files that records refer to by path, served under /media/; or off',
  },
  picturesFolder: {
    name: 'PICTURES_DIR',
    fallback: 'off',
    read: orOff(path),
    meaning:
      'folder of smaller sizes and tiles of the pictures in MEDIA_DIR, which publish then makes with the package sharp; or off',
  },
  imageServer: {
    name: 'IIIF_IMAGES',
    fallback: 'off',
    read: orOff(rootUrl),
    meaning:
      'base URL of another server of these sizes and tiles by the IIIF Image API 3, which manifests and pages name instead; or off',
  },
  cacheControl: {
    name: 'CACHE_CONTROL',
    fallback: 'public, max-age=60, stale-while-revalidate=600',
    read: directives,
    meaning: 'Cache-Control of responses from the served edition',
  },
  pinnedCacheControl: {
    name: 'PINNED_CACHE_CONTROL',
    fallback: 'public, max-age=86400, immutable',
    read: directives,
    meaning: 'Cache-Control of responses to requests that name an edition, which never change',
  },
  cacheBytes: {
    name: 'CACHE_MB',
    fallback: '64',
    read: wholeNumber(0, 1_000_000, 2 ** 20),
    meaning: 'size of the response cache, in megabytes',
  },
  databaseConnections: {
    name: 'DATABASE_POOL',
    fallback: '8',
    read: wholeNumber(1, 1_000),
    meaning: 'maximum number of connections to a MySQL or MariaDB server, per process',
  },
  databaseMilliseconds: {
    name: 'DATABASE_SECONDS',
    fallback: '5',
    read: wholeNumber(1, 600, 1_000),
    meaning: 'timeout of a statement, including the wait for a connection, in seconds',
  },
  maxStale: {
    name: 'MAX_STALE',
    fallback: 'off',
    read: orOff((given) => parseDuration(given) || new Invalid('a duration such as 30s, 10m or 1h')),
    meaning:
      'respond 503 when it could not be confirmed for this long that the database is current, such as 30s or 10m; or off',
  },
  maxMirrorAge: {
    name: 'MAX_MIRROR_AGE',
    fallback: 'off',
    read: orOff((given) => parseDuration(given) || new Invalid('a duration such as 30s, 10m or 1h')),
    meaning:
      'respond 503 when a copy that follows its original could not be verified for this long, such as 1h; or off',
  },
  followFolder: {
    name: 'FOLLOW_DIR',
    fallback: './data/follow',
    read: path,
    meaning: 'folder in which follow keeps its harvest of the original',
  },
  stopMilliseconds: {
    name: 'STOP_SECONDS',
    fallback: '10',
    read: wholeNumber(1, 600, 1_000),
    meaning: 'time for requests in flight to finish when serve is stopped, in seconds',
  },
  requestsUnderWay: {
    name: 'MAX_REQUESTS',
    fallback: '64',
    read: wholeNumber(1, 100_000),
    meaning: 'maximum number of concurrent requests, except those answered from the cache',
  },
  downloadsUnderWay: {
    name: 'MAX_DOWNLOADS',
    fallback: '16',
    read: wholeNumber(1, 100_000),
    meaning:
      'maximum number of concurrent responses of more than 4 MB, such as dumps; above it, the response is 503',
  },
  adminPort: {
    name: 'ADMIN_PORT',
    fallback: 'off',
    read: orOff(wholeNumber(0, 65_535)),
    meaning: 'port for /live, /ready and /metrics, or off',
  },
  adminHost: {
    name: 'ADMIN_HOST',
    fallback: '127.0.0.1',
    read: ownAddress,
    meaning: 'address to listen on for ADMIN_PORT; keep it private',
  },
  /** Address of the API of a register of datasets, without a final slash. */
  datasetRegister: {
    name: 'DATASET_REGISTER',
    fallback: 'https://datasetregister.netwerkdigitaalerfgoed.nl/api',
    read: rootUrl,
    meaning: 'API of the register of datasets to which register submits the archive',
  },
  accessLog: { name: 'ACCESS_LOG', fallback: 'off', read: onOff, meaning: 'on: log every request' },
  slowMilliseconds: {
    name: 'SLOW_MS',
    fallback: '1000',
    read: wholeNumber(1, 3_600_000),
    meaning: 'time after which a request is logged as slow, regardless of ACCESS_LOG, in milliseconds',
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof settings;

/** The configuration. Read only once, at start. A setting that may be `off` is then undefined. */
export type Config = {
  readonly [Key in keyof Settings]: Exclude<ReturnType<Settings[Key]['read']>, Invalid>;
};

/** A level of the log. */
export type LogLevel = Config['logLevel'];

/** Every setting, in the order of the documentation. */
export const SETTINGS: readonly Setting[] = Object.values(settings);

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
  const faults: string[] = [];
  const port = environment['PORT'] || settings.port.fallback;
  const linked = settings.port.read(port) instanceof Invalid ? settings.port.fallback : port;
  const base = environment['BASE_URL'] || settings.baseUrl.fallback;
  const identified = rootUrl(base) instanceof Invalid ? settings.baseUrl.fallback : base;
  const entries = Object.entries<Setting>(settings).map(([key, { name, fallback, read }]) => {
    const given = environment[name] || fallback;
    const value = read(given.replace('$BASE_URL', identified).replace('$PORT', linked));
    if (value instanceof Invalid)
      faults.push(`${name}: expected ${value.expected}, got "${hidePassword(given)}"`);
    return [key, value];
  });
  if (/^0+$/.test(port) && !environment['BASE_URL']) {
    faults.push('BASE_URL: must be set when PORT is 0, because links need the port');
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return Object.freeze(Object.fromEntries(entries));
}

/** The URL with its password, if any, replaced by asterisks. */
function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:***@');
}

/** Parses a duration such as `90s`, `10m` or `1h` to milliseconds; undefined if invalid, or longer than a timer can be (24 days). */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = 's'] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = { s: 1, m: 60, h: 3_600 }[unit];
  const total = Number(number) * (seconds ?? Number.NaN);
  return total <= LONGEST_SECONDS ? total * 1_000 : undefined;
}

/** A value, or undefined for `off`. */
function orOff<Value>(read: Read<Value>): Read<Value | undefined> {
  return (given) => {
    if (given.toLowerCase() === 'off') return undefined;
    const value = read(given);
    return value instanceof Invalid ? new Invalid(`${value.expected}, or off`) : value;
  };
}

/** One of `names`, in either case. */
function oneOf<const Name extends string>(names: readonly Name[]): Read<Name> {
  return (given) =>
    names.find((name) => name === given.toLowerCase()) ?? new Invalid(`one of ${names.join(', ')}`);
}

function onOff(given: string): boolean | Invalid {
  return { on: true, off: false }[given.toLowerCase()] ?? new Invalid('on or off');
}

/** A whole number from `least` to `most`, times `unit`. */
function wholeNumber(least: number, most: number, unit = 1): Read<number> {
  return (given) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : -1;
    if (number >= least && number <= most) return number * unit;
    return new Invalid(`a whole number from ${least} to ${most}`);
  };
}

/** A path. Only a shell replaces `~`: a folder of this name would be made. */
function path(given: string): string | Invalid {
  return given.startsWith('~') ? new Invalid('a path without ~, which only a shell replaces') : given;
}

/** An address or a name of this machine. */
function ownAddress(given: string): string | Invalid {
  return /^[\w.:%-]+$/.test(given) && !given.startsWith('unix:')
    ? given
    : new Invalid('an address or a name of this machine, such as 127.0.0.1 or ::, without brackets');
}

/** The value of a Cache-Control header. */
function directives(given: string): string | Invalid {
  return /^[\x20-\x7e]+$/.test(given) ? given : new Invalid('directives such as public, max-age=60');
}

/** The base of links: an http or https URL, without a final slash. */
function rootUrl(given: string): string | Invalid {
  const url = parseWebAddress(URL.parse(given)?.href ?? '');
  // It goes into the Content-Security-Policy header, which allows no underscore in hosts.
  const isValid =
    url && !url.search && !url.hash && !url.username && !url.password && !/_/.test(url.hostname);
  if (isValid) return url.href.replace(/\/+$/, '');
  return new Invalid(
    'an absolute http or https URL with a host of letters, digits, "." and "-", without query, fragment or password',
  );
}

function mapTiles(given: string) {
  const expected =
    'a URL of tiles with {z}, {x} and {y}, a vertical bar and the attribution (https://tile.example/{z}/{x}/{y}.png|© Example)';
  return parseMapTiles(given) ?? new Invalid(expected);
}

const DATABASE_FORMATS = 'sqlite:<file> or mysql://user:password@host:port/database';

/** The values of `ssl-mode`. */
const SSL_MODES: Readonly<Record<string, TlsCheck | undefined>> = {
  DISABLED: undefined,
  REQUIRED: 'nothing',
  VERIFY_CA: 'certificate',
  VERIFY_IDENTITY: 'identity',
};

/** The address of a database. Unknown options are rejected. */
function databaseUrl(given: string): DatabaseAddress | Invalid {
  if (given.startsWith('sqlite:')) {
    const file = path(given.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
    if (file instanceof Invalid) return file;
    if (file.includes('?')) return new Invalid('sqlite:<file> without options');
    return file && file !== ':memory:' ? { engine: 'sqlite', file } : new Invalid(DATABASE_FORMATS);
  }
  const url = URL.parse(given);
  if (!url || !/^(mysql|mariadb):$/.test(url.protocol) || !url.hostname || url.pathname.length < 2) {
    return new Invalid(DATABASE_FORMATS);
  }
  if (!isEncoded(given)) return new Invalid(`${DATABASE_FORMATS}, with % written as %25`);
  if (url.hash) return new Invalid(`${DATABASE_FORMATS}, with # written as %23`);
  const [[name, value] = ['ssl-mode', 'DISABLED'], ...others] = url.searchParams;
  const mode = value.toUpperCase();
  if (name !== 'ssl-mode' || others.length > 0) return new Invalid('only the option ssl-mode, at most once');
  if (!Object.hasOwn(SSL_MODES, mode))
    return new Invalid(`one of ${Object.keys(SSL_MODES).join(', ')} for ssl-mode`);
  const address = given.replace(/^mariadb:/, 'mysql:').replace(/\?.*$/s, '');
  return { engine: 'mysql', url: address, tls: SSL_MODES[mode] };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
