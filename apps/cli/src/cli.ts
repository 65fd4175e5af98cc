import { readFile } from 'node:fs/promises';
import { type ProgramOptions, parseArguments } from '@archiefkast/command-line';
import { printable } from '@archiefkast/system';
import type { Argv } from 'yargs';
import type { CommandContext, Process } from './commands/command-context.ts';
import * as options from './commands/options.ts';
import { EXIT, EXIT_CODE_HELP, type ExitCode } from './exit-code.ts';

interface Command {
  command(context: CommandContext, settings: object): Promise<ExitCode>;
}

/** The commands, with their options. A module is loaded when it runs. */
const COMMANDS: readonly (readonly [
  usage: string,
  description: string,
  options: (parser: Argv) => Argv,
  load: () => Promise<Command>,
])[] = [
  [
    'harvest [kinds..]',
    'Download an archive to a folder, and prove that it is complete',
    options.harvestOptions,
    () => import('./commands/harvest.ts'),
  ],
  [
    'export <folder>',
    'Write a harvest in more formats, without requests to the server',
    options.exportOptions,
    () => import('./commands/export.ts'),
  ],
  [
    'verify <folder>',
    'Check a harvest against its proof',
    options.verifyOptions,
    () => import('./commands/verify.ts'),
  ],
  [
    'diff <old> <new>',
    'List the records that were added, changed and removed between two harvests',
    options.diffOptions,
    () => import('./commands/diff.ts'),
  ],
  [
    'stats <folder>',
    'Print statistics of a harvest: records, centuries, places, subjects, languages, gaps',
    options.statsOptions,
    () => import('./commands/stats.ts'),
  ],
  ['search [query..]', 'Search an archive', options.searchOptions, () => import('./commands/search.ts')],
  [
    'show <kind> <uuid>',
    'Print a record as readable text',
    options.showOptions,
    () => import('./commands/show.ts'),
  ],
];

const COMPLETION = 'completion [shell]';

/** Runs one command of archive-cli; returns the exit code. */
export async function run({ arguments: argv, ...process }: Process): Promise<ExitCode> {
  const version = await readVersion();
  const context = { ...withPlainErrors(process), version };
  let exit: ExitCode = EXIT.done;
  const program: ProgramOptions = {
    name: 'archive-cli',
    usage: '$0 <command>\n\nHarvests, searches, shows and exports an archive.',
    epilogue: EXIT_CODE_HELP,
    version,
    commands: [...COMMANDS.map(([usage]) => usage), COMPLETION],
    numbers: options.NUMBERS,
    texts: ['query', 'last-name', 'city', 'contact'],
    takesRest: 'search',
  };
  try {
    await parseArguments(argv, context.stdout, program, (parser) => {
      for (const [usage, description, declare, load] of COMMANDS) {
        parser.command(usage, description, declare, async (settings: object) => {
          exit = await (await load()).command(context, settings);
        });
      }
      const script = 'Print a completion script for bash or zsh';
      parser.command(COMPLETION, script, options.completionOptions, () => void parser.showCompletionScript());
    });
    return exit;
  } catch (error) {
    const { explainFailure } = await import('./commands/explain-failure.ts');
    return explainFailure(error, context);
  }
}

/** Escapes control characters on stderr: messages may quote a server. */
function withPlainErrors(process: Omit<Process, 'arguments'>): Omit<CommandContext, 'version'> {
  const { stderr } = process;
  return {
    ...process,
    progress: stderr,
    stderr: {
      ...stderr,
      write: (text) => stderr.write(typeof text === 'string' ? printable(text, { keepLines: true }) : text),
    },
  };
}

async function readVersion(): Promise<string> {
  const url = new URL('../package.json', import.meta.url);
  const description: { version: string } = JSON.parse(await readFile(url, 'utf8'));
  return description.version;
}
