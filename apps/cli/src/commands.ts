import type { Argv } from 'yargs';
import type { CommandContext } from './commands/command-context.ts';
import * as options from './commands/settings.ts';
import type { ExitCode } from './exit-code.ts';

/**
 * Adds every command. The modules of a command are loaded when it runs.
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
      options.harvestOptions,
      (settings) =>
        done(import('./commands/harvest.ts').then(({ harvestCommand }) => harvestCommand(context, settings))),
    )
    .command(
      'export <folder>',
      'Write a harvest in more formats, without requests to the server',
      options.exportOptions,
      (settings) =>
        done(import('./commands/export.ts').then(({ exportCommand }) => exportCommand(context, settings))),
    )
    .command('verify <folder>', 'Check a harvest against its proof', options.verifyOptions, (settings) =>
      done(import('./commands/verify.ts').then(({ verifyCommand }) => verifyCommand(context, settings))),
    )
    .command(
      'diff <old> <new>',
      'List the records that were added, changed and removed between two harvests',
      options.diffOptions,
      (settings) =>
        done(import('./commands/diff.ts').then(({ diffCommand }) => diffCommand(context, settings))),
    )
    .command(
      'stats <folder>',
      'Print statistics of a harvest: records, centuries, places, subjects, languages, gaps',
      options.statsOptions,
      (settings) =>
        done(import('./commands/stats.ts').then(({ statsCommand }) => statsCommand(context, settings))),
    )
    .command('search [query..]', 'Search an archive', options.searchOptions, ({ '--': rest, ...settings }) =>
      done(
        import('./commands/search.ts').then(({ searchCommand }) =>
          searchCommand(context, {
            ...settings,
            query: [...settings.query, ...[rest ?? []].flat().map(String)],
          }),
        ),
      ),
    )
    .command('show <kind> <uuid>', 'Print a record as readable text', options.showOptions, (settings) =>
      done(import('./commands/show.ts').then(({ showCommand }) => showCommand(context, settings))),
    );
}
