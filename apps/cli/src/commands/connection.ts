import type { ClientOptions, OnNotice } from '@archiefkast/client';
import { UsageError } from '@archiefkast/system/command-line';
import { isLanguage, type Language } from '@archiefkast/types/kinds';
import { readVersion } from '../version.ts';
import type { CommandContext } from './command-context.ts';

/** The options with which every command that asks an archive is told how to. */
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

/** How often a request is made again for someone who waits at a terminal. */
export const BRIEF_RETRIES = 2;

/** What people copy from the address bar after the base URL. */
const BEYOND_BASE = /\/(en|nl)(?:\/api(?:\/.*)?)?\/?$|\/api(?:\/.*)?$/;

/**
 * The options of the client library.
 *
 * @throws UsageError when no base URL is given
 */
export async function clientOptions(
  { environment, signal, stderr }: CommandContext,
  settings: ConnectionSettings,
  onNotice?: OnNotice,
): Promise<ClientOptions & { baseUrl: string; language: Language }> {
  const given = settings.baseUrl ?? environment['ARCHIVE_URL'];
  if (!given) throw new UsageError('--base-url: expected the address of the archive (or set ARCHIVE_URL)');
  const { baseUrl, language } = repairedBase(given);
  const asked = settings.lang ?? language ?? 'en';
  if (baseUrl !== given)
    stderr.write(`The base URL is taken to be ${baseUrl}, the language to be ${asked}.\n`);
  const contact = settings.contact ? ` (${settings.contact})` : '';
  return {
    baseUrl,
    language: isLanguage(asked) ? asked : 'en',
    headers: {
      'user-agent': `archive-cli/${await readVersion()}${contact}`,
      'accept-encoding': acceptEncoding(baseUrl),
    },
    rate: settings.rate,
    retries: settings.retries,
    timeoutMs: settings.timeout * 1000,
    maxWaitMs: settings.maxWait * 1000,
    maxBytes: settings.maxPageSize * 1e6,
    lenient: settings.lenient,
    signal,
    onNotice,
  };
}

/** The base URL in an address of the API, and its language; an address that is none stays as it is. */
function repairedBase(given: string): { baseUrl: string; language: string | undefined } {
  const url = URL.parse(given);
  const beyond = url && !url.username && !url.password ? BEYOND_BASE.exec(url.pathname) : null;
  if (!url || !beyond) return { baseUrl: given, language: undefined };
  return { baseUrl: url.origin + url.pathname.slice(0, beyond.index), language: beyond[1] };
}

/** What Node 24's fetch decodes. By itself it asks for gzip alone over http, which costs both sides most. */
const CODINGS = 'zstd, br, gzip';

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The codings in which answers are asked for. Within one machine there is nothing to save: packing and unpacking
 * takes longer than the bytes do.
 *
 * @param baseUrl of the archive; may be no URL at all
 */
export function acceptEncoding(baseUrl: string): string {
  return LOOPBACK.test(URL.parse(baseUrl)?.hostname ?? '') ? 'identity' : CODINGS;
}
