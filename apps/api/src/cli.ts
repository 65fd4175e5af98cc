import yargs from 'yargs';
import { BundleError } from './bundle/faults.ts';
import type { CommandContext } from './commands/command-context.ts';
import { ConfigError, readConfig, SETTINGS } from './config.ts';

/** What the process hands over. */
export interface Process extends Omit<CommandContext, 'config'> {
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** Exit codes: done, failed, wrong use. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Each is loaded when it is asked for: publishing needs no server, and `--help` needs neither. */
const COMMANDS = {
  publish: async () => (await import('./commands/publish.ts')).publishCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  editions: async () => (await import('./commands/editions.ts')).editionsCommand,
  rollback: async () => (await import('./commands/rollback.ts')).rollbackCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
};

/** Runs one command of archive-api; returns the exit code. */
export async function run({
  arguments: argv,
  environment,
  stdout,
  stderr,
  stopped,
}: Process): Promise<number> {
  let exit: number = EXIT.done;
  const command = async <Options extends unknown[]>(
    load: () => Promise<(context: CommandContext, ...options: Options) => Promise<void>>,
    ...options: Options
  ) => {
    const work = async (context: CommandContext) => (await load())(context, ...options);
    exit = await runCommand(work, { environment, stdout, stderr, stopped });
  };

  const parser = yargs()
    .scriptName('archive-api')
    .usage('$0 <command>\n\nPublishes a historical archive as read-only JSON.')
    .command(
      'publish <bundle>',
      'Publish the bundle in a folder as a new edition, and switch to it',
      (options) =>
        options
          .positional('bundle', {
            type: 'string',
            demandOption: true,
            describe: 'Folder with the .jsonl files',
          })
          .option('keep', {
            type: 'number',
            default: 2,
            describe: 'Editions to keep: the new one, the one served until now, then the newest',
          })
          .check(({ keep }) => (isCount(keep) && keep >= 2) || '--keep: expected a whole number from 2'),
      ({ bundle, keep }) => command(COMMANDS.publish, bundle, keep),
    )
    .command(
      'serve',
      'Serve the archive over HTTP',
      (options) =>
        options
          .option('sample', {
            type: 'boolean',
            default: false,
            describe: 'Publish the sample archive first when nothing has been published',
          })
          .option('workers', {
            type: 'number',
            default: 1,
            describe: 'Processes that answer, sharing the port',
          })
          .check(({ workers }) => isCount(workers) || '--workers: expected a whole number from 1'),
      ({ sample, workers }) => command(COMMANDS.serve, { sample, workers }),
    )
    .command('editions', 'List the kept editions, newest first; * marks the served one', {}, () =>
      command(COMMANDS.editions),
    )
    .command('rollback', 'Serve the edition before the one served now', {}, () => command(COMMANDS.rollback))
    .command('migrate', 'Bring the tables of the database up to date', {}, () => command(COMMANDS.migrate))
    .demandCommand(1, 'Say what to do: publish, serve, editions, rollback or migrate.')
    .strict()
    .version()
    .help()
    .epilogue(describeSettings())
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      if (!message) throw error;
      const isBundleMissing = message.startsWith('Not enough non-option arguments');
      throw new UsageError(isBundleMissing ? 'publish: expected the folder of a bundle' : message);
    });

  try {
    await parser.parseAsync([...argv], {}, (_error, _argv, output) => {
      if (output) stdout.write(`${output}\n`);
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`archive-api: ${error.message}\nRun archive-api --help for what it can do.\n`);
    return EXIT.usage;
  }
  return exit;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}

/** The command line does not say what to do. */
class UsageError extends Error {}

async function runCommand(
  work: (context: CommandContext) => Promise<void>,
  { environment, ...rest }: Omit<Process, 'arguments'>,
): Promise<number> {
  try {
    await work({ config: readConfig(environment), ...rest });
    return EXIT.done;
  } catch (error) {
    rest.stderr.write(describeError(error));
    return error instanceof ConfigError ? EXIT.usage : EXIT.failed;
  }
}

function describeError(error: unknown): string {
  if (error instanceof BundleError) {
    const faults = error.count === 1 ? '1 fault' : `${error.count} faults`;
    return `${error.message}\narchive-api: the bundle has ${faults}; nothing was changed.\n`;
  }
  return `archive-api: ${error instanceof Error ? error.message : String(error)}\n`;
}

function describeSettings(): string {
  const settings = SETTINGS.map(
    ({ name, fallback, meaning }) => `  ${name.padEnd(13)} ${meaning} [${fallback}]`,
  );
  return ['Settings, from the environment:', ...settings].join('\n');
}
