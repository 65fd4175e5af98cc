import { readFile } from 'node:fs/promises';
import { runProgram } from '@archiefkast/command-line';
import { escapeControls } from '@archiefkast/system';
import { COMMANDS } from './command-list.ts';
import type { Process } from './commands/command-context.ts';
import { EXIT_CODE_HELP } from './exit-code.ts';

export { EXIT_CODE_HELP };

/** Runs one command; returns the exit code. @param name by which the program was started */
export async function run({ arguments: argv, ...process }: Process, name = 'archive-cli'): Promise<number> {
  const version = await readVersion();
  const context = { ...escapeControls(process), version, name };
  const program = {
    name,
    usage: '$0 <command>\n\nHarvests, searches, shows and exports an archive.',
    epilogue: EXIT_CODE_HELP,
    version,
    commands: COMMANDS,
    takesRest: 'search',
    completes: true,
  };
  try {
    return await runProgram(argv, context.stdout, program, (command, options) =>
      command.run(context, options),
    );
  } catch (error) {
    const { explainFailure } = await import('./commands/explain-failure.ts');
    return explainFailure(error, context);
  }
}

async function readVersion(): Promise<string> {
  const url = new URL('../package.json', import.meta.url);
  const description: { version: string } = JSON.parse(await readFile(url, 'utf8'));
  return description.version;
}
