import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { FolderError, JOURNAL_FOLDER } from '@archiefkast/client/node';
import { type Output, withTemporaryFolder } from '@archiefkast/system';
import { UsageError } from '@archiefkast/system/command-line';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { FileOptions, FormatFile } from '../formats/format.ts';
import { createHarvestSource } from '../formats/harvest-source.ts';
import { createOwnFiles } from '../formats/own-files.ts';
import { planFormats } from '../formats/plan-files.ts';
import { piecesOf } from '../formats/produce-files.ts';
import { loadFormats } from '../formats/registry.ts';
import { writeFiles } from '../formats/write-files.ts';
import { formatsOf, type Proof, readProof, withFiles, writeProof } from '../proof/proof-file.ts';
import type { CommandContext } from './command-context.ts';

/** Arguments of `archive-cli export` to a folder. */
export interface ExportSettings extends FileOptions {
  folder: string;
  /** Names of formats; CSV by default. */
  format?: readonly string[] | undefined;
  /** Overwrite files that archive-cli did not write. */
  force: boolean;
}

/** Arguments of `archive-cli export` to stdout. */
interface ExportOutput {
  /** `-` for stdout. */
  out?: string | undefined;
  /** Name of the file, if the format has several. */
  file?: string | undefined;
}

/** Creates the function that prints warnings to stderr. */
export function warnOn(stderr: CommandContext['stderr']): (sentence: string) => void {
  return (sentence) => stderr.write(`archive-cli: ${sentence}\n`);
}

/** `archive-cli export <folder>`: writes a harvest in more formats, without requests to the server. */
export async function exportCommand(
  context: CommandContext,
  { out, file, ...settings }: ExportSettings & ExportOutput,
): Promise<ExitCode> {
  if (file !== undefined && out === undefined) throw new UsageError('--file: expected only with --out -');
  if (out !== undefined && out !== '-') {
    throw new UsageError(
      '--out: expected - for stdout; other files are written to the folder of the harvest',
    );
  }
  const proof = await readProof(settings.folder);
  if (!proof) {
    throw new FolderError(
      `${settings.folder} contains no finished harvest; run the harvest command to finish it`,
    );
  }
  if (out === '-') {
    const { folder, format = DEFAULT_FORMATS, bom, both, html } = settings;
    return exportToStdout(context, { folder, format, file, bom, both, html }, proof);
  }
  const files = await exportHarvest(context, settings, proof);
  context.stdout.write(files.map(({ name }) => `${join(settings.folder, name)}\n`).join(''));
  return EXIT.done;
}

/** The formats that are written by default. */
export const DEFAULT_FORMATS: readonly string[] = ['csv'];

/** Writes a finished harvest in some formats, and adds them to its proof. */
export async function exportHarvest(
  { signal, stderr }: Pick<CommandContext, 'signal' | 'stderr'>,
  { folder, format = DEFAULT_FORMATS, force, ...options }: ExportSettings,
  proof: Proof,
) {
  const kinds = proof.kinds.map(({ kind }) => kind);
  const plan = await planFormats(format, options, warnOn(stderr), formatsOf(proof));
  const files = plan.files(createHarvestSource(join(folder, JOURNAL_FOLDER), kinds), folder);
  const own = createOwnFiles({ folder, proven: proof.files, force });
  const names = files.map(({ name }) => name);
  await own.check(names, [files]);
  const written = await writeFiles(folder, files, own, signal);
  const all = new Set([...formatsOf(proof), ...plan.formats]);
  await writeProof(folder, {
    ...withFiles(proof, written),
    formats: [...all],
    bom: plan.bom,
    both: plan.both,
    html: plan.html,
  });
  return written;
}

/** Arguments of `archive-cli export --out -`. */
interface StdoutSettings extends FileOptions {
  folder: string;
  /** Name of one format. */
  format: readonly string[];
  /** Name of the file, if the format has several. */
  file?: string | undefined;
}

/**
 * `archive-cli export <folder> --out -`: writes one file of a harvest to stdout.
 *
 * @throws UsageError if the file is ambiguous
 */
async function exportToStdout(
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

/** Writes a file of a format to a stream, through a temporary folder if the format needs a path. */
async function streamFile(file: FormatFile, output: Output, signal: AbortSignal): Promise<void> {
  if (!('make' in file)) {
    for await (const { parts } of piecesOf([file])) {
      signal.throwIfAborted();
      // Copied: the buffer is reused for the next parts while the stream may still be writing.
      for (const part of parts) output.write(typeof part === 'string' ? part : Buffer.from(part));
    }
    return;
  }
  await withTemporaryFolder('archive-cli-', async (folder) => {
    const path = join(folder, file.name);
    await file.make(path);
    for await (const chunk of createReadStream(path)) {
      signal.throwIfAborted();
      output.write(chunk);
    }
  });
}
