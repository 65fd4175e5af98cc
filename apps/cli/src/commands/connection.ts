import type { ClientOptions, OnNotice } from '@archive/client';
import { isLanguage, LANGUAGES } from '@archive/types';
import type { Argv } from 'yargs';
import { readVersion } from '../version.ts';
import { acceptEncoding } from './accept-encoding.ts';
import { checkNumbers } from './check-numbers.ts';
import { type CommandContext, UsageError } from './command-context.ts';

/** The options with which every command that asks an archive is told how to. */
export interface ConnectionSettings {
  baseUrl?: string | undefined;
  lang: string;
  timeout: number;
  retries: number;
  maxWait: number;
  rate?: number | undefined;
  maxPageSize: number;
  contact?: string | undefined;
  lenient: boolean;
}

/** Adds the options of `ConnectionSettings` to a command. */
export function connectionOptions<T>(command: Argv<T>) {
  return command
    .option('base-url', { type: 'string', describe: 'Address of the archive [default: $ARCHIVE_URL]' })
    .option('lang', {
      type: 'string',
      choices: LANGUAGES,
      default: 'en',
      describe: 'Language of the unsuffixed fields',
    })
    .option('timeout', { type: 'number', default: 30, describe: 'Longest silence of the server, in seconds' })
    .option('retries', {
      type: 'number',
      default: 5,
      describe: 'How often a request that failed is made again',
    })
    .option('max-wait', {
      type: 'number',
      default: 300,
      describe: 'Longest wait the server may ask for, in seconds',
    })
    .option('rate', { type: 'number', describe: 'Requests per second at most [default: no limit]' })
    .option('max-page-size', {
      type: 'number',
      default: 256,
      describe: 'Largest answer that is read, in MB',
    })
    .option('contact', {
      type: 'string',
      describe: 'Your address, told to the server in the User-Agent header',
    })
    .option('lenient', {
      type: 'boolean',
      default: false,
      describe: 'Accept and keep fields that the contract does not know',
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

/**
 * The options of the client library.
 *
 * @throws UsageError when no base URL is given
 */
export async function clientOptions(
  { environment, signal }: CommandContext,
  settings: ConnectionSettings,
  onNotice?: OnNotice,
): Promise<ClientOptions> {
  const baseUrl = settings.baseUrl ?? environment['ARCHIVE_URL'];
  if (!baseUrl) throw new UsageError('--base-url: expected the address of the archive (or set ARCHIVE_URL)');
  const contact = settings.contact ? ` (${settings.contact})` : '';
  return {
    baseUrl,
    language: isLanguage(settings.lang) ? settings.lang : 'en',
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
