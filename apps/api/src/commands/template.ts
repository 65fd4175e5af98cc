import { randomUUID } from 'node:crypto';
import { writeTables } from '@archiefkast/bundle/write-bundle';
import { templateTables } from '@archiefkast/formats';
import { defineCommand, OUT, required } from './command.ts';

/**
 * `archive-api template <out>`: writes an empty bundle with a new UUID: a workbook if `out` ends in .xlsx, else a folder of CSV
 * files.
 *
 * @throws Error if `out` exists
 */
export const templateCommand = defineCommand({
  options: (yargs) => yargs.positional('out', required(OUT)),
  async run({ stdout }, { out: output }) {
    await writeTables(await templateTables(randomUUID()), output);
    stdout.write(`${output}\n`);
  },
});
