import { LANGUAGES } from '@archiefkast/types/kinds';
import type { Argv } from 'yargs';
import { checkNumbers } from './check-options.ts';

/** Adds the options of `ConnectionSettings` to a command. */
export function connectionOptions<T>(command: Argv<T>) {
  return command
    .option('base-url', { type: 'string', describe: 'Address of the archive [default: $ARCHIVE_URL]' })
    .option('lang', {
      type: 'string',
      choices: LANGUAGES,
      describe: 'Language of the unsuffixed fields [default: en]',
    })
    .option('timeout', {
      type: 'number',
      default: 30,
      describe: 'Timeout if the server sends nothing, in seconds',
    })
    .option('retries', {
      type: 'number',
      describe: 'Retries of a failed request [default: 5; search and show 2]',
    })
    .option('max-wait', {
      type: 'number',
      default: 300,
      describe: 'Longest wait that the server may request (Retry-After), in seconds',
    })
    .option('rate', { type: 'number', describe: 'Maximum requests per second [default: no limit]' })
    .option('max-page-size', {
      type: 'number',
      default: 256,
      describe: 'Maximum size of a response, in MB',
    })
    .option('contact', {
      type: 'string',
      describe: 'Your contact address, sent in the User-Agent header',
    })
    .option('lenient', {
      type: 'boolean',
      default: false,
      describe: 'Accept and keep unknown fields',
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
