import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientOptions, RequestError } from '@archiefkast/client';
import { parseBaseUrl } from '@archiefkast/client/internal';
import { assertSameWalk, isUnmoved, removeStore, STORE_FILE } from '@archiefkast/client/internal/node';
import { FolderError, type HarvestReport, HarvestStore, harvest, type Walk } from '@archiefkast/client/node';
import { counted, UsageError } from '@archiefkast/system';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types/kinds';
import { type Change, collectChanges } from '../diff/diff-stores.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { DEFAULT_FORMATS, joinFormats, type WrittenFormats, withOptions } from '../formats/formats.ts';
import { HarvestSource } from '../formats/source.ts';
import { FileWriter, fileProof } from '../formats/write-files.ts';
import {
  lacksSupplement,
  MANIFEST_FILE,
  makeProof,
  type Proof,
  readProof,
  WITHOUT_SUPPLEMENT,
  writeProof,
} from '../proof/proof.ts';
import { resolveReferences } from '../proof/references.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { checkRules, type HarvestSettings, parseKind, RULES } from './options.ts';
import { createHarvestProgress, type HarvestProgress } from './progress.ts';

/** Name of the store of a running update. */
const UPDATE_FILE = 'harvest-update.sqlite';

interface Running {
  context: CommandContext;
  settings: HarvestSettings;
  progress: HarvestProgress;
}

/**
 * `archive-cli harvest`: downloads an archive to a folder, and proves that it is complete; or updates a harvest, or
 * estimates one.
 *
 * @throws UsageError if options exclude each other
 */
