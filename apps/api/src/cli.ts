import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BundleError } from '@archiefkast/bundle/faults';
import { describeUsageError, type ProgramOptions, parseArguments } from '@archiefkast/command-line';
import {
  EXIT,
  freezeYoungGeneration,
  growYoungGeneration,
  type Process,
  printable,
  UsageError,
} from '@archiefkast/system';
import { type Command, type CommandContext, counted, Stopped } from './commands/command.ts';
import { ConfigError, readConfig, SETTINGS } from './config.ts';

/** The values of numeric options. */
const NUMBERS = {
  keep: { least: 1, whole: true },
  edition: { least: 1, whole: true },
};

/** The commands, by usage. They are loaded on demand: publishing needs no server, and `--help` needs neither. */
const COMMANDS: Readonly<Record<string, { describe: string; load(): Promise<Command<object>> }>> = {
  'publish <bundle>': {
    describe: 'Publish a bundle as a new edition and serve it',
    load: () => growHeapSlowly(async () => (await import('./commands/publish.ts')).publishCommand),
  },
  serve: {
    describe: 'Serve the archive over HTTP',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  editions: {
    describe: 'List the kept editions, newest first; * marks the served one',
    load: async () => (await import('./commands/editions.ts')).editionsCommand,
  },
  'switch <edition>': {
    describe: 'Serve another kept edition',
    load: async () => (await import('./commands/editions.ts')).switchCommand,
  },
  rollback: {
    describe: 'Serve the edition before the served one',
    load: async () => (await import('./commands/editions.ts')).rollbackCommand,
  },
  doctor: {
    describe: 'Check BASE_URL as a client would, and report errors of a proxy',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  migrate: {
    describe: 'Create the tables of the database',
    load: async () => (await import('./commands/editions.ts')).migrateCommand,
  },
  index: {
    describe: 'Build missing search indexes, before a server is started',
    load: () => growHeapSlowly(async () => (await import('./commands/editions.ts')).indexCommand),
  },
  'check <bundle>': {
    describe: 'Validate a bundle without a database: report errors and warnings',
    load: () => growHeapSlowly(async () => (await import('./commands/check.ts')).checkCommand),
  },
  'export <out>': {
    describe: 'Write the served edition as a bundle: a workbook if <out> ends in .xlsx, else a folder',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  'convert <in> <out>': {
    describe: 'Convert a bundle: to a workbook if <out> ends in .xlsx, else to a folder',
    load: async () => (await import('./commands/convert.ts')).convertCommand,
  },
  'template <out>': {
    describe:
      'Write an empty bundle to fill in: a workbook if <out> ends in .xlsx, else a folder of CSV files',
    load: async () => (await import('./commands/convert.ts')).templateCommand,
  },
  'import <source..>': {
    describe: 'Make a bundle of any CSV files and workbooks, by a map of their columns',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
};

/** Runs one command of archive-api; returns the exit code. */
export async function run({ arguments: argv, environment, ...streams }: Process): Promise<number> {
  let exit: number = EXIT.done;
  let command: Command<object> = { run: async () => {} };
  const program: ProgramOptions = {
    name: 'archive-api',
    usage: '$0 <command>\n\nPublishes a historical archive as read-only JSON.',
    epilogue: describeSettings(),
    version: undefined,
    commands: Object.keys(COMMANDS),
    numbers: NUMBERS,
  };
  try {
    await parseArguments(argv, streams.stdout, program, (parser) => {
      for (const [usage, { describe, load }] of Object.entries(COMMANDS)) {
        parser.command(
          usage,
          describe,
          async (options) => {
            command = await load();
            return command.options?.(options) ?? options;
          },
          async (options) => {
            exit = await runCommand((context) => command.run(context, options), { environment, ...streams });
          },
        );
      }
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    streams.stderr.write(describeUsageError('archive-api', error));
    return EXIT.usage;
  }
  return exit;
}

async function runCommand(
  work: (context: CommandContext) => Promise<void>,
  { environment, ...rest }: Omit<Process, 'arguments'>,
): Promise<number> {
  try {
    await work({ config: readConfig(environment), ...rest });
    return EXIT.done;
  } catch (error) {
    rest.stderr.write(describeError(error));
    if (error instanceof Stopped) return error.exitCode;
    return error instanceof ConfigError ? EXIT.usage : EXIT.failed;
  }
}

function describeError(error: unknown): string {
  if (error instanceof BundleError) {
    const has = `the ${error.subject} has ${counted(error.count, 'fault')}; nothing was changed`;
    return `${error.message}\narchive-api: ${has}.\n`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return `archive-api: ${printable(message, { keepLines: true })}\n`;
}

function describeSettings(): string {
  const settings = SETTINGS.map(
    ({ name, fallback, meaning }) => `  ${name.padEnd(13)} ${meaning} [${fallback}]`,
  );
  return ['Settings (environment variables):', ...settings].join('\n');
}

/** Maximum size of the young generation. Half of it takes more time; twice of it takes more memory and saves no time. */
const YOUNG_GENERATION_BYTES = 16 * 2 ** 20;

/**
 * Limits the growth of the heap. Publishing creates much garbage and keeps little: by default, V8 lets the heap grow to
 * several times the live size before it collects.
 *
 * @param load loads the program, with a fixed young generation
 */
async function growHeapSlowly<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  freezeYoungGeneration();
  const loaded = await load();
  setFlagsFromString('--heap-growing-percent=50');
  collectGarbage();
  growYoungGeneration(YOUNG_GENERATION_BYTES);
  return loaded;
}

/** V8 computes the heap limit during a collection; without this one, the limit after loading would be three times the live size. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}
