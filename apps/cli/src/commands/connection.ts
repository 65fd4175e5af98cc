import { type Client, type ClientOptions, createClient } from '@archiefkast/client';
import { UsageError } from '@archiefkast/system';
import { isLanguage, type Language, PAGE_SEGMENTS } from '@archiefkast/types/kinds';
import type { CommandContext } from './command-context.ts';
import type { ConnectionSettings } from './options.ts';
import { sayNotice } from './progress.ts';

/** Retries of commands that somebody waits for. */
const BRIEF_RETRIES = 2;

/** What may follow the language in a path of an archive: the API and its pages. */
const SECTIONS = ['api', 'docs', 'zoeken', ...Object.values(PAGE_SEGMENTS)].join('|');

/** A path of the archive after its base URL, as copied from an address bar. */
const BEYOND_BASE = new RegExp(`/(en|nl)(?:/(?:${SECTIONS})(?:/.*)?)?/?$|/api(?:/.*)?$`);

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Converts connection options to those of the client.
 *
 * @throws UsageError if the base URL is missing, or a variable of proxies is invalid
 */
export async function clientOptions(
  { environment, signal, stderr, version, useProxies = async () => [] }: CommandContext,
  settings: ConnectionSettings,
): Promise<ClientOptions & { baseUrl: string; language: Language }> {
  const given = settings.baseUrl ?? environment['ARCHIVE_URL'];
  if (!given) throw new UsageError('--base-url: expected the address of the archive (or set ARCHIVE_URL)');
  const { baseUrl, language } = repairedBase(given);
  const asked = settings.lang ?? language ?? 'en';
  if (baseUrl !== given) stderr.write(`Using the base URL ${baseUrl} and the language ${asked}.\n`);
  const unknown = await useProxies(baseUrl).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  for (const sentence of unknown) stderr.write(`${sentence}\n`);
  const { contractSchemas } = await import('@archiefkast/client/node');
  // By default, fetch requests gzip only over http. From the same machine, sending the bytes takes less than their compression.
  const isNear = LOOPBACK.test(URL.parse(baseUrl)?.hostname ?? '');
  const contact = settings.contact ? ` (${settings.contact})` : '';
  return {
    baseUrl,
    language: isLanguage(asked) ? asked : 'en',
    headers: {
      'user-agent': `archive-cli/${version}${contact}`,
      'accept-encoding': isNear ? 'identity' : 'zstd, br, gzip',
    },
    rate: settings.rate,
    retries: settings.retries,
    timeoutMs: settings.timeout * 1000,
    maxWaitMs: settings.maxWait * 1000,
    maxBytes: settings.maxPageSize * 1e6,
    schemas: contractSchemas,
    lenient: settings.lenient,
    signal,
  };
}

/** The options of the client of a command that somebody waits for; it prints retries and waits. @throws UsageError */
export async function briefOptions(context: CommandContext, settings: ConnectionSettings) {
  const { retries = BRIEF_RETRIES } = settings;
  const options = await clientOptions(context, { ...settings, retries });
  return { ...options, onNotice: sayNotice(context) };
}

/** Creates the client of a command that somebody waits for. @throws UsageError */
export async function connect(context: CommandContext, settings: ConnectionSettings): Promise<Client> {
  return createClient(await briefOptions(context, settings));
}

/** Splits an address of the API or a page into base URL and language; any other address is returned unchanged. */
function repairedBase(given: string): { baseUrl: string; language: string | undefined } {
  const url = URL.parse(given);
  const beyond = url && !url.username && !url.password ? BEYOND_BASE.exec(url.pathname) : null;
  if (!url || !beyond) return { baseUrl: given, language: undefined };
  return { baseUrl: url.origin + url.pathname.slice(0, beyond.index), language: beyond[1] };
}
