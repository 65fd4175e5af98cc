import { BundleError } from '@archiefkast/bundle/faults';
import { describeUsageError, messageOf, runProgram } from '@archiefkast/command-line';
import { counted, EXIT, escapeControls, type Process, UsageError } from '@archiefkast/system';
import { COMMANDS } from './command-list.ts';
import { type CommandContext, ExitError } from './commands/command.ts';
import { ConfigError, readConfig, SETTINGS } from './config.ts';

/** Runs one command; returns the exit code. @param name by which the program was started */
export async function run(
  { arguments: argv, environment, ...outputs }: Process,
  name = 'archive-api',
): Promise<number> {
  const streams = escapeControls(outputs);
  const program = {
    name,
    usage: '$0 <command>\n\nPublishes a historical archive as read-only JSON.',
    epilogue: describeSettings(),
    commands: COMMANDS,
  };
  try {
    return await runProgram(argv, streams.stdout, program, (command, options) =>
      runCommand((context) => command.run(context, options), name, { environment, ...streams }),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    streams.stderr.write(describeUsageError(name, error));
    return EXIT.usage;
  }
}

async function runCommand(
  work: (context: CommandContext) => Promise<unknown>,
  name: string,
  own: Omit<Process, 'arguments'>,
): Promise<number> {
  try {
    await work({ ...own, config: readConfig(own.environment), name });
    return EXIT.done;
  } catch (error) {
    own.stderr.write(describeError(error, name));
    if (error instanceof ExitError) return error.exitCode;
    return error instanceof ConfigError ? EXIT.usage : EXIT.failed;
  }
}

function describeError(error: unknown, name: string): string {
  if (error instanceof BundleError) {
    const has = `the ${error.subject} has ${counted(error.count, 'fault')}; nothing was changed`;
    return `${messageOf(error, name)}\n${name}: ${has}.\n`;
  }
  return `${name}: ${messageOf(error, name)}\n`;
}

/** The settings as `--help` prints them. */
export function describeSettings(): string {
  const settings = SETTINGS.map(
    ({ name, fallback, meaning }) => `  ${name.padEnd(13)} ${meaning} [${fallback}]`,
  );
  return ['Settings (environment variables):', ...settings].join('\n');
}
