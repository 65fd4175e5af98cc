import { printable } from '@archiefkast/system';
import { EXIT, type Process, UsageError } from '@archiefkast/system/command-line';
import yargs from 'yargs';
import { type NodeWait, parseNodeUrls } from './commands/await-nodes.ts';
import { type CommandContext, Stopped } from './commands/command-context.ts';
import { growHeapSlowly } from './commands/grow-heap-slowly.ts';
import { ConfigError, parseDuration, readConfig, SETTINGS } from './config.ts';
import { BundleError } from './publish/bundle/faults.ts';

/** Commands are loaded on demand: publishing needs no server, and `--help` needs neither. */
const COMMANDS = {
  publish: () => growHeapSlowly(async () => (await import('./commands/publish.ts')).publishCommand),
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  index: () => growHeapSlowly(async () => (await import('./commands/index-command.ts')).indexCommand),
  editions: async () => (await import('./commands/editions.ts')).editionsCommand,
  switch: async () => (await import('./commands/editions.ts')).switchCommand,
  rollback: async () => (await import('./commands/editions.ts')).rollbackCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  convert: async () => (await import('./commands/convert.ts')).convertCommand,
  template: async () => (await import('./commands/template.ts')).templateCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  draft: async () => (await import('./commands/import.ts')).draftCommand,
};

/** Errors of commands without their required argument. */
const MISSING: Readonly<Record<string, string>> = {
  publish: 'publish: expected a bundle',
  switch: 'switch: expected an edition number',
  check: 'check: expected a bundle',
  export: 'export: expected an output path',
  convert: 'convert: expected a bundle and an output path',
  template: 'template: expected an output path',
  import: 'import: expected one or more CSV files or workbooks',
};

/** The help text of a bundle argument. */
const BUNDLE = 'Folder with .jsonl or .csv files, or a workbook (.xlsx)';

