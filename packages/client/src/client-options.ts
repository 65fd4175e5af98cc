import { isLanguage, type Language } from '@archiefkast/types/kinds';
import { OptionError } from './errors/archive-errors.ts';
import type { OnNotice } from './request/notice.ts';

/** How a client behaves. Only `baseUrl` must be given. */
export interface ClientOptions {
  /** Where the archive is: what comes before `/en/api/…`. */
  baseUrl: string;
  /** The language of the unsuffixed fields; `en` by default. */
  language?: Language | undefined;
  /** Sent with every request. A browser decides itself about some, such as `user-agent`. */
  headers?: Record<string, string> | undefined;
  /** Requests under way at once; 4 by default. */
  concurrency?: number | undefined;
  /** Requests begun per second; no limit by default. */
  rate?: number | undefined;
  /** How often a request that failed is made again; 5 by default. */
  retries?: number | undefined;
  /** The longest silence of the server, in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** How long an answer may come at less than 1 kB in a second, in milliseconds; 30,000 by default. */
  slowMs?: number | undefined;
  /** The longest wait that the server may ask for, in milliseconds; 300,000 by default. */
  maxWaitMs?: number | undefined;
  /** The largest answer that is read, in bytes after decompression; 256,000,000 by default. */
  maxBytes?: number | undefined;
  /** Number of a kept edition that all answers come from; the one that is served at the time, by default. */
  edition?: number | undefined;
  /** Accept fields that the contract does not know; they are kept. */
  lenient?: boolean | undefined;
  /** Ends everything that is under way; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Is told of retries, waits and repaired links. */
  onNotice?: OnNotice | undefined;
}

/** The options with every gap filled. */
export type FilledOptions = {
  [Name in Exclude<keyof ClientOptions, 'edition'>]-?: Exclude<ClientOptions[Name], undefined>;
} & { edition: number | undefined };

/**
 * Checks options and fills the gaps.
 *
 * @throws OptionError naming the option
 */
export function fillOptions(options: ClientOptions): FilledOptions {
  const { language = 'en' } = options;
  if (!isLanguage(language)) throw new OptionError(`language: expected en or nl, not ${String(language)}`);
  return {
    baseUrl: parseBaseUrl(options.baseUrl),
    language,
    headers: options.headers ?? {},
    concurrency: atLeast('concurrency', options.concurrency ?? 4, 1),
    rate: atLeast('rate', options.rate ?? Number.POSITIVE_INFINITY, 0.001),
    retries: atLeast('retries', options.retries ?? 5, 0),
    timeoutMs: atLeast('timeoutMs', options.timeoutMs ?? 30_000, 1),
    slowMs: atLeast('slowMs', options.slowMs ?? 30_000, 1),
    maxWaitMs: atLeast('maxWaitMs', options.maxWaitMs ?? 300_000, 0),
    maxBytes: atLeast('maxBytes', options.maxBytes ?? 256_000_000, 1),
    edition: options.edition === undefined ? undefined : atLeast('edition', options.edition, 1),
    lenient: options.lenient ?? false,
    signal: options.signal ?? new AbortController().signal,
    onNotice: options.onNotice ?? (() => {}),
  };
}

/**
 * A base URL without the slash at its end.
 *
 * @throws OptionError when it is not an absolute http or https address, or has a query, a fragment or credentials
 */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new OptionError(`base URL: expected an address such as http://localhost:3000, not "${baseUrl}"`);
  }
  if (url.username || url.password) {
    throw new OptionError('base URL: expected an address without user name and password');
  }
  return url.href.replace(/\/+$/, '');
}

function atLeast(name: string, value: number, least: number): number {
  if (!(value >= least))
    throw new OptionError(`${name}: expected a number of at least ${least}, not ${value}`);
  return value;
}
