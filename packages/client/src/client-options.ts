import { isLanguage, type Language } from '@archiefkast/types/kinds';
import type { AnswerSchemas } from './answer-schemas.ts';
import { OptionError } from './errors.ts';

/** A retry, wait or repaired link. */
export type Notice =
  /** A request failed and is retried after a wait. */
  | { type: 'retry'; url: string; reason: string; attempt: number; waitMs: number }
  /** The server requests a wait. */
  | { type: 'wait'; url: string; waitMs: number }
  /** A request was delayed, by a back-off or at the server's request. */
  | { type: 'waited'; url: string; waitMs: number }
  /** A link has `http` although the base URL has `https`; it is followed with `https`. */
  | { type: 'repair'; url: string; next: string };

/** Called for each notice. */
export type OnNotice = (notice: Notice) => void;

/** Options of a client. Only `baseUrl` is required. */
export interface ClientOptions {
  /** Address of the archive: the part before `/en/api/…`. */
  baseUrl: string;
  /** The language of the unsuffixed fields; `en` by default. */
  language?: Language | undefined;
  /** Headers of every request. A browser overrides some, such as `user-agent`. */
  headers?: Record<string, string> | undefined;
  /** Maximum number of parallel requests; 4 by default. */
  concurrency?: number | undefined;
  /** Maximum number of requests per second; no limit by default. */
  rate?: number | undefined;
  /** Retries of a failed request; 5 by default. */
  retries?: number | undefined;
  /** Timeout if the server sends nothing, in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** Timeout if a response comes at less than 1 kB per second, in milliseconds; 30,000 by default. */
  slowMs?: number | undefined;
  /** Longest wait that the server may request, in milliseconds; 300,000 by default. */
  maxWaitMs?: number | undefined;
  /** Maximum size of a response, in bytes after decompression; 256,000,000 by default. */
  maxBytes?: number | undefined;
  /** Number of a kept edition to read from; the served edition by default. */
  edition?: number | undefined;
  /** Schemas of responses: `contractSchemas`. Without them, only the envelopes of lists are checked. */
  schemas?: AnswerSchemas | undefined;
  /** Accept and keep unknown fields. */
  lenient?: boolean | undefined;
  /** Aborts all requests; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Called for retries, waits and repaired links. */
  onNotice?: OnNotice | undefined;
}

/** The options with defaults. */
export type FilledOptions = {
  [Name in Exclude<keyof ClientOptions, 'edition' | 'schemas'>]-?: Exclude<ClientOptions[Name], undefined>;
} & { edition: number | undefined; schemas: AnswerSchemas | undefined };

/**
 * Checks options and adds defaults.
 *
 * @throws OptionError naming the option
 */
export function fillOptions(options: ClientOptions): FilledOptions {
  const { language = 'en' } = options;
  if (!isLanguage(language)) throw new OptionError(`language: expected en or nl, not ${String(language)}`);
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (!isHeaderValue(value))
      throw new OptionError(`headers.${name}: expected characters of Latin-1, not "${value}"`);
  return {
    baseUrl: parseBaseUrl(options.baseUrl),
    language,
    headers: options.headers ?? {},
    concurrency: atLeast('concurrency', options.concurrency ?? 4, 1),
    rate: atLeast('rate', options.rate ?? Number.POSITIVE_INFINITY, 0.001),
    retries: atLeast('retries', options.retries ?? 5, 0),
    timeoutMs: atLeast('timeoutMs', options.timeoutMs ?? 30_000, 1, LONGEST_MS),
    slowMs: atLeast('slowMs', options.slowMs ?? 30_000, 1, LONGEST_MS),
    maxWaitMs: atLeast('maxWaitMs', options.maxWaitMs ?? 300_000, 0, LONGEST_MS),
    maxBytes: atLeast('maxBytes', options.maxBytes ?? 256_000_000, 1),
    edition: options.edition === undefined ? undefined : atLeast('edition', options.edition, 1),
    schemas: options.schemas,
    lenient: options.lenient ?? false,
    signal: options.signal ?? new AbortController().signal,
    onNotice: options.onNotice ?? (() => {}),
  };
}

/**
 * Parses a base URL and removes trailing slashes.
 *
 * @throws OptionError if it is not an absolute http or https address, or has a query, a fragment or credentials
 */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (/[?#]/.test(baseUrl))
    throw new OptionError(`base URL: expected an address without ? and #, not "${baseUrl}"`);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new OptionError(`base URL: expected an address such as http://localhost:3000, not "${baseUrl}"`);
  }
  if (url.username || url.password) {
    throw new OptionError('base URL: expected an address without user name and password');
  }
  return url.href.replace(/\/+$/, '');
}

/** Whether a text can be sent in a header: characters of Latin-1, no line ends. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

function atLeast(name: string, value: number, least: number, most = Number.POSITIVE_INFINITY): number {
  if (value >= least && value <= most) return value;
  const limit = most === Number.POSITIVE_INFINITY ? '' : ` and at most ${most}`;
  throw new OptionError(`${name}: expected a number of at least ${least}${limit}, not ${value}`);
}

/** The longest time of a timer, in milliseconds: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** The address of an endpoint, with the client's edition and the parameters that have a value. */
export function addressOf(
  { baseUrl, language, edition }: Pick<FilledOptions, 'baseUrl' | 'language' | 'edition'>,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries({ edition, ...parameters }).filter(
    ([, value]) => value !== undefined && String(value) !== '',
  );
  const query = given
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .toSorted()
    .join('&');
  const url = `${baseUrl}/${language}/api${path === '' ? '' : `/${path}`}`;
  return query === '' ? url : `${url}?${query}`;
}

/** An address with another edition or page; null leaves it as it is. */
export function withParameter(url: string, name: 'edition' | 'page', value: string | number | null): string {
  if (value === null) return url;
  const other = new URL(url);
  other.searchParams.set(name, String(value));
  return other.href;
}

/**
 * The address to follow for a link: the link itself within the origin of the base; with `https` if only the protocol differs,
 * as behind a proxy that terminates TLS; undefined for another origin.
 *
 * @param url an absolute URL
 * @param base an absolute URL of the origin
 */
export function repairedUrl(url: string, base: string): string | undefined {
  const link = new URL(url);
  const origin = new URL(base);
  if (link.protocol === 'http:' && origin.protocol === 'https:' && link.hostname === origin.hostname) {
    link.protocol = 'https:';
    if (link.port === '80') link.port = '';
  }
  return link.origin === origin.origin ? link.href : undefined;
}
