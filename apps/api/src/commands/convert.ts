import { randomUUID } from 'node:crypto';
import { checkBundle, findBundle } from '@archiefkast/bundle';
import { type BundleFormat, isWorkbook, writeBundle, writeTables } from '@archiefkast/bundle/write-bundle';
import { defineCommand, required } from '@archiefkast/command-line';
import { templateTables } from '@archiefkast/formats';
import { BUNDLE, type CommandContext, OUT } from './command.ts';

/**
 * `archive-api convert <in> <out>`: writes a bundle in another format. An `out` that ends in .xlsx is a workbook; a
 * folder gets tables, or JSON lines.
 *
 * @throws BundleError if the bundle has errors; Error if the folder is not empty; the reason of the signal
 */
export const convertCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('in', required(BUNDLE))
      .positional('out', required(OUT))
      .option('to', {
        choices: ['tables', 'jsonl'] as const,
        describe: 'Format in a folder: tables (CSV) or JSON Lines [default: tables]',
      })
      .check(({ out, to }) => to === undefined || !isWorkbook(out) || '--to: expected only with a folder'),
  examples: [
    ['convert my-archive my-archive.xlsx', 'Writes a workbook of a folder'],
    ['convert my-archive.xlsx lines --to jsonl', 'Writes JSON Lines of a workbook'],
  ],
  async run({ stdout, signal }: CommandContext, { in: input, out: output, to: format = 'tables' }) {
    await convertBundle(input, output, format, signal);
    stdout.write(`${output}\n`);
  },
});

/** Validates and writes a bundle. @throws the errors of `convertCommand` */
export async function convertBundle(
  input: string,
  output: string,
  format: BundleFormat,
  signal: AbortSignal,
): Promise<void> {
  const onRecord = () => signal.throwIfAborted();
  const files = await findBundle(input);
  const hashes = await files.hash();
  await files.read(async (source, faults) => {
    const bundle = await checkBundle(source, faults, { onRecord });
    await writeBundle(bundle, output, isWorkbook(output) ? 'tables' : format, onRecord);
  }, onRecord);
  await files.requireUnchanged(hashes);
}

/**
 * `archive-api template <out>`: writes an empty bundle with a new UUID: a workbook if `out` ends in .xlsx, else a folder of CSV
 * files.
 *
 * @throws Error if `out` exists
 */
export const templateCommand = defineCommand({
  options: (yargs) => yargs.positional('out', required(OUT)),
  examples: [
    ['template new-archive.xlsx', 'Writes an empty workbook to fill in'],
    ['template new-archive', 'Writes a folder of CSV files'],
  ],
  async run({ stdout }: CommandContext, { out: output }) {
    await writeTables(await templateTables(randomUUID()), output);
    stdout.write(`${output}\n`);
  },
});
