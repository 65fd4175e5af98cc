import { join } from 'node:path';
import { JOURNAL_FOLDER } from '@archiefkast/client/node';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { FileOptions } from '../formats/format.ts';
import { createHarvestSource } from '../formats/harvest-source.ts';
import { loadFormats } from '../formats/registry.ts';
import { streamFile } from '../formats/stream-file.ts';
import type { Proof } from '../proof/proof-file.ts';
import { type CommandContext, UsageError } from './command-context.ts';
import { warnOn } from './warn-on.ts';

/** What `archive-cli export --out -` is told. */
export interface StdoutSettings extends FileOptions {
  folder: string;
  /** The name of one format. */
  format: readonly string[];
  /** The file of the format, where it has several. */
  file?: string | undefined;
}

/**
 * `archive-cli export <folder> --out -`: writes one file of a harvest to the standard output, and none to the disk.
 *
 * @throws UsageError when it is not clear which
 */
export async function exportToStdout(
  { stdout, stderr, signal }: Pick<CommandContext, 'stdout' | 'stderr' | 'signal'>,
  { folder, format, file, ...options }: StdoutSettings,
  proof: Proof,
): Promise<ExitCode> {
  const [name, ...others] = format;
  if (name === undefined || others.length > 0) throw new UsageError('--out -: expected one --format');
  const source = createHarvestSource(
    join(folder, JOURNAL_FOLDER),
    proof.kinds.map(({ kind }) => kind),
  );
  const [only] = await loadFormats([name]);
  const files = only?.files(source, { ...options, warn: warnOn(stderr) }) ?? [];
  const found = file === undefined && files.length === 1 ? files[0] : files.find((one) => one.name === file);
  if (!found) {
    const names = files.map((one) => one.name).join(', ');
    throw new UsageError(`--out -: ${name} has several files; expected --file and one of ${names}`);
  }
  await streamFile(found, stdout, signal);
  return EXIT.done;
}
