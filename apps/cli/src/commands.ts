import { UsageError } from '@archiefkast/system/command-line';
import type { Argv } from 'yargs';
import type { CommandContext } from './commands/command-context.ts';
import { connectionOptions } from './commands/connection.ts';
import { checkGiven, checkNumbers, KIND_NAMES, REPORT_FORMATS, SEARCH_FORMATS } from './commands/options.ts';
import type { ExitCode } from './exit-code.ts';
import { FORMAT_NAMES } from './formats/formats.ts';

const folder = { type: 'string', demandOption: true, describe: 'Folder of the harvest' } as const;

/**
 * Adds every command with its options. The modules of a command are loaded when it runs.
 *
 * @param done receives the promise of the command that runs
 */
export function addCommands(
  parser: Argv,
  context: CommandContext,
  done: (work: Promise<ExitCode>) => Promise<void>,
): void {
  parser
    .command(
      'harvest [kinds..]',
      'Download an archive to a folder, and prove that it is complete',
      (options) =>
        formatOptions(connectionOptions(options))
          .positional('kinds', {
            type: 'string',
            array: true,
            choices: KIND_NAMES,
            describe: 'Kinds to harvest [default: all]',
          })
          .options({
            out: { type: 'string', nargs: 1, describe: 'Folder to write to' },
            update: { type: 'string', describe: 'Folder of a harvest to update' },
            from: {
              type: 'string',
              choices: ['pages', 'dumps'] as const,
              describe: 'Read pages or dumps [default: pages]',
            },
            'dry-run': {
              type: 'boolean',
              default: false,
              describe: 'Only estimate the number of records, requests and seconds',
            },
            report: {
              type: 'string',
              choices: REPORT_FORMATS,
              describe: 'Format of the changes that --update prints [default: table]',
            },
            concurrency: { type: 'number', default: 1, describe: 'Pages of a kind to request in parallel' },
            json: { type: 'boolean', default: false, describe: 'Print events as lines of JSON on stdout' },
            quiet: { type: 'boolean', default: false, describe: 'Print errors only' },
            verbose: { type: 'boolean', default: false, describe: 'Print a line for each page' },
          })
          .check(checkGiven({ several: ['kinds', 'format'] }))
          .check(checkNumbers({ concurrency: { least: 1, whole: true } }))
          .check(({ quiet, verbose }) => !(quiet && verbose) || '--quiet and --verbose exclude each other'),
      (settings) =>
        done(import('./commands/harvest.ts').then(({ harvestCommand }) => harvestCommand(context, settings))),
    )
    .command(
      'export <folder>',
      'Write a harvest in more formats, without requests to the server',
      (options) =>
        formatOptions(options)
          .positional('folder', folder)
          .options({
            out: { type: 'string', nargs: 1, describe: 'Only -: write one file to stdout' },
            file: { type: 'string', describe: 'File to write, if the format has several' },
          })
          .check(checkGiven({ several: ['format'] })),
      (settings) =>
        done(import('./commands/export.ts').then(({ exportCommand }) => exportCommand(context, settings))),
    )
    .command(
      'verify <folder>',
      'Check a harvest against its proof',
      (options) =>
        options
          .positional('folder', folder)
          .option('source', {
            type: 'boolean',
            default: false,
            describe: 'Also compare with the manifest that the archive serves now',
          })
          .check(checkGiven()),
      (settings) =>
        done(import('./commands/verify.ts').then(({ verifyCommand }) => verifyCommand(context, settings))),
    )
    .command(
      'diff <old> <new>',
      'List the records that were added, changed and removed between two harvests',
      (options) =>
        options
          .positional('old', { ...folder, describe: 'Folder of the older harvest' })
          .positional('new', { ...folder, describe: 'Folder of the newer harvest' })
          .option('format', {
            type: 'string',
            choices: REPORT_FORMATS,
            default: 'table' as const,
            describe: 'Output format',
          })
          .check(checkGiven()),
      (settings) =>
        done(import('./commands/diff.ts').then(({ diffCommand }) => diffCommand(context, settings))),
    )
    .command(
      'stats <folder>',
      'Print statistics of a harvest: records, centuries, places, subjects, languages, gaps',
      (options) =>
        options
          .positional('folder', folder)
          .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
          .check(checkGiven()),
      (settings) =>
        done(import('./commands/stats.ts').then(({ statsCommand }) => statsCommand(context, settings))),
    )
    .command(
      'search [query..]',
      'Search an archive',
      (options) =>
        connectionOptions(options)
          .positional('query', {
            type: 'string',
            array: true,
            default: [],
            describe: 'Words, or field:value [default: all records]',
          })
          .options({
            'last-name': {
              type: 'string',
              array: true,
              nargs: 1,
              describe: 'Find persons whose last name contains this',
            },
            city: { type: 'string', array: true, nargs: 1, describe: 'Find locations in this city' },
            kind: {
              type: 'string',
              array: true,
              nargs: 1,
              choices: KIND_NAMES,
              describe: 'Only hits of this kind; can be repeated',
            },
            limit: { type: 'number', describe: 'Maximum number of hits [default: 20]' },
            all: { type: 'boolean', default: false, describe: 'Print all hits' },
            count: { type: 'boolean', default: false, describe: 'Print only the number of hits' },
            web: { type: 'boolean', default: false, describe: "Open the first hit's page in a browser" },
            format: {
              type: 'string',
              choices: SEARCH_FORMATS,
              default: 'table' as const,
              describe: 'Output format',
            },
          })
          .check(({ limit, all }) => !(limit !== undefined && all) || '--limit and --all exclude each other')
          .check(checkGiven({ several: ['query', 'last-name', 'city', 'kind'], rest: true }))
          .check(checkNumbers({ limit: { least: 1, whole: true } })),
      ({ '--': rest, ...settings }) =>
        done(
          import('./commands/search.ts').then(({ searchCommand }) =>
            searchCommand(context, { ...settings, query: [...settings.query, ...restOf(rest)].join(' ') }),
          ),
        ),
    )
    .command(
      'show <kind> <uuid>',
      'Print a record as readable text',
      (options) =>
        connectionOptions(options)
          .positional('kind', {
            type: 'string',
            choices: KIND_NAMES,
            demandOption: true,
            describe: 'Kind of the record',
          })
          .positional('uuid', { type: 'string', demandOption: true, describe: 'Uuid of the record' })
          .options({
            json: { type: 'boolean', default: false, describe: 'Print the JSON of the API' },
            web: { type: 'boolean', default: false, describe: 'Open its page in a browser' },
          })
          .check(({ json, web }) => !(json && web) || '--json and --web exclude each other')
          .check(checkGiven()),
      (settings) =>
        done(import('./commands/show.ts').then(({ showCommand }) => showCommand(context, settings))),
    );
}

/** The arguments after `--`. */
function restOf(rest: unknown): string[] {
  return Array.isArray(rest) ? rest.map(String) : [];
}

/** Refuses the tables of a bundle, which the other program makes. @throws UsageError */
function refuseTables(format: string): string {
  if (format !== 'tables' && format !== 'tables.xlsx') return format;
  throw new UsageError(
    `--format ${format}: harvest with --format jsonl, and make tables of the folder with: archive-api convert <folder> <tables>`,
  );
}

/** Adds the options for the written files. */
function formatOptions<T>(command: Argv<T>) {
  return command.options({
    format: {
      type: 'string',
      array: true,
      nargs: 1,
      choices: FORMAT_NAMES,
      coerce: (values: readonly string[]) => values.flatMap((value) => value.split(',')).map(refuseTables),
      describe: 'Formats to write, separated by commas [default: csv]',
    },
    bom: { type: 'boolean', default: false, describe: 'Begin CSV files with a byte order mark, for Excel' },
    both: { type: 'boolean', default: false, describe: 'Write texts in both languages' },
    html: { type: 'boolean', default: false, describe: 'Write texts as HTML instead of plain text' },
    force: { type: 'boolean', default: false, describe: 'Overwrite files that archive-cli did not write' },
  });
}
