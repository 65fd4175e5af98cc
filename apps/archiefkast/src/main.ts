import { readFile } from 'node:fs/promises';
import type { CommandList } from '@archiefkast/command-line';
import { refuseOldNode } from '@archiefkast/system/node-version';

/** Runs a command of archive-api or archive-cli in this process, or prints the help of both. */
export async function main(name: string): Promise<void> {
  if (refuseOldNode(name)) return;
  const { COMMANDS: ofApi } = await import('@archiefkast/archive-api/command-list');
  const { COMMANDS: ofCli } = await import('@archiefkast/archive-cli/command-list');
  const { describeUsageError, namesOf, runProgram } = await import('@archiefkast/command-line');
  const argv = process.argv.slice(2);
  const isOf = (commands: object) => namesOf(Object.keys(commands)).includes(argv[0] ?? '');
  if (isOf(ofApi)) return (await import('@archiefkast/archive-api/main')).main(name);
  if (isOf(ofCli) || argv[0] === 'completion')
    return (await import('@archiefkast/archive-cli/main')).main(name);

  const { EXIT, escapeControls, guardOutput, UsageError } = await import('@archiefkast/system');
  const { describeSettings } = await import('@archiefkast/archive-api');
  const { EXIT_CODE_HELP } = await import('@archiefkast/archive-cli');
  const { exit, ...outputs } = guardOutput(name, process, () => {});
  const { stdout, stderr } = escapeControls(outputs);
  const commands: CommandList<never, unknown> = { ...ofApi, ...ofCli };
  const program = {
    name,
    usage: '$0 <command>\n\nPublishes a historical research archive on the web, and harvests it.',
    epilogue: `${describeSettings()}\n\n${EXIT_CODE_HELP}`,
    version: await readVersion(),
    commands,
    completes: true,
  };
  try {
    // Only help, completions and mistakes are left.
    exit(await runProgram(argv, stdout, program, async () => EXIT.usage));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    exit(EXIT.usage);
    stderr.write(describeUsageError(name, error));
  }
}

async function readVersion(): Promise<string> {
  const url = new URL('../package.json', import.meta.url);
  const { version }: { version: string } = JSON.parse(await readFile(url, 'utf8'));
  return version;
}
