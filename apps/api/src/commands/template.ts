import { randomUUID } from 'node:crypto';
import { templateTables } from '@archiefkast/formats';
import { writeTables } from '../publish/bundle/write-bundle.ts';
import type { CommandContext } from './command-context.ts';

/**
 * `archive-api template <out>`: writes a bundle to start from, a workbook where `out` ends in .xlsx and else a folder
 * of CSV files. The archive gets a uuid of its own.
 *
 * @throws Error when there is something already
 */
export async function templateCommand(
  { stdout }: Pick<CommandContext, 'stdout'>,
  output: string,
): Promise<void> {
  await writeTables(templateTables(randomUUID()), output);
  stdout.write(`${output}\n`);
}
