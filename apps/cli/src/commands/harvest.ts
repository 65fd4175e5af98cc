import { join } from 'node:path';
import { parseBaseUrl, RequestError } from '@archiefkast/client';
import {
  assertSameWalk,
  type HarvestReport,
  HarvestStore,
  type HarvestWay,
  harvest,
  removeStore,
  STORE_FILE,
} from '@archiefkast/client/node';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type FileOptions, inWritingOrder } from '../formats/formats.ts';
import { createFileWriter } from '../formats/write-files.ts';
import { needsSupplement, readProof, WITHOUT_SUPPLEMENT, writeProof } from '../proof/proof.ts';
import { counted } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import { type ConnectionSettings, clientOptions } from './connection.ts';
import { DEFAULT_FORMATS, exportHarvest, warnOn } from './export.ts';
import { createHarvestProgress, type HarvestProgress, type TalkSettings } from './harvest-progress.ts';

/** Settings of a harvest. */
export interface HarvestSettings extends ConnectionSettings, TalkSettings, FileOptions {
  kinds: readonly Kind[];
  out: string;
  /** Names of formats; CSV by default. */
  format?: readonly string[] | undefined;
  /** Overwrite files that archive-cli did not write. */
  force: boolean;
  /** Pages of a kind to request in parallel. */
  concurrency: number;
  /** Whether to read pages or dumps. */
  from?: HarvestWay | undefined;
}

/** Minimum of parallel requests over all kinds. */
const LEAST_CONCURRENCY = 4;

/** Parallel requests of a harvest: of each kind, and in total. */
export function harvestConcurrency({ concurrency }: Pick<HarvestSettings, 'concurrency'>) {
  return { pagesAtOnce: concurrency, concurrency: Math.max(LEAST_CONCURRENCY, concurrency) };
}

/** Runs a harvest or an update, and reports how it ended. */
export async function runHarvest(
  context: CommandContext,
  talk: TalkSettings,
  work: (progress: HarvestProgress) => Promise<ExitCode>,
): Promise<ExitCode> {
  const progress = createHarvestProgress(context, talk);
  try {
    return await work(progress);
  } catch (error) {
    progress.clear();
    if (context.signal.aborted) {
      progress.say('Interrupted. Run the same command again to resume.');
      return EXIT.interrupted;
    }
    if (!progress.hasPages() || !(error instanceof RequestError && error.isPassing)) throw error;
    context.stderr.write(`archive-cli: ${error.message}\nRun the same command again to resume.\n`);
    return EXIT.incomplete;
  } finally {
    progress.clear();
  }
}

/** `archive-cli harvest`: downloads an archive to a folder, and proves that it is complete. */
export async function harvestCommand(
  context: CommandContext,
  settings: HarvestSettings,
  progress: HarvestProgress,
): Promise<ExitCode> {
  const { kinds, out, format = DEFAULT_FORMATS, bom, both, html, force } = settings;
  const path = join(out, STORE_FILE);
  const options = await clientOptions(context, settings);
  // An invalid base URL must not create a folder.
  const source = parseBaseUrl(options.baseUrl);
  const proof = await readProof(out);
  if (proof?.complete) {
    const asked = { source, language: options.language, kinds };
    assertSameWalk(out, { ...proof, kinds: proof.kinds.map(({ kind }) => kind) }, asked);
    await exportHarvest(context, { folder: out, format, bom, both, html, force }, proof);
    progress.say(`${out} already contains this harvest, complete. To update it: harvest --update ${out}`);
    return EXIT.done;
  }
  const written = { formats: inWritingOrder(format), bom, both, html };
  const writer = await createFileWriter({
    ...written,
    folder: out,
    proven: [...(proof?.files ?? []), ...filesOf(path)],
    force,
    warn: warnOn(context.stderr),
    signal: context.signal,
  });
  await writer.check(kinds);
  if (proof) {
    progress.say(`The harvest in ${out} is not complete; starting again.`);
    await removeStore(path);
  }

  const report = await harvest({
    ...options,
    ...harvestConcurrency(settings),
    path,
    kinds,
    from: settings.from,
    onEvent: progress.onEvent,
  });
  const { checkHarvest, proveHarvest, writeHarvest } = await import('./finish-harvest.ts');
  const { checked, files, hasSupplement } = await withStore(path, async (store) => {
    const found = await checkHarvest(options, store, report);
    const files = await writeHarvest(writer, store, found);
    return { checked: found, files, hasSupplement: store.text('supplement') !== undefined };
  });
  const made = await proveHarvest(out, report, checked, files, written);
  await writeProof(out, made);
  progress.clear();
  const { complete, published_as } = made;
  if (settings.json) context.stdout.write(`${JSON.stringify({ type: 'report', complete, ...report })}\n`);
  if (checked.problems.length > 0) return reportProblems(context, checked.problems);
  if (!complete) {
    reportMoves(context, report, 'the files contain what it served');
    return EXIT.moved;
  }
  if (!hasSupplement && needsSupplement(kinds)) progress.say(`${WITHOUT_SUPPLEMENT}.`);
  const records = report.kinds.reduce((rows, kind) => rows + kind.rows, 0);
  progress.say(`Complete: ${counted(records, 'record')} in ${out}.`);
  if (published_as) progress.say(`Every byte matches what the archive published as edition ${published_as}.`);
  return EXIT.done;
}

/** The files that were written from a store, if it exists. */
export function filesOf(path: string): HarvestStore['files'] {
  using store = HarvestStore.read(path);
  return store?.files ?? [];
}

/** Runs work with a store that is open for writing; afterwards it is one file. */
export async function withStore<Result>(
  path: string,
  work: (store: HarvestStore) => Promise<Result>,
): Promise<Result> {
  using store = HarvestStore.open(path);
  return await work(store);
}

/** Prints the problems of a harvest. */
export function reportProblems({ stderr }: CommandContext, problems: readonly string[]): ExitCode {
  stderr.write('archive-cli: the harvest is complete, but its records have problems:\n');
  for (const problem of problems) stderr.write(`  ${problem}\n`);
  return EXIT.failed;
}

/** Prints what changed in the archive during a harvest. */
export function reportMoves(
  { stderr }: CommandContext,
  { kinds, moved }: HarvestReport,
  consequence: string,
): void {
  const sentences = kinds.flatMap((kind) => kind.moved.map((what) => `${COLLECTIONS[kind.kind]}: ${what}`));
  stderr.write(`archive-cli: the archive changed during the harvest, twice; ${consequence}:\n`);
  for (const sentence of [...sentences, ...moved]) stderr.write(`  ${sentence}\n`);
}
