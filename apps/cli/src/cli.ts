import { readFile } from 'node:fs/promises';
import { UsageError } from '@archiefkast/system/command-line';
import { printable } from '@archiefkast/system/terminal';
import yargs from 'yargs';
import type { CommandContext, Process } from './commands/command-context.ts';
import * as options from './commands/options.ts';
import { EXIT, EXIT_CODE_HELP, type ExitCode } from './exit-code.ts';

/** Runs one command of archive-cli; returns the exit code. */
export async function run({ arguments: argv, ...process }: Process): Promise<ExitCode> {
  const version = await readVersion();
  const context = { ...withPlainErrors(process), version };
  let exit: ExitCode = EXIT.done;
  const parser = yargs()
    .scriptName('archive-cli')
    .usage('$0 <command>\n\nHarvests, searches, shows and exports an archive.')
    .parserConfiguration({ 'populate--': true })
    .demandCommand(1, 'Missing command: expected harvest, export, verify, diff, stats, search or show.')
    .strict()
    .version(version)
    .help()
    .epilogue(EXIT_CODE_HELP)
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      // An option without its value is an error of yargs itself.
      const isOwn = error instanceof Error && error.name !== 'YError';
      throw isOwn ? error : new UsageError(message);
    });
  /** Runs a command. Its module is loaded when it runs. */
  const running =
    <Settings>(load: () => Promise<Command<Settings>>) =>
    async (settings: Settings) => {
      exit = await (await load()).command(context, settings);
    };
  parser
    .command(
      'harvest [kinds..]',
      'Download an archive to a folder, and prove that it is complete',
      options.harvestOptions,
      running(() => import('./commands/harvest.ts')),
    )
    .command(
      'export <folder>',
      'Write a harvest in more formats, without requests to the server',
      options.exportOptions,
      running(() => import('./commands/export.ts')),
    )
    .command(
      'verify <folder>',
      'Check a harvest against its proof',
      options.verifyOptions,
      running(() => import('./commands/verify.ts')),
    )
    .command(
      'diff <old> <new>',
      'List the records that were added, changed and removed between two harvests',
      options.diffOptions,
      running(() => import('./commands/diff.ts')),
    )
    .command(
      'stats <folder>',
      'Print statistics of a harvest: records, centuries, places, subjects, languages, gaps',
      options.statsOptions,
      running(() => import('./commands/stats.ts')),
    )
    .command(
      'search [query..]',
      'Search an archive',
      options.searchOptions,
      running(() => import('./commands/search.ts')),
    )
    .command(
      'show <kind> <uuid>',
      'Print a record as readable text',
      options.showOptions,
      running(() => import('./commands/show.ts')),
    )
    .command(
      'completion [shell]',
      'Print a completion script for bash or zsh',
      options.completionOptions,
      () => void parser.showCompletionScript(),
    );

  try {
    await parser.parseAsync([...argv], {}, (_error, _argv, output) => {
      if (output) context.stdout.write(`${output}\n`);
    });
    return exit;
  } catch (error) {
    const { explainFailure } = await import('./commands/explain-failure.ts');
    return explainFailure(error, context);
  }
}

/** The module of a command. */
interface Command<Settings> {
  command(context: CommandContext, settings: Settings): Promise<ExitCode>;
}

/** Escapes control characters on stderr: messages may quote a server. */
function withPlainErrors(process: Omit<Process, 'arguments'>): Omit<CommandContext, 'version'> {
  const { stderr } = process;
  return {
    ...process,
    progress: stderr,
    stderr: {
      write: (text) => stderr.write(typeof text === 'string' ? printable(text, { keepLines: true }) : text),
      ...(stderr.isTTY === undefined ? {} : { isTTY: stderr.isTTY }),
      ...(stderr.columns === undefined ? {} : { columns: stderr.columns }),
    },
  };
}

/** The version of archive-cli, from its package.json. */
async function readVersion(): Promise<string> {
  const url = new URL('../package.json', import.meta.url);
  const description: { version: string } = JSON.parse(await readFile(url, 'utf8'));
  return description.version;
}
