import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BundleError } from '@archiefkast/bundle/faults';
import { printable } from '@archiefkast/system';
import { EXIT, type Process, UsageError } from '@archiefkast/system/command-line';
import { describeUsageError, type ProgramOptions, parseArguments } from '@archiefkast/system/parse-arguments';
import { freezeYoungGeneration, growYoungGeneration } from '@archiefkast/system/young-generation';
import { type Command, type CommandContext, counted, Stopped } from './commands/command.ts';
import { ConfigError, readConfig, SETTINGS } from './config.ts';

/** The values of numeric options. */
const NUMBERS = {
  keep: { least: 1, whole: true },
  workers: { least: 1, most: 1_000, whole: true },
  edition: { least: 1, whole: true },
};

/** The commands. They are loaded on demand: publishing needs no server, and `--help` needs neither. */
const COMMANDS: readonly (readonly [
  usage: string,
  description: string,
  load: () => Promise<Command<object>>,
])[] = [
  [
    'publish <bundle>',
    'Publish a bundle as a new edition and serve it',
    () => growHeapSlowly(async () => (await import('./commands/publish.ts')).publishCommand),
  ],
  ['serve', 'Serve the archive over HTTP', async () => (await import('./commands/serve.ts')).serveCommand],
  [
    'editions',
    'List the kept editions, newest first; * marks the served one',
    async () => (await import('./commands/editions.ts')).editionsCommand,
  ],
  [
    'switch <edition>',
    'Serve another kept edition',
    async () => (await import('./commands/editions.ts')).switchCommand,
  ],
  [
    'rollback',
    'Serve the edition before the served one',
    async () => (await import('./commands/editions.ts')).rollbackCommand,
  ],
  [
    'doctor',
    'Check BASE_URL as a client would, and report errors of a proxy',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
  ],
  [
    'migrate',
    'Create the tables of the database',
    async () => (await import('./commands/migrate.ts')).migrateCommand,
  ],
  [
    'index',
    'Build missing search indexes, before a server is started',
    () => growHeapSlowly(async () => (await import('./commands/index-command.ts')).indexCommand),
  ],
  [
    'check <bundle>',
    'Validate a bundle without a database: report errors and warnings',
    () => growHeapSlowly(async () => (await import('./commands/check.ts')).checkCommand),
  ],
  [
    'export <out>',
    'Write the served edition as a bundle: a workbook if <out> ends in .xlsx, else a folder',
    async () => (await import('./commands/export.ts')).exportCommand,
  ],
  [
    'convert <in> <out>',
    'Convert a bundle: to a workbook if <out> ends in .xlsx, else to a folder',
    async () => (await import('./commands/convert.ts')).convertCommand,
  ],
  [
    'template <out>',
    'Write an empty bundle to fill in: a workbook if <out> ends in .xlsx, else a folder of CSV files',
    async () => (await import('./commands/template.ts')).templateCommand,
  ],
  [
    'import <source..>',
    'Make a bundle of any CSV files and workbooks, by a map of their columns',
    async () => (await import('./commands/import.ts')).importCommand,
  ],
];

/** Runs one command of archive-api; returns the exit code. */
export async function run({ arguments: argv, environment, ...streams }: Process): Promise<number> {
  let exit: number = EXIT.done;
  let command: Command<object> = { run: async () => {} };
  const program: ProgramOptions = {
    name: 'archive-api',
    usage: '$0 <command>\n\nPublishes a historical archive as read-only JSON.',
    epilogue: describeSettings(),
    version: undefined,
    commands: COMMANDS.map(([usage]) => usage),
    numbers: NUMBERS,
  };
  try {
    await parseArguments(argv, streams.stdout, program, (parser) => {
      for (const [usage, description, load] of COMMANDS) {
        parser.command(
          usage,
          description,
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
