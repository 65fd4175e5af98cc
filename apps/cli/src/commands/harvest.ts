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
import {
  DEFAULT_FORMATS,
  describeFormats,
  inOrder,
  joinFormats,
  type WrittenFormats,
  withOptions,
} from '../formats/formats.ts';
import { HarvestSource } from '../formats/source.ts';
import { FileWriter, fileProof } from '../formats/write-files.ts';
import {
  checkStore,
  lacksSupplement,
  MANIFEST_FILE,
  makeProof,
  type Proof,
  readProof,
  WITHOUT_SUPPLEMENT,
  writeProof,
} from '../proof/proof.ts';
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
  const options = await clientOptions(context, settings);
  // An invalid base URL must not create a folder.
  const source = parseBaseUrl(options.baseUrl);
  const proof = await readProof(folder);
  if (proof?.complete) {
    const asked = { source, language: options.language, kinds: [...kinds] };
    assertSameWalk(folder, { ...proof, kinds: proof.kinds.map(({ kind }) => kind) }, asked);
    const { exportHarvest } = await import('./export.ts');
    const { format = DEFAULT_FORMATS, force } = settings;
    const all = joinFormats(proof.formats, withOptions(format, settings));
    const formats = inOrder(Object.entries(all).filter(([name]) => format.includes(name)));
    await exportHarvest(context, { folder, formats, force }, proof);
    progress.say(
      `${folder} already contains this harvest, complete. To update it: harvest --update ${folder}`,
    );
    return EXIT.done;
  }
  return download(running, { folder, kinds, options, proof });
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
  chooseFormats(proof.formats, settings);
  const options = await clientOptions(context, { ...settings, baseUrl, lang });
  const since = proof.published_as ?? proof.edition ?? undefined;
  // The store stays open until the end.
  return await download(running, { folder, kinds, options, proof, since, held });
}

/**
 * The formats that a harvest had, with their options, and those that are asked for. Without formats, options are for those that it had.
 *
 * @throws UsageError if none of these knows an option
 */
function chooseFormats(kept: WrittenFormats, settings: HarvestSettings): WrittenFormats {
  const names = Object.keys(kept);
  const { format = names.length > 0 ? names : DEFAULT_FORMATS } = settings;
  const checked = checkRules(RULES.harvest)({ ...settings, format });
  if (checked !== true) throw new UsageError(checked);
  return joinFormats(kept, withOptions(format, settings));
}

const LEAST_CONCURRENCY = 4;

interface Download {
  folder: string;
  kinds: readonly Kind[];
  options: ClientOptions;
  /** The proof of the harvest before, complete or not. */
  proof: Proof | undefined;
  /** The store of the harvest to update: replaced if the new one has no problems. */
  held?: HarvestStore;
  since?: string | undefined;
}

/** Harvests into a store, checks that, and writes files and their proof. */
async function download(
  { context, settings, progress }: Running,
  { folder, kinds, options, proof, held, since }: Download,
): Promise<ExitCode> {
  const path = join(folder, held ? UPDATE_FILE : STORE_FILE);
  const begun = readBegun(path);
  const kept = joinFormats(proof?.formats ?? {}, begun.formats);
  const formats = chooseFormats(kept, settings);
  const proven = [...(proof?.files ?? []), ...(held?.files ?? []), ...begun.files];
  const writer = new FileWriter({ ...context, formats, folder, proven, force: settings.force });
  await writer.check(kinds);
  if (proof && !held) {
    progress.say(`The harvest in ${folder} is not complete; starting again.`);
    removeStore(path);
  }
  const asked = chooseFormats(held && proof ? proof.formats : {}, settings);
  if (JSON.stringify(formats) !== JSON.stringify(asked))
    progress.say(
      `The harvest in ${folder} keeps what it was begun with: it writes ${describeFormats(formats)}.`,
    );
  const { concurrency: pagesAtOnce = 1, from } = settings;
  const { onEvent } = progress;
  const concurrency = Math.max(LEAST_CONCURRENCY, pagesAtOnce);
  const update = held && { held, since };
  const note = JSON.stringify(formats);
  const how = { path, kinds, from, update, concurrency, pagesAtOnce, note, onEvent };
  const report = await harvest({ ...options, ...how });
  progress.clear();
  const left = 'the harvest was left unchanged';
  if (held && !isUnmoved(report)) {
    removeStore(path);
    return reportMoves(context, report, left);
  }
  using store = HarvestStore.open(path);
  const { proven: walked } = await checkStore(store);
  const { problems, published_as, complete } = walked;
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
  const files = await writer.write(new HarvestSource(store), more, (some) => store.addFiles(some));
  store.files = files;
  // A file that is open cannot be replaced everywhere.
  store[Symbol.dispose]();
  held?.[Symbol.dispose]();
  const final = join(folder, STORE_FILE);
  if (held) await rename(path, final);
  const all = [...files, await fileProof(final, STORE_FILE)];
  await writeProof(folder, makeProof(context.version, walked, formats, all));
  if (held) return EXIT.done;
  if (settings.json) context.stdout.write(`${JSON.stringify({ type: 'report', complete, ...report })}\n`);
  if (problems.length > 0) return reportProblems(context, problems);
  if (!complete) return reportMoves(context, report, 'the files contain what it served');
  if (isShort) progress.say(`${WITHOUT_SUPPLEMENT}.`);
  const records = report.kinds.reduce((rows, kind) => rows + kind.rows, 0);
  progress.say(`Complete: ${counted(records, 'record')} in ${folder}.`);
  if (published_as) progress.say(`Every byte matches what the archive published as edition ${published_as}.`);
  return EXIT.done;
}

/** What an interrupted harvest left in its store: the files that it wrote, and the formats that it was begun with. */
function readBegun(path: string): { files: HarvestStore['files']; formats: WrittenFormats } {
  using store = HarvestStore.read(path);
  return { files: store?.files ?? [], formats: JSON.parse(store?.text('note') ?? '{}') };
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
