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

/** What `archive-cli export` is told. */
export interface ExportSettings extends FileOptions {
  folder: string;
  /** The names of the formats; CSV without. */
  format?: readonly string[] | undefined;
  /** Write over files that archive-cli has not written. */
  force: boolean;
}

/** Where `archive-cli export` writes to, when it is not the folder. */
interface ExportOutput {
  /** `-`: the standard output. */
  out?: string | undefined;
  /** The file of a format that has several. */
  file?: string | undefined;
}

/** Says on the standard error what a file does not hold. */
export function warnOn(stderr: CommandContext['stderr']): (sentence: string) => void {
  return (sentence) => stderr.write(`archive-cli: ${sentence}\n`);
}

/** `archive-cli export <folder>`: makes more formats from a harvest, without asking the server. */
export async function exportCommand(
  context: CommandContext,
  { out, file, ...settings }: ExportSettings & ExportOutput,
): Promise<ExitCode> {
  if (file !== undefined && out === undefined) throw new UsageError('--file: expected only with --out -');
  if (out !== undefined && out !== '-') {
    throw new UsageError(
      '--out: expected - for the standard output; files go into the folder of the harvest',
    );
  }
  const proof = await readProof(settings.folder);
  if (!proof) {
    throw new FolderError(`${settings.folder} holds no finished harvest; the harvest command finishes it`);
  }
  if (out === '-') {
    const { folder, format = DEFAULT_FORMATS, bom, both, html } = settings;
    return exportToStdout(context, { folder, format, file, bom, both, html }, proof);
  }
  const files = await exportHarvest(context, settings, proof);
  context.stdout.write(files.map(({ name }) => `${join(settings.folder, name)}\n`).join(''));
  return EXIT.done;
}

/** What is written when nothing is asked for. */
export const DEFAULT_FORMATS: readonly string[] = ['csv'];

/** Writes the formats of a finished harvest, and adds them to its proof. */
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

/** What `archive-cli export --out -` is told. */
interface StdoutSettings extends FileOptions {
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

/** Writes a file of a format to a stream; one that is made at a path is made in a folder of its own first. */
async function streamFile(file: FormatFile, output: Output, signal: AbortSignal): Promise<void> {
  if (!('make' in file)) {
    for await (const { parts } of piecesOf([file])) {
      signal.throwIfAborted();
      // What writes may still be at it when the next parts are asked for.
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
