import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBaseUrl } from '@archive/client';
import { assertSameWalk, type HarvestReport, harvest, JOURNAL_FOLDER } from '@archive/client/node';
import { COLLECTIONS, type Kind } from '@archive/types';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Format } from '../formats/export-kind.ts';
import { writeFormats } from '../formats/write-formats.ts';
import { isComplete, makeProof } from '../proof/make-proof.ts';
import { readProof, writeProof } from '../proof/proof-file.ts';
import { counted } from '../terminal/numbers.ts';
import type { CommandContext } from './command-context.ts';
import { type ConnectionSettings, clientOptions } from './connection.ts';
import { exportHarvest } from './export.ts';
import { createHarvestProgress, type HarvestProgress, type TalkSettings } from './harvest-progress.ts';
import { isPassing } from './is-passing.ts';

/** What `archive-cli harvest` is told. */
export interface HarvestSettings extends ConnectionSettings, TalkSettings {
  kinds: readonly Kind[];
  out: string;
  formats: readonly Format[];
  bom: boolean;
  /** Pages of one kind under way at once. */
  concurrency: number;
}

/** Requests under way at once, of all kinds together, where one kind asks for fewer. */
const LEAST_CONCURRENCY = 4;

/** How many requests a harvest has under way. */
export function harvestConcurrency({ concurrency }: Pick<HarvestSettings, 'concurrency'>) {
  return { pagesAtOnce: concurrency, concurrency: Math.max(LEAST_CONCURRENCY, concurrency) };
}

/** Runs a harvest or an update, and says how it ended. */
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
      progress.say('Interrupted. The same command goes on where this one stopped.');
      return EXIT.interrupted;
    }
    if (!progress.hasPages() || !isPassing(error)) throw error;
    context.stderr.write(`archive-cli: ${error.message}\nThe same command goes on where this one stopped.\n`);
    return EXIT.incomplete;
  } finally {
    progress.clear();
  }
}

/** `archive-cli harvest`: walks an archive into a folder, and proves that nothing is missing. */
export async function harvestCommand(
  context: CommandContext,
  settings: HarvestSettings,
  progress: HarvestProgress,
): Promise<ExitCode> {
  const { kinds, out, formats, bom } = settings;
  const journalFolder = join(out, JOURNAL_FOLDER);
  const options = await clientOptions(context, settings);
  const proof = await readProof(out);
  if (proof?.complete) {
    const asked = { source: parseBaseUrl(options.baseUrl), language: settings.lang, kinds };
    assertSameWalk(out, { ...proof, kinds: proof.kinds.map(({ kind }) => kind) }, asked);
    await exportHarvest(context, { folder: out, formats, bom }, proof);
    progress.say(`${out} holds this harvest already, complete. To look for changes: harvest --update ${out}`);
    return EXIT.done;
  }
  if (proof) {
    progress.say(`The archive moved during the harvest that ${out} holds; beginning again.`);
    await rm(journalFolder, { recursive: true });
  }

  await mkdir(out, { recursive: true });
  const report = await harvest({
    ...options,
    ...harvestConcurrency(settings),
    journalFolder,
    kinds,
    onEvent: progress.onEvent,
  });
  const { signal } = context;
  const files = await writeFormats(kinds, formats, { journalFolder, folder: out, bom, signal });
  await writeProof(out, await makeProof(out, report, files));
  progress.clear();
  const complete = isComplete(report);
  if (settings.json) context.stdout.write(`${JSON.stringify({ type: 'report', complete, ...report })}\n`);
  if (!complete) {
    reportMoves(context, report, 'the files hold what it served');
    return EXIT.moved;
  }
  const records = report.kinds.reduce((rows, kind) => rows + kind.rows, 0);
  progress.say(`Complete: ${counted(records, 'record')} in ${out}.`);
  return EXIT.done;
}

/** Says what moved. */
export function reportMoves(
  { stderr }: CommandContext,
  { kinds, moved }: HarvestReport,
  consequence: string,
): void {
  const sentences = kinds.flatMap((kind) => kind.moved.map((what) => `${COLLECTIONS[kind.kind]}: ${what}`));
  stderr.write(`archive-cli: the archive moved while it was harvested, twice; ${consequence}:\n`);
  for (const sentence of [...sentences, ...moved]) stderr.write(`  ${sentence}\n`);
}
