import type { Argv } from 'yargs';
import { checkGiven, checkNumbers } from './commands/check-options.ts';
import { KIND_NAMES, REPORT_FORMATS, SEARCH_FORMATS } from './commands/choices.ts';
import type { CommandContext } from './commands/command-context.ts';
import { connectionOptions } from './commands/connection-options.ts';
import type { ExitCode } from './exit-code.ts';
import { FORMAT_NAMES } from './formats/registry.ts';

const folder = { type: 'string', demandOption: true, describe: 'Folder of the harvest' } as const;

/**
 * Adds every command with its options. What a command needs is loaded when it is run.
 *
 * @param done is handed the work of the command that is run
 */
export function addCommands(
  parser: Argv,
  context: CommandContext,
  done: (work: Promise<ExitCode>) => Promise<void>,
): void {
  parser
    .command(
      'harvest [kinds..]',
      'Walk an archive into a folder, and prove that nothing is missing',
      (options) =>
        formatOptions(connectionOptions(options))
          .positional('kinds', {
            type: 'string',
            array: true,
            choices: KIND_NAMES,
            describe: 'What to harvest; everything without',
          })
          .option('out', { type: 'string', nargs: 1, describe: 'Folder to write to' })
          .option('update', { type: 'string', describe: 'Folder of a harvest to bring up to date' })
          .option('from', {
            type: 'string',
            choices: ['pages', 'dumps'] as const,
            describe: 'Walk the pages, or take the dumps [default: pages]',
          })
          .option('dry-run', {
            type: 'boolean',
            default: false,
            describe: 'Only say how many records, requests and seconds it would be',
          })
          .option('report', {
            type: 'string',
            choices: REPORT_FORMATS,
            describe: 'Form in which --update prints what changed [default: table]',
          })
          .option('concurrency', {
            type: 'number',
            default: 1,
            describe: 'Pages of one kind under way at once',
          })
          .option('json', { type: 'boolean', default: false, describe: 'Lines of JSON on stdout' })
          .option('quiet', { type: 'boolean', default: false, describe: 'Say nothing but errors' })
          .option('verbose', { type: 'boolean', default: false, describe: 'Say each page' })
          .check(checkGiven({ several: ['kinds', 'format'] }))
          .check(checkNumbers({ concurrency: { least: 1, whole: true } }))
          .check(({ quiet, verbose }) => !(quiet && verbose) || '--quiet and --verbose exclude each other'),
      (settings) =>
        done(
          import('./commands/harvest-or-update.ts').then(({ harvestOrUpdate }) =>
            harvestOrUpdate(context, settings),
          ),
        ),
    )
    .command(
      'export <folder>',
      'Make more formats from a harvest, without asking the server',
      (options) =>
        formatOptions(options)
          .positional('folder', folder)
          .option('out', { type: 'string', nargs: 1, describe: '- writes one file to the standard output' })
          .option('file', { type: 'string', describe: 'Which file, where the format has several' })
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
            describe: 'Ask the archive again what it published',
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
            describe: 'Form of the output',
          })
          .check(checkGiven()),
      (settings) =>
        done(import('./commands/diff.ts').then(({ diffCommand }) => diffCommand(context, settings))),
    )
    .command(
      'stats <folder>',
      'Count what a harvest holds: records, centuries, places, subjects, languages, gaps',
      (options) =>
        options
          .positional('folder', folder)
          .option('json', { type: 'boolean', default: false, describe: 'As JSON' })
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
            describe: 'Words, or field:value; without it all records',
          })
          .option('last-name', {
            type: 'string',
            array: true,
            nargs: 1,
            describe: 'Persons whose last name contains this',
          })
          .option('city', { type: 'string', array: true, nargs: 1, describe: 'Locations in this city' })
          .option('kind', {
            type: 'string',
            array: true,
            nargs: 1,
            choices: KIND_NAMES,
            describe: 'Hits of this kind only; may be given again for another',
          })
          .option('limit', { type: 'number', describe: 'Hits at most [default: 20]' })
          .option('all', { type: 'boolean', default: false, describe: 'All hits' })
          .option('count', { type: 'boolean', default: false, describe: 'Only say how many there are' })
          .option('web', { type: 'boolean', default: false, describe: "Open the first hit's page" })
          .option('format', {
            type: 'string',
            choices: SEARCH_FORMATS,
            default: 'table' as const,
            describe: 'Form of the output',
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
      'Show a record as readable text',
      (options) =>
        connectionOptions(options)
          .positional('kind', {
            type: 'string',
            choices: KIND_NAMES,
            demandOption: true,
            describe: 'Its kind',
          })
          .positional('uuid', { type: 'string', demandOption: true, describe: 'Its uuid' })
          .option('json', { type: 'boolean', default: false, describe: 'As JSON, as it was served' })
          .option('web', { type: 'boolean', default: false, describe: 'Open its page' })
          .check(({ json, web }) => !(json && web) || '--json and --web exclude each other')
          .check(checkGiven()),
      (settings) =>
        done(import('./commands/show.ts').then(({ showCommand }) => showCommand(context, settings))),
    );
}

/** What follows `--`. */
function restOf(rest: unknown): string[] {
  return Array.isArray(rest) ? rest.map(String) : [];
}

/** Adds the options that say how files are written. */
function formatOptions<T>(command: Argv<T>) {
  return command
    .option('format', {
      type: 'string',
      array: true,
      nargs: 1,
      choices: FORMAT_NAMES,
      coerce: (values: readonly string[]) => values.flatMap((value) => value.split(',')),
      describe: 'One or several, with commas between [default: csv]',
    })
    .option('bom', {
      type: 'boolean',
      default: false,
      describe: 'Begin CSV files with a byte order mark, for Excel',
    })
    .option('both', { type: 'boolean', default: false, describe: 'Texts in both languages' })
    .option('html', { type: 'boolean', default: false, describe: 'Texts as HTML, and not as plain text' })
    .option('force', {
      type: 'boolean',
      default: false,
      describe: 'Write over files that archive-cli has not written',
    });
}