/** Runs one command of archive-api; returns the exit code. */
export async function run({
  arguments: argv,
  environment,
  stdout,
  stderr,
  signal,
}: Process): Promise<number> {
  let exit: number = EXIT.done;
  const command = async <Options extends unknown[]>(
    load: () => Promise<(context: CommandContext, ...options: Options) => Promise<void>>,
    ...options: Options
  ) => {
    const work = async (context: CommandContext) => (await load())(context, ...options);
    exit = await runCommand(work, { environment, stdout, stderr, signal });
  };

  const parser = yargs()
    .scriptName('archive-api')
    .usage('$0 <command>\n\nPublishes a historical archive as read-only JSON.')
    .command(
      'publish <bundle>',
      'Publish a bundle as a new edition and serve it',
      (options) =>
        options
          .positional('bundle', {
            type: 'string',
            demandOption: true,
            describe: BUNDLE,
          })
          .option('keep', {
            type: 'number',
            default: 2,
            describe: 'Number of editions to keep: the new one, the one served before, then the newest',
          })
          .option('force', {
            type: 'boolean',
            default: false,
            describe: 'Publish even if the bundle is unchanged',
          })
          .option('hold', {
            type: 'boolean',
            default: false,
            describe: 'Do not serve the new edition yet; use switch to serve it later',
          })
          .option('await', {
            type: 'string',
            describe: 'Serve it when every node is ready: comma-separated URLs of their admin ports',
          })
          .option('timeout', {
            type: 'string',
            default: '10m',
            describe: 'With --await: how long to wait for the nodes, such as 90s, 10m or 1h',
          })
          .check(({ keep }) => isCount(keep) || '--keep: expected a whole number from 1')
          .check(({ hold, await: nodes, timeout }) =>
            hold && nodes !== undefined
              ? '--await: cannot be combined with --hold'
              : checkNodeWait(nodes, timeout),
          ),
      ({ bundle, keep, hold, force, await: nodes, timeout }) =>
        command(COMMANDS.publish, bundle, { keep, hold, force, nodes: nodeWait(nodes, timeout) }),
    )
    .command(
      'serve',
      'Serve the archive over HTTP',
      (options) =>
        options
          .option('sample', {
            type: 'boolean',
            default: false,
            describe: 'Publish the sample archive first if nothing has been published',
          })
          .option('workers', {
            type: 'number',
            default: 1,
            describe: 'Number of processes, which share the port',
          })
          .check(({ workers }) => isCount(workers) || '--workers: expected a whole number from 1'),
      ({ sample, workers }) => command(COMMANDS.serve, { sample, workers }),
    )
    .command('editions', 'List the kept editions, newest first; * marks the served one', {}, () =>
      command(COMMANDS.editions),
    )
    .command(
      'switch <edition>',
      'Serve another kept edition',
      (options) =>
        options
          .positional('edition', { type: 'number', demandOption: true, describe: 'Edition number' })
          .check(({ edition }) => isCount(edition) || 'switch: expected an edition number'),
      ({ edition }) => command(COMMANDS.switch, edition),
    )
    .command('rollback', 'Serve the edition before the served one', {}, () => command(COMMANDS.rollback))
    .command(
      'doctor',
      'Check BASE_URL as a client would, and report errors of a proxy',
      (options) => options.option('json', { type: 'boolean', default: false, describe: 'Report as JSON' }),
      ({ json }) => command(COMMANDS.doctor, json),
    )
    .command('migrate', 'Create the tables of the database', {}, () => command(COMMANDS.migrate))
    .command('index', 'Build missing search indexes, before a server is started', {}, () =>
      command(COMMANDS.index),
    )
    .command(
      'check <bundle>',
      'Validate a bundle without a database: report errors and warnings',
      (options) =>
        options
          .positional('bundle', { type: 'string', demandOption: true, describe: BUNDLE })
          .option('strict', { type: 'boolean', default: false, describe: 'Fail on warnings too' })
          .option('json', { type: 'boolean', default: false, describe: 'Report as one line of JSON' })
          .option('media', { type: 'string', describe: 'Folder of the files that records name by path' }),
      ({ bundle, strict, json, media }) => command(COMMANDS.check, bundle, { strict, json, media }),
    )
    .command(
      'export <out>',
      'Write the served edition as a bundle: a workbook if <out> ends in .xlsx, else a folder',
      (options) =>
        options
          .positional('out', { type: 'string', demandOption: true, describe: 'New folder, or file.xlsx' })
          .option('to', {
            choices: ['jsonl', 'tables'] as const,
            default: 'jsonl' as const,
            describe: 'Format in a folder: JSON Lines or tables (CSV)',
          }),
      ({ out, to }) => command(COMMANDS.export, out, to),
    )
    .command(
      'convert <in> <out>',
      'Convert a bundle: to a workbook if <out> ends in .xlsx, else to a folder',
      (options) =>
        options
          .positional('in', { type: 'string', demandOption: true, describe: BUNDLE })
          .positional('out', { type: 'string', demandOption: true, describe: 'New folder, or file.xlsx' })
          .option('to', {
            choices: ['tables', 'jsonl'] as const,
            default: 'tables' as const,
            describe: 'Format in a folder: tables (CSV) or JSON Lines',
          }),
      ({ in: input, out, to }) => command(COMMANDS.convert, input, out, to),
    )
    .command(
      'template <out>',
      'Write an empty bundle to fill in: a workbook if <out> ends in .xlsx, else a folder of CSV files',
      (options) =>
        options.positional('out', {
          type: 'string',
          demandOption: true,
          describe: 'New folder, or file.xlsx',
        }),
      ({ out }) => command(COMMANDS.template, out),
    )
    .command(
      'import <source..>',
      'Make a bundle of any CSV files and workbooks, by a map of their columns',
      (options) =>
        options
          .positional('source', {
            type: 'string',
            array: true,
            demandOption: true,
            describe: 'CSV or TSV file, or workbook (.xlsx)',
          })
          .option('draft', { type: 'string', describe: 'Write a first map to this new file' })
          .option('map', { type: 'string', describe: 'The map (YAML)' })
          .option('out', { type: 'string', describe: 'New folder, or file.xlsx; with --map' })
          .check(({ draft, map, out }) => {
            const isDraft = draft !== undefined && map === undefined && out === undefined;
            const isImport = draft === undefined && map !== undefined && out !== undefined;
            return isDraft || isImport || 'import: expected --draft <map>, or --map <map> and --out <out>';
          }),
      ({ source, draft, map = '', out = '' }) =>
        draft === undefined
          ? command(COMMANDS.import, source, map, out)
          : command(COMMANDS.draft, source, draft),
    )
    .demandCommand(
      1,
      'Missing command: expected publish, serve, editions, switch, rollback, doctor, migrate, index, check, export, convert, template or import.',
    )
    .strict()
    .version()
    .help()
    .epilogue(describeSettings())
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      if (!message) throw error;
      const isMissing = message.startsWith('Not enough non-option arguments');
      const expected = MISSING[argv[0] ?? ''] ?? message;
      throw new UsageError(isMissing ? expected : message);
    });

  try {
    await parser.parseAsync([...argv], {}, (_error, _argv, output) => {
      if (output) stdout.write(`${output}\n`);
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`archive-api: ${error.message}\nRun archive-api --help for help.\n`);
    return EXIT.usage;
  }
  return exit;
}

/** True if `--await` and `--timeout` are valid, otherwise the error. */
function checkNodeWait(nodes: string | undefined, timeout: string): string | true {
  if (parseDuration(timeout) === undefined) return '--timeout: expected a duration such as 90s, 10m or 1h';
  if (nodes === undefined || parseNodeUrls(nodes)) return true;
  return '--await: expected URLs of admin ports, such as http://10.0.0.1:9090,http://10.0.0.2:9090';
}

function nodeWait(nodes: string | undefined, timeout: string): NodeWait | undefined {
  const [urls, milliseconds] = [nodes && parseNodeUrls(nodes), parseDuration(timeout)];
  return urls && milliseconds !== undefined ? { urls, milliseconds } : undefined;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
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
    const faults = error.count === 1 ? '1 fault' : `${error.count} faults`;
    return `${error.message}\narchive-api: the ${error.subject} has ${faults}; nothing was changed.\n`;
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