export async function command(context: CommandContext, settings: HarvestSettings): Promise<ExitCode> {
  const { out, update, dryRun: isDryRun, kinds: names = [] } = settings;
  const asked = names.map(parseKind);
  const kinds = KINDS.filter((kind) => asked.length === 0 || asked.includes(kind));
  if (isDryRun) return (await import('./dry-run.ts')).dryRun(context, settings, kinds);
  refuse(out === '-', '--out -: expected a folder; to write one file to stdout, use archive-cli export');
  const progress = createHarvestProgress(context, settings);
  try {
    const running = { context, settings, progress };
    if (update !== undefined) return await updateFolder(running, update);
    if (out === undefined) throw new UsageError('--out: expected the folder to write to');
    return await harvestFolder(running, out, kinds);
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

function refuse(isWrong: boolean, why: string): void {
  if (isWrong) throw new UsageError(why);
}

/** Rejects options of an update that differ from those of the harvest. */
function refuseOtherWalk(folder: string, walk: Walk, { kinds = [], lang, baseUrl }: HarvestSettings): void {
  const keeps = (what: string) => `--update keeps the ${what} of the harvest in ${folder}`;
  const isOther = kinds.map(parseKind).toSorted().join() !== walk.kinds.toSorted().join();
  refuse(kinds.length > 0 && isOther, `${keeps('kinds')}: ${walk.kinds.join(', ')}`);
  refuse(lang !== undefined && lang !== walk.language, `--lang: ${keeps('language')}: ${walk.language}`);
  const isElsewhere = baseUrl !== undefined && parseBaseUrl(baseUrl) !== walk.source;
  refuse(isElsewhere, `--base-url: ${keeps('address')}: ${walk.source}`);
}

async function harvestFolder(running: Running, folder: string, kinds: readonly Kind[]): Promise<ExitCode> {
  const { context, settings, progress } = running;
  const { format = DEFAULT_FORMATS, bom, both, html, force } = settings;
  const options = await clientOptions(context, settings);
  // An invalid base URL must not create a folder.
  const source = parseBaseUrl(options.baseUrl);
  const proof = await readProof(folder);
  if (proof?.complete) {
    const asked = { source, language: options.language, kinds: [...kinds] };
    assertSameWalk(folder, { ...proof, kinds: proof.kinds.map(({ kind }) => kind) }, asked);
    const { exportHarvest } = await import('./export.ts');
    await exportHarvest(context, { folder, format, bom, both, html, force }, proof);
    progress.say(
      `${folder} already contains this harvest, complete. To update it: harvest --update ${folder}`,
    );
    return EXIT.done;
  }
  const formats = withOptions(format, { bom, both, html });
  return download(running, { folder, kinds, options, proof, formats });
}

/**
 * Fetches the changes since a harvest if the archive offers them, else walks it again with conditional requests; prints the
 * changes and updates the files. The old harvest stays intact until the new one is complete.
 */
async function updateFolder(running: Running, folder: string): Promise<ExitCode> {
  const { context, settings } = running;
  const proof = await readProof(folder);
  using held = HarvestStore.read(join(folder, STORE_FILE));
  if (!proof || !held?.walk)
    throw new FolderError(`${folder} contains no finished harvest; harvest into it first`);
  refuseOtherWalk(folder, held.walk, settings);
  const { kinds, source: baseUrl, language: lang } = held.walk;
  // Without formats, options are for those of the harvest.
  const { format = Object.keys(proof.formats) } = settings;
  const checked = checkRules(RULES.harvest)({ ...settings, format });
  if (checked !== true) throw new UsageError(checked);
  const formats = joinFormats(proof.formats, withOptions(format, settings));
  const options = await clientOptions(context, { ...settings, baseUrl, lang });
  const since = proof.published_as ?? proof.edition ?? undefined;
  // The store stays open until the end.
  return await download(running, { folder, kinds, options, proof, formats, since, held });
}

const LEAST_CONCURRENCY = 4;

interface Download {
  folder: string;
  kinds: readonly Kind[];
  options: ClientOptions;
  /** The proof of the harvest before, complete or not. */
  proof: Proof | undefined;
  formats: WrittenFormats;
  /** The store of the harvest to update: replaced if the new one has no problems. */
  held?: HarvestStore;
  since?: string | undefined;
}

/** Harvests into a store, checks that, and writes files and their proof. */
async function download(
  { context, settings, progress }: Running,
  { folder, kinds, options, proof, formats, held, since }: Download,
): Promise<ExitCode> {
  const path = join(folder, held ? UPDATE_FILE : STORE_FILE);
  const proven = [...(proof?.files ?? []), ...(held?.files ?? []), ...filesOf(path)];
  const writer = new FileWriter({ ...context, formats, folder, proven, force: settings.force });
  await writer.check(kinds);
  if (proof && !held) {
    progress.say(`The harvest in ${folder} is not complete; starting again.`);
    removeStore(path);
  }
  const { concurrency: pagesAtOnce, from } = settings;
  const { onEvent } = progress;
  const concurrency = Math.max(LEAST_CONCURRENCY, pagesAtOnce);
  const update = held && { held, since };
  const how = { path, kinds, from, update, concurrency, pagesAtOnce, onEvent };
  const report = await harvest({ ...options, ...how });
  progress.clear();
  const left = 'the harvest was left unchanged';
  if (held && !isUnmoved(report)) {
    removeStore(path);
    return reportMoves(context, report, left);
  }
  using store = HarvestStore.open(path);
  const source = new HarvestSource(store);
  const { unresolved } = await resolveReferences(kinds, (kind) => source.records(kind));
  const problems = [...unresolved, ...report.differences];
  if (held && problems.length > 0) {
    store[Symbol.dispose]();
    removeStore(path);
    return reportProblems(context, [...problems, left]);
  }
  if (held) {
    await reportChanges(context, settings, collectChanges(held, store));
    store.addFiles(held.files);
  }
  const isShort = lacksSupplement(store, kinds);
  // Without a manifest, that of an earlier edition is removed.
  const more = { [MANIFEST_FILE]: store.text('manifest') };
  const files = await writer.write(source, more, (some) => store.addFiles(some));
  // A file that is open cannot be replaced everywhere.
  store[Symbol.dispose]();
  held?.[Symbol.dispose]();
  const final = join(folder, STORE_FILE);
  if (held) await rename(path, final);
  const published_as = problems.length === 0 ? report.manifest_of : null;
  const all = [...files, await fileProof(final, STORE_FILE)];
  const made = makeProof(context.version, report, all, { formats, problems, published_as });
  await writeProof(folder, made);
  if (held) return EXIT.done;
  const { complete } = made;
  if (settings.json) context.stdout.write(`${JSON.stringify({ type: 'report', complete, ...report })}\n`);
  if (problems.length > 0) return reportProblems(context, problems);
  if (!complete) return reportMoves(context, report, 'the files contain what it served');
  if (isShort) progress.say(`${WITHOUT_SUPPLEMENT}.`);
  const records = report.kinds.reduce((rows, kind) => rows + kind.rows, 0);
  progress.say(`Complete: ${counted(records, 'record')} in ${folder}.`);
  if (published_as) progress.say(`Every byte matches what the archive published as edition ${published_as}.`);
  return EXIT.done;
}

/** The files that were written from a store, if it exists. */
function filesOf(path: string): HarvestStore['files'] {
  using store = HarvestStore.read(path);
  return store?.files ?? [];
}

async function reportChanges(
  context: CommandContext,
  { json, report = 'table' }: HarvestSettings,
  changes: readonly Change[],
): Promise<void> {
  if (!json) return (await import('./diff.ts')).printChanges(context, changes, report);
  for (const change of changes) context.stdout.write(`${JSON.stringify({ type: 'change', ...change })}\n`);
}

/** Prints why a harvest has no proof, as sentences. */
function explain({ stderr }: CommandContext, what: string, sentences: readonly string[]): void {
  stderr.write(`archive-cli: ${what}:\n${sentences.map((sentence) => `  ${sentence}\n`).join('')}`);
}

function reportProblems(context: CommandContext, problems: readonly string[]): ExitCode {
  explain(context, 'the harvest is complete, but its records have problems', problems);
  return EXIT.failed;
}

/** Prints what changed in the archive. */
function reportMoves(context: CommandContext, report: HarvestReport, consequence: string): ExitCode {
  const ofKinds = report.kinds.flatMap(({ kind, moved }) =>
    moved.map((what) => `${COLLECTIONS[kind]}: ${what}`),
  );
  const what = `the archive changed during the harvest, twice; ${consequence}`;
  explain(context, what, [...ofKinds, ...report.moved]);
  return EXIT.moved;
}
