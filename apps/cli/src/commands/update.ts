import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FolderError,
  HarvestStore,
  harvest,
  removeStore,
  STORE_FILE,
  UPDATE_FILE,
} from '@archiefkast/client/node';
import { collectChanges } from '../diff/diff-stores.ts';
import { printChanges } from '../diff/print-changes.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { inWritingOrder } from '../formats/formats.ts';
import { createFileWriter } from '../formats/write-files.ts';
import { isUnmoved, readProof, writeProof } from '../proof/proof.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import {
  checkHarvest,
  filesOf,
  type HarvestSettings,
  harvestConcurrency,
  proveHarvest,
  reportMoves,
  reportProblems,
  withStore,
  writeHarvest,
} from './harvest.ts';
import type { ReportFormat } from './options.ts';
import type { HarvestProgress } from './progress.ts';

/** Settings of an update. */
export interface UpdateSettings extends Omit<HarvestSettings, 'kinds' | 'out'> {
  folder: string;
  report: ReportFormat;
}

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
  const [current, fresh] = [join(folder, STORE_FILE), join(folder, UPDATE_FILE)];
  const proof = await readProof(folder);
  using held = HarvestStore.read(current);
  if (!proof || !held?.walk)
    throw new FolderError(`${folder} contains no finished harvest; harvest into it first`);

  const { kinds, source: baseUrl, language: lang } = held.walk;
  const written = {
    formats: inWritingOrder([...proof.formats, ...(settings.format ?? [])]),
    bom: settings.bom || proof.bom,
    both: settings.both || proof.both,
    html: settings.html || proof.html,
  };
  const writer = await createFileWriter({
    ...written,
    folder,
    proven: [...proof.files, ...held.files, ...filesOf(fresh)],
    force: settings.force,
    stderr: context.stderr,
    signal: context.signal,
  });
  await writer.check(kinds);

  const options = await clientOptions(context, { ...settings, baseUrl, lang });
  const since = proof.published_as ?? proof.edition ?? undefined;
  const report = await harvest({
    ...options,
    ...harvestConcurrency(settings),
    path: fresh,
    heldPath: current,
    kinds,
    from: settings.from ?? (since === undefined ? 'pages' : 'changes'),
    since,
    onEvent: progress.onEvent,
  });
  progress.clear();
  const left = 'the harvest was left unchanged';
  if (!isUnmoved(report)) {
    await removeStore(fresh);
    reportMoves(context, report, left);
    return EXIT.moved;
  }
  const { checked, files } = await withStore(fresh, async (store) => {
    const found = await checkHarvest(options, store, report, held);
    if (found.problems.length > 0) return { checked: found, files: [] };
    const changes = collectChanges(held, store);
    if (settings.json)
      for (const change of changes)
        context.stdout.write(`${JSON.stringify({ type: 'change', ...change })}\n`);
    else await printChanges(context, changes, settings.report);
    store.addFiles(held.files);
    return { checked: found, files: await writeHarvest(writer, store, found) };
  });
  if (checked.problems.length > 0) {
    await removeStore(fresh);
    return reportProblems(context, [...checked.problems, left]);
  }
  // A file that is open cannot be replaced everywhere.
  held[Symbol.dispose]();
  await rename(fresh, current);
  await writeProof(folder, await proveHarvest(context, folder, report, checked, files, written));
  return EXIT.done;
}
