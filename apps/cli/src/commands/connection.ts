import type { ClientOptions, OnNotice } from '@archiefkast/client';
import { UsageError } from '@archiefkast/system/command-line';
import { isLanguage, LANGUAGES, type Language, PAGE_SEGMENTS } from '@archiefkast/types/kinds';
import type { Argv } from 'yargs';
import type { CommandContext } from './command-context.ts';
import { checkNumbers } from './options.ts';

/** The connection options of every command that sends requests. */
export interface ConnectionSettings {
  baseUrl?: string | undefined;
  lang?: string | undefined;
  timeout: number;
  retries?: number | undefined;
  maxWait: number;
  rate?: number | undefined;
  maxPageSize: number;
  contact?: string | undefined;
  lenient: boolean;
}

/** Adds the options of `ConnectionSettings` to a command. */
export function connectionOptions<T>(command: Argv<T>) {
  return command
    .options({
      'base-url': { type: 'string', describe: 'Address of the archive [default: $ARCHIVE_URL]' },
      lang: {
        type: 'string',
        choices: LANGUAGES,
        describe: 'Language of the unsuffixed fields [default: en]',
      },
      timeout: { type: 'number', default: 30, describe: 'Timeout if the server sends nothing, in seconds' },
      retries: { type: 'number', describe: 'Retries of a failed request [default: 5; search and show 2]' },
      'max-wait': {
        type: 'number',
        default: 300,
        describe: 'Longest wait that the server may request (Retry-After), in seconds',
      },
      rate: { type: 'number', describe: 'Maximum requests per second [default: no limit]' },
      'max-page-size': { type: 'number', default: 256, describe: 'Maximum size of a response, in MB' },
      contact: { type: 'string', describe: 'Your contact address, sent in the User-Agent header' },
      lenient: { type: 'boolean', default: false, describe: 'Accept and keep unknown fields' },
    })
    .check(
      checkNumbers({
        timeout: { least: 0.001, whole: false },
        retries: { least: 0, whole: true },
        'max-wait': { least: 0, whole: false },
        rate: { least: 0.001, whole: false },
        'max-page-size': { least: 0.001, whole: false },
      }),
    );
}

/** Retries of interactive commands. */
export const BRIEF_RETRIES = 2;

/** What may follow the language in a path of an archive: the API and its pages. */
const SECTIONS = ['api', 'docs', 'zoeken', ...Object.values(PAGE_SEGMENTS)].join('|');

/** A path of the archive after its base URL, as copied from an address bar. */
const BEYOND_BASE = new RegExp(`/(en|nl)(?:/(?:${SECTIONS})(?:/.*)?)?/?$|/api(?:/.*)?$`);

/**
 * Converts connection options to those of the client.
 *
 * @throws UsageError if the base URL is missing
 */
export async function clientOptions(
  { environment, signal, stderr, version }: CommandContext,
  settings: ConnectionSettings,
  onNotice?: OnNotice,
): Promise<ClientOptions & { baseUrl: string; language: Language }> {
  const given = settings.baseUrl ?? environment['ARCHIVE_URL'];
  if (!given) throw new UsageError('--base-url: expected the address of the archive (or set ARCHIVE_URL)');
  const { baseUrl, language } = repairedBase(given);
  const asked = settings.lang ?? language ?? 'en';
  if (baseUrl !== given) stderr.write(`Using the base URL ${baseUrl} and the language ${asked}.\n`);
  const { contractSchemas } = await import('@archiefkast/client/node');
  const contact = settings.contact ? ` (${settings.contact})` : '';
  return {
    baseUrl,
    language: isLanguage(asked) ? asked : 'en',
    headers: {
      'user-agent': `archive-cli/${version}${contact}`,
      'accept-encoding': acceptEncoding(baseUrl),
    },
    rate: settings.rate,
    retries: settings.retries,
    timeoutMs: settings.timeout * 1000,
    maxWaitMs: settings.maxWait * 1000,
    maxBytes: settings.maxPageSize * 1e6,
    schemas: contractSchemas,
    lenient: settings.lenient,
    signal,
    onNotice,
  };
}

/** Splits an address of the API or a page into base URL and language; any other address is returned unchanged. */
function repairedBase(given: string): { baseUrl: string; language: string | undefined } {
  const url = URL.parse(given);
  const beyond = url && !url.username && !url.password ? BEYOND_BASE.exec(url.pathname) : null;
  if (!url || !beyond) return { baseUrl: given, language: undefined };
  return { baseUrl: url.origin + url.pathname.slice(0, beyond.index), language: beyond[1] };
}

/** The content codings that Node 24's fetch decodes. By default it requests only gzip over http, the most expensive one. */
const CODINGS = 'zstd, br, gzip';

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The value of `Accept-Encoding`. Responses from the same machine are not compressed: that takes longer than sending the
 * bytes.
 *
 * @param baseUrl of the archive; may be invalid
 */
export function acceptEncoding(baseUrl: string): string {
  return LOOPBACK.test(URL.parse(baseUrl)?.hostname ?? '') ? 'identity' : CODINGS;
}
