import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError, harvest, JOURNAL_FOLDER, readWalkFile, UPDATE_FOLDER } from '@archive/client/node';
import { printChanges, type ReportFormat } from '../diff/print-changes.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { FORMATS, type Format } from '../formats/export-kind.ts';
import { writeFormats } from '../formats/write-formats.ts';
import { isComplete, makeProof } from '../proof/make-proof.ts';
import { type Proof, readProof, writeProof } from '../proof/proof-file.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { collectChanges } from './diff.ts';
import { type HarvestSettings, harvestConcurrency, reportMoves } from './harvest.ts';
import type { HarvestProgress } from './harvest-progress.ts';

/** Where the journals of the harvest that was replaced lie while it is. */
const OLD_FOLDER = '.journal-old';

/**
 * `archive-cli harvest --update <folder>`: walks the archive again, asking only for pages that changed where the
 * server can tell, says what changed, and brings the files up to date. The old harvest stays whole until the new
 * one is complete.
 */
export async function updateHarvest(
  context: CommandContext,
  settings: Omit<HarvestSettings, 'kinds' | 'out' | 'formats'> & { folder: string; report: ReportFormat },
  progress: HarvestProgress,
): Promise<ExitCode> {
  const { folder, bom } = settings;
  const held = join(folder, JOURNAL_FOLDER);
  const fresh = join(folder, UPDATE_FOLDER);
  await undoSwap(folder);
  const proof = await readProof(folder);
  const walk = await readWalkFile(held);
  if (!proof || !walk) throw new FolderError(`${folder} holds no finished harvest; harvest into it first`);

  const { kinds, source: baseUrl, language: lang } = walk;
  const report = await harvest({
    ...(await clientOptions(context, { ...settings, baseUrl, lang })),
    ...harvestConcurrency(settings),
    journalFolder: fresh,
    heldFolder: held,
    kinds,
    onEvent: progress.onEvent,
  });
  progress.clear();
  if (!isComplete(report)) {
    await rm(fresh, { recursive: true });
    reportMoves(context, report, 'the harvest was left as it was');
    return EXIT.moved;
  }
  const changes = await collectChanges(held, fresh);
  if (settings.json) {
    for (const change of changes) {
      context.stdout.write(`${JSON.stringify({ type: 'change', ...change })}\n`);
    }
  } else printChanges(context, changes, settings.report);
  const files = await writeFormats(kinds, formatsOf(proof), {
    journalFolder: fresh,
    folder,
    bom,
    signal: context.signal,
  });
  await rename(held, join(folder, OLD_FOLDER));
  await rename(fresh, held);
  await writeProof(folder, await makeProof(folder, report, files));
  await rm(join(folder, OLD_FOLDER), { recursive: true });
  return EXIT.done;
}

/** Puts the journals in their places after an update that was killed while it replaced them. */
async function undoSwap(folder: string): Promise<void> {
  const old = join(folder, OLD_FOLDER);
  if (!(await exists(old))) return;
  if (await exists(join(folder, JOURNAL_FOLDER))) await rm(old, { recursive: true });
  else await rename(old, join(folder, JOURNAL_FOLDER));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The formats that a harvest was written in. */
function formatsOf({ files }: Proof): Format[] {
  return FORMATS.filter((format) => files.some(({ name }) => name.endsWith(`.${format}`)));
}
