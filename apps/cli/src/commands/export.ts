import { join } from 'node:path';
import { FolderError, JOURNAL_FOLDER } from '@archiefkast/client/node';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { FileOptions } from '../formats/format.ts';
import { createHarvestSource } from '../formats/harvest-source.ts';
import { createOwnFiles } from '../formats/own-files.ts';
import { planFormats } from '../formats/plan-files.ts';
import { writeFiles } from '../formats/write-files.ts';
import { formatsOf, type Proof, readProof, withFiles, writeProof } from '../proof/proof-file.ts';
import { type CommandContext, UsageError } from './command-context.ts';
import { exportToStdout } from './export-to-stdout.ts';
import { warnOn } from './warn-on.ts';

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
