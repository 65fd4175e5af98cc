import { join } from 'node:path';
import { FolderError, JOURNAL_FOLDER } from '@archive/client/node';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Format } from '../formats/export-kind.ts';
import { writeFormats } from '../formats/write-formats.ts';
import { type Proof, readProof, withFiles, writeProof } from '../proof/proof-file.ts';
import type { CommandContext } from './command-context.ts';

/** What `archive-cli export` is told. */
export interface ExportSettings {
  folder: string;
  formats: readonly Format[];
  bom: boolean;
}

/** `archive-cli export <folder>`: makes more formats from a harvest, without asking the server. */
export async function exportCommand(context: CommandContext, settings: ExportSettings): Promise<ExitCode> {
  const proof = await readProof(settings.folder);
  if (!proof) {
    throw new FolderError(`${settings.folder} holds no finished harvest; the harvest command finishes it`);
  }
  const files = await exportHarvest(context, settings, proof);
  context.stdout.write(files.map(({ name }) => `${join(settings.folder, name)}\n`).join(''));
  return EXIT.done;
}

/** Writes the formats of a finished harvest, and adds them to its proof. */
export async function exportHarvest(
  { signal }: Pick<CommandContext, 'signal'>,
  { folder, formats, bom }: ExportSettings,
  proof: Proof,
) {
  const kinds = proof.kinds.map(({ kind }) => kind);
  const journalFolder = join(folder, JOURNAL_FOLDER);
  const files = await writeFormats(kinds, formats, { journalFolder, folder, bom, signal });
  await writeProof(folder, withFiles(proof, files));
  return files;
}
