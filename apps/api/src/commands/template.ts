import { randomUUID } from 'node:crypto';
import { templateTables } from '@archiefkast/formats';
import { writeTables } from '../publish/bundle/write-bundle.ts';
import type { CommandContext } from './command-context.ts';

/**
 * `archive-api template <out>`: writes an empty bundle with a new UUID: a workbook if `out` ends in .xlsx, else a folder of CSV
 * files.
 *
 * @throws Error if `out` exists
 */
export async function templateCommand(
  { stdout }: Pick<CommandContext, 'stdout'>,
  output: string,
): Promise<void> {
  await writeTables(await templateTables(randomUUID()), output);
  stdout.write(`${output}\n`);
}
