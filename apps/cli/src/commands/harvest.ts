import { join } from 'node:path';
import {
  type ClientOptions,
  createClient,
  parseBaseUrl,
  RequestError,
  type ServedManifest,
} from '@archiefkast/client';
import {
  assertSameWalk,
  type HarvestReport,
  HarvestStore,
  type HarvestWay,
  harvest,
  removeStore,
  STORE_FILE,
  takeSupplement,
} from '@archiefkast/client/node';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { DEFAULT_FORMATS, type FileOptions, inWritingOrder } from '../formats/formats.ts';
import { createHarvestSource } from '../formats/source.ts';
import { createFileWriter, type FileProof, type FileWriter, fileProof } from '../formats/write-files.ts';
import { storeArchiveWords } from '../proof/archive-words.ts';
import {
  compareManifest,
  isUnmoved,
  MANIFEST_FILE,
  makeProof,
  needsSupplement,
  type Proof,
  readProof,
  WITHOUT_SUPPLEMENT,
  writeProof,
} from '../proof/proof.ts';
import { resolveReferences } from '../proof/references.ts';
import { counted } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import { type ConnectionSettings, clientOptions } from './connection.ts';
import { createHarvestProgress, type HarvestProgress, type TalkSettings } from './progress.ts';

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
    const { exportHarvest } = await import('./export.ts');
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
    stderr: context.stderr,
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
  const { checked, files, hasSupplement } = await withStore(path, async (store) => {
    const found = await checkHarvest(options, store, report);
    const files = await writeHarvest(writer, store, found);
    return { checked: found, files, hasSupplement: store.text('supplement') !== undefined };
  });
  const made = await proveHarvest(context, out, report, checked, files, written);
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

/** A harvest with the result of its checks. */
interface CheckedHarvest {
  /** Manifest of the same edition that lists all kinds, if the archive offers one. */
  served: ServedManifest | undefined;
  /** Problems, as sentences. */
  problems: string[];
}

/**
 * Checks a harvest: its references, and the hashes in the manifest. Stores what the archive says of itself, and what its
 * records cannot say.
 *
 * @param held store of the harvest that is updated
 */
export async function checkHarvest(
  options: ClientOptions,
  store: HarvestStore,
  report: HarvestReport,
  held?: HarvestStore,
): Promise<CheckedHarvest> {
  const edition = report.servedEdition;
  const served = isUnmoved(report) && edition !== null ? await findManifest(options, edition) : undefined;
  if (edition !== null) {
    const ask = (language: typeof report.language) => createClient({ ...options, language }).index(edition);
    await storeArchiveWords(store, report.language, ask, held);
  }
  if (served) await takeSupplement(options, served, store);
  const { kinds, records } = createHarvestSource(store);
  const differences = served && compareManifest(served.manifest, store, kinds);
  const { unresolved } = await resolveReferences(kinds, records);
  return { served: differences && served, problems: [...unresolved, ...(differences ?? [])] };
}

/** Fetches the manifest of an edition; undefined if the archive offers none. */
async function findManifest(options: ClientOptions, edition: string): Promise<ServedManifest | undefined> {
  const served = await createClient(options).manifest(edition);
  return served && String(served.manifest.edition.id) === edition ? served : undefined;
}

/** Writes the files of a harvest. */
export async function writeHarvest(
  writer: FileWriter,
  store: HarvestStore,
  { served }: CheckedHarvest,
): Promise<FileProof[]> {
  // Without a manifest, that of an earlier edition is removed.
  const more = { [MANIFEST_FILE]: served?.text };
  return await writer.write(createHarvestSource(store), more, (files) => store.addFiles(files));
}

/** Creates the proof of a harvest whose store is closed, and in its folder. */
export async function proveHarvest(
  { version }: CommandContext,
  folder: string,
  report: HarvestReport,
  { served, problems }: CheckedHarvest,
  files: readonly FileProof[],
  written: FileOptions & { formats: string[] },
): Promise<Proof> {
  const published_as = served && problems.length === 0 ? String(served.manifest.edition.id) : null;
  const all = [...files, await fileProof(join(folder, STORE_FILE), STORE_FILE)];
  return makeProof(version, report, all, { ...written, problems, published_as });
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
