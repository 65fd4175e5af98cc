import { ArchiveError, OptionError } from '@archive/client';
import { COLLECTIONS, KINDS } from '@archive/types';
import yargs, { type Argv } from 'yargs';
import { checkNumbers } from './commands/check-numbers.ts';
import { type CommandContext, UsageError } from './commands/command-context.ts';
import { connectionOptions } from './commands/connection.ts';
import { diffCommand } from './commands/diff.ts';
import { exportCommand } from './commands/export.ts';
import { harvestOrUpdate } from './commands/harvest-or-update.ts';
import { parseFormats } from './commands/parse-formats.ts';
import { SEARCH_FORMATS, searchCommand } from './commands/search.ts';
import { showCommand } from './commands/show.ts';
import { verifyCommand } from './commands/verify.ts';
import { REPORT_FORMATS } from './diff/print-changes.ts';
import { EXIT, EXIT_CODE_HELP, type ExitCode } from './exit-code.ts';
import { readVersion } from './version.ts';

/** What the process hands over. */
export interface Process extends CommandContext {
  arguments: readonly string[];
}

/** Runs one command of archive-cli; returns the exit code. */
export async function run({ arguments: argv, ...context }: Process): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const done = async (work: Promise<ExitCode>) => {
    exit = await work;
  };

  const parser = yargs()
    .scriptName('archive-cli')
    .usage('$0 <command>\n\nHarvests, searches, shows and exports an archive.')
    .command(
      'harvest [kinds..]',
      'Walk an archive into a folder, and prove that nothing is missing',
      (options) =>
        formatOptions(connectionOptions(options))
          .positional('kinds', {
            type: 'string',
            array: true,
            choices: Object.values(COLLECTIONS),
            default: Object.values(COLLECTIONS),
            describe: 'What to harvest',
          })
          .option('out', { type: 'string', describe: 'Folder to write to' })
          .option('update', { type: 'string', describe: 'Folder of a harvest to bring up to date' })
          .option('dry-run', {
            type: 'boolean',
            default: false,
            describe: 'Only say how many records, requests and seconds it would be',
          })
          .option('report', {
            type: 'string',
            choices: REPORT_FORMATS,
            default: 'table' as const,
            describe: 'Form in which --update prints what changed',
          })
          .option('concurrency', {
            type: 'number',
            default: 1,
            describe: 'Pages of one kind under way at once',
          })
          .option('json', { type: 'boolean', default: false, describe: 'Events as lines of JSON on stdout' })
          .option('quiet', { type: 'boolean', default: false, describe: 'Say nothing but errors' })
          .option('verbose', { type: 'boolean', default: false, describe: 'Say each page' })
          .check(checkNumbers({ concurrency: { least: 1, whole: true } }))
          .check(({ quiet, verbose }) => !(quiet && verbose) || '--quiet and --verbose exclude each other'),
      (settings) => done(harvestOrUpdate(context, settings)),
    )
    .command(
      'export <folder>',
      'Make more formats from a harvest, without asking the server',
      (options) =>
        formatOptions(options).positional('folder', {
          type: 'string',
          demandOption: true,
          describe: 'Folder of the harvest',
        }),
      ({ folder, bom, format }) =>
        done(exportCommand(context, { folder, bom, formats: parseFormats(format) })),
    )
    .command(
      'verify <folder>',
      'Check a harvest against its proof, without asking the server',
      (options) =>
        options.positional('folder', {
          type: 'string',
          demandOption: true,
          describe: 'Folder of the harvest',
        }),
      ({ folder }) => done(verifyCommand(context, folder)),
    )
    .command(
      'diff <old> <new>',
      'List the records that were added, changed and removed between two harvests',
      (options) =>
        options
          .positional('old', { type: 'string', demandOption: true, describe: 'Folder of the older harvest' })
          .positional('new', { type: 'string', demandOption: true, describe: 'Folder of the newer harvest' })
          .option('format', {
            type: 'string',
            choices: REPORT_FORMATS,
            default: 'table' as const,
            describe: 'Form of the output',
          }),
      (settings) => done(diffCommand(context, settings)),
    )
    .command(
      'search [query]',
      'Search an archive',
      (options) =>
        connectionOptions(options)
          .positional('query', {
            type: 'string',
            default: '',
            describe: 'Words, or field:value; without it all records',
          })
          .option('last-name', { type: 'string', describe: 'Persons whose last name contains this' })
          .option('city', { type: 'string', describe: 'Locations in this city' })
          .option('kind', { type: 'string', choices: KINDS, describe: 'Hits of this kind only' })
          .option('limit', { type: 'number', default: 20, describe: 'Hits at most' })
          .option('all', { type: 'boolean', default: false, describe: 'All hits' })
          .option('format', {
            type: 'string',
            choices: SEARCH_FORMATS,
            default: 'table' as const,
            describe: 'Form of the output',
          })
          .check(checkNumbers({ limit: { least: 1, whole: true } })),
      (settings) => done(searchCommand(context, settings)),
    )
    .command(
      'show <kind> <uuid>',
      'Show a record as readable text',
      (options) =>
        connectionOptions(options)
          .positional('kind', { type: 'string', choices: KINDS, demandOption: true, describe: 'Its kind' })
          .positional('uuid', { type: 'string', demandOption: true, describe: 'Its uuid' }),
      (settings) => done(showCommand(context, settings)),
    )
    .demandCommand(1, 'Say what to do: harvest, export, verify, diff, search or show.')
    .strict()
    .version(await readVersion())
    .help()
    .epilogue(EXIT_CODE_HELP)
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof Error ? error : new UsageError(message);
    });

  try {
    await parser.parseAsync([...argv], {}, (_error, _argv, output) => {
      if (output) context.stdout.write(`${output}\n`);
    });
    return exit;
  } catch (error) {
    return explain(error, context);
  }
}

/** Adds the options that say how files are written. */
function formatOptions<T>(command: Argv<T>) {
  return command
    .option('format', {
      type: 'string',
      array: true,
      nargs: 1,
      default: ['csv'],
      describe: 'csv, jsonl or csv,jsonl',
    })
    .option('bom', {
      type: 'boolean',
      default: false,
      describe: 'Begin CSV files with a byte order mark, for Excel',
    });
}

/** Says what went wrong; returns the exit code. */
function explain(error: unknown, { stderr, signal }: CommandContext): ExitCode {
  if (signal.aborted) return EXIT.interrupted;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError || error instanceof OptionError) {
    stderr.write(`archive-cli: ${message}\nRun archive-cli --help for what it can do.\n`);
    return EXIT.usage;
  }
  stderr.write(`archive-cli: ${message}\n`);
  if (!(error instanceof ArchiveError) && !isSystemError(error)) throw error;
  return EXIT.failed;
}

/** Whether the operating system refused something, such as writing to a full disk. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
