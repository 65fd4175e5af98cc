import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError, harvest, JOURNAL_FOLDER, readWalkFile, UPDATE_FOLDER } from '@archiefkast/client/node';
import { printChanges } from '../diff/print-changes.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { inWritingOrder } from '../formats/formats.ts';
import { createFileWriter } from '../formats/write-files.ts';
import { gatherContents } from '../proof/kind-content.ts';
import { isComplete } from '../proof/make-proof.ts';
import { formatsOf, readProof, writeProof } from '../proof/proof-file.ts';
import type { ReportFormat } from './choices.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { collectChanges } from './diff.ts';
import { warnOn } from './export.ts';
import { checkHarvest, writeHarvest } from './finish-harvest.ts';
import {
  checkInTheWay,
  type HarvestSettings,
  harvestConcurrency,
  reportMoves,
  reportProblems,
} from './harvest.ts';
import type { HarvestProgress } from './harvest-progress.ts';

/** Settings of an update. */
export interface UpdateSettings extends Omit<HarvestSettings, 'kinds' | 'out'> {
  folder: string;
  report: ReportFormat;
}

/** Folder of the old journals while they are replaced. */
const OLD_FOLDER = '.journal-old';

/**
 * `archive-cli harvest --update <folder>`: fetches the changes if the archive offers them, else walks it
 * again with conditional requests; prints the changes and updates the files. The old harvest stays intact until the new one
 * is complete.
 */
export async function updateHarvest(
  context: CommandContext,
  settings: UpdateSettings,
  progress: HarvestProgress,
): Promise<ExitCode> {
  const { folder } = settings;
  const current = join(folder, JOURNAL_FOLDER);
  const fresh = join(folder, UPDATE_FOLDER);
  await undoSwap(folder);
  const proof = await readProof(folder);
  const walk = await readWalkFile(current);
  if (!proof || !walk) throw new FolderError(`${folder} contains no finished harvest; harvest into it first`);

  const { kinds, source: baseUrl, language: lang } = walk;
  const written = {
    formats: inWritingOrder([...formatsOf(proof), ...(settings.format ?? [])]),
    bom: settings.bom || (proof.bom ?? false),
    both: settings.both || (proof.both ?? false),
    html: settings.html || (proof.html ?? false),
  };
  const writer = await createFileWriter({
    ...written,
    folder,
    proven: proof.files,
    force: settings.force,
    warn: warnOn(context.stderr),
    signal: context.signal,
  });
  await checkInTheWay(writer, kinds, [fresh, current]);

  const options = await clientOptions(context, { ...settings, baseUrl, lang });
  const { contents, watchRecords } = gatherContents(kinds);
  const since = proof.published_as ?? proof.edition ?? undefined;
  const report = await harvest({
    ...options,
    ...harvestConcurrency(settings),
    journalFolder: fresh,
    heldFolder: current,
    kinds,
    from: settings.from ?? (since === undefined ? 'pages' : 'changes'),
    since,
    watchRecords,
    onEvent: progress.onEvent,
  });
  progress.clear();
  const left = 'the harvest was left unchanged';
  if (!isComplete(report)) {
    await rm(fresh, { recursive: true });
    reportMoves(context, report, left);
    return EXIT.moved;
  }
  const checked = await checkHarvest({
    folder,
    journalFolder: fresh,
    report,
    contents,
    writer,
    written,
    options,
  });
  if (checked.problems.length > 0) {
    await rm(fresh, { recursive: true });
    return reportProblems(context, [...checked.problems, left]);
  }
  const changes = await collectChanges(current, fresh);
  if (settings.json) {
    for (const change of changes) {
      context.stdout.write(`${JSON.stringify({ type: 'change', ...change })}\n`);
    }
  } else await printChanges(context, changes, settings.report);
  const made = await writeHarvest(checked);
  await rename(current, join(folder, OLD_FOLDER));
  await rename(fresh, current);
  await writeProof(folder, made);
  await rm(join(folder, OLD_FOLDER), { recursive: true });
  return EXIT.done;
}

/** Restores the journals after an update that was killed while it replaced them. */
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
