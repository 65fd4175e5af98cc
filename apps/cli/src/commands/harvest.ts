import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMediaPath } from '@archiefkast/bundle/media-path';
import { type ClientOptions, RequestError } from '@archiefkast/client';
import { parseBaseUrl } from '@archiefkast/client/internal';
import {
  assertSameWalk,
  isUnmoved,
  MEDIA_NOTES,
  readArchiveWords,
  removeStore,
  STORE_FILE,
  takeMedia,
} from '@archiefkast/client/internal/node';
import {
  FolderError,
  type HarvestOptions,
  type HarvestReport,
  HarvestStore,
  harvest,
  type Walk,
} from '@archiefkast/client/node';
import { type Declared, defineCommand, findUseless, flag, number, text } from '@archiefkast/command-line';
import { counted, UsageError } from '@archiefkast/system';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types/kinds';
import type { Argv } from 'yargs';
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
import { type FileProof, FileWriter, fileProof } from '../formats/write-files.ts';
import {
  lacksSupplement,
  MANIFEST_FILE,
  makeProof,
  type Proof,
  type ProvenWalk,
  proveWalk,
  readProof,
  WITHOUT_SUPPLEMENT,
  writeProof,
} from '../proof/proof.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import {
  CONNECTION_NUMBERS,
  connectionOptions,
  FORMATS_NEEDED,
  formatOptions,
  KIND_NAMES,
  parseKind,
  REPORT_FORMATS,
} from './options.ts';
import { createHarvestProgress, type HarvestProgress } from './progress.ts';

/** Name of the store of a running update. */
const UPDATE_FILE = 'harvest-update.sqlite';

function harvestOptions(yargs: Argv) {
  return formatOptions(connectionOptions(yargs))
    .positional('kinds', { ...text('Kinds to harvest [default: all]'), array: true, choices: KIND_NAMES })
    .options({
      out: { ...text('Folder to write to'), nargs: 1 },
      update: text('Folder of a harvest to update'),
      from: { ...text('Read pages or dumps [default: pages]'), choices: ['pages', 'dumps'] as const },
      'dry-run': flag('Only estimate the number of records, requests and seconds'),
      report: {
        ...text('Format of the changes that --update prints [default: table]'),
        choices: REPORT_FORMATS,
      },
      concurrency: number('Pages of a kind to request in parallel [default: 1]'),
      media: flag('Download the files that the archive hosts too, to the folder media'),
      json: flag('Print events as lines of JSON on stdout'),
      quiet: flag('Print errors only'),
      verbose: flag('Print a line for each page'),
    });
}

type HarvestSettings = Declared<typeof harvestOptions>;

const RULES = {
  excluding: [
    ['quiet', 'verbose'],
    ['out', 'update'],
    ...['report', 'quiet', 'verbose'].map((other) => ['json', other] as const),
    ...[
      'out',
      'update',
      'from',
      'format',
      'bom',
      'both',
      'html',
      'full',
      'links',
      'media',
      'force',
      'quiet',
      'verbose',
    ].map((other) => ['dry-run', other] as const),
  ],
  needing: [['report', 'update'], ['concurrency', 'from', ['pages']], ...FORMATS_NEEDED],
  defaults: { format: DEFAULT_FORMATS, from: 'pages' },
} as const;

/** Downloads an archive to a folder, and proves that it is complete; or updates a harvest, or estimates one. */
export const harvestCommand = defineCommand({
  options: harvestOptions,
  numbers: { ...CONNECTION_NUMBERS, concurrency: { least: 1, whole: true } },
  texts: ['contact'],
  rules: RULES,
  examples: [
    ['harvest --out harvest --format csv,jsonl --base-url http://localhost:3000', 'Downloads everything'],
    ['harvest --update harvest', 'Fetches what changed since, and prints it'],
  ],
  run: harvestOrUpdate,
});

interface Running {
  context: CommandContext;
  settings: HarvestSettings;
  progress: HarvestProgress;
}

async function harvestOrUpdate(context: CommandContext, settings: HarvestSettings): Promise<ExitCode> {
  const { out, update, dryRun: isDryRun, kinds: names = [] } = settings;
  const asked = names.map(parseKind);
  const kinds = KINDS.filter((kind) => asked.length === 0 || asked.includes(kind));
  if (isDryRun) return (await import('./dry-run.ts')).dryRun(context, settings, kinds);
  refuse(out === '-', '--out -: expected a folder; to write one file to stdout, use the command export');
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
    context.stderr.write(`${context.name}: ${error.message}\nRun the same command again to resume.\n`);
    return EXIT.incomplete;
  } finally {
    progress.clear();
  }
}

function refuse(isWrong: boolean, why: string): void {
  if (isWrong) throw new UsageError(why);
}

/** Harvests into a folder, or writes the missing formats of a harvest that it has. */
async function harvestFolder(running: Running, folder: string, kinds: readonly Kind[]): Promise<ExitCode> {
  const { context, settings, progress } = running;
  const options = await clientOptions(context, settings);
  // An invalid base URL must not create a folder.
  const source = parseBaseUrl(options.baseUrl);
  const proof = await readProof(folder);
  if (proof?.complete) {
    const asked = { source, language: options.language, kinds: [...kinds] };
    assertSameWalk(folder, { ...proof, kinds: proof.kinds.map(({ kind }) => kind) }, asked);
    return writeMissing(running, folder, proof, options);
  }
  const path = join(folder, STORE_FILE);
  const target = await prepare(running, { folder, path, kinds, proof });
  if (proof) {
    progress.say(`The harvest in ${folder} is not complete; starting again.`);
    removeStore(path);
  }
  const report = await walk(running, target, { ...options, kinds });
  using store = HarvestStore.open(path);
  const { proven } = await proveWalk(store, report);
  const isShort = lacksSupplement(store, kinds);
  await finish(running, { target, options }, store, proven);
  const { complete, problems, published_as } = proven;
  if (settings.json) context.stdout.write(`${JSON.stringify({ type: 'report', complete, ...report })}\n`);
  if (problems.length > 0) return reportProblems(context, problems);
  if (!complete) return reportMoves(context, report, 'the files contain what it served');
  if (isShort) progress.say(`${WITHOUT_SUPPLEMENT}.`);
  const records = report.kinds.reduce((rows, kind) => rows + kind.rows, 0);
  progress.say(`Complete: ${counted(records, 'record')} in ${folder}.`);
  if (published_as) progress.say(`Every byte matches what the archive published as edition ${published_as}.`);
  return EXIT.done;
}

/** Writes the formats that a complete harvest lacks; those that it has keep their options. */
async function writeMissing(
  { context, settings, progress }: Running,
  folder: string,
  proof: Proof,
  options: ClientOptions,
): Promise<ExitCode> {
  const { format = DEFAULT_FORMATS, force } = settings;
  const all = joinFormats(proof.formats, withOptions(format, settings));
  const formats = inOrder(Object.entries(all).filter(([name]) => format.includes(name)));
  const { exportHarvest, openStore } = await import('./export.ts');
  await exportHarvest(context, { folder, formats, force }, proof);
  using store = openStore(folder);
  const media = await takeFiles({ context, settings, progress }, folder, store, options);
  const written = media && (await readProof(folder));
  if (written)
    await writeProof(folder, {
      ...written,
      files: [...written.files.filter(({ name }) => !name.startsWith(`${MEDIA}/`)), ...media],
    });
  progress.say(`${folder} already contains this harvest, complete. To update it: harvest --update ${folder}`);
  return EXIT.done;
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
  const path = join(folder, UPDATE_FILE);
  const options = await clientOptions(context, { ...settings, baseUrl, lang });
  const target = await prepare(running, { folder, path, kinds, proof, held });
  const since = proof.published_as ?? proof.edition ?? undefined;
  const report = await walk(running, target, { ...options, kinds, update: { held, since } });
  const left = 'the harvest was left unchanged';
  if (!isUnmoved(report)) {
    removeStore(path);
    return reportMoves(context, report, left);
  }
  using store = HarvestStore.open(path);
  const { proven } = await proveWalk(store, report);
  if (proven.problems.length > 0) {
    store[Symbol.dispose]();
    removeStore(path);
    return reportProblems(context, [...proven.problems, left]);
  }
  await reportChanges(context, settings, collectChanges(held, store));
  store.addFiles(held.files);
  await finish(running, { target, options }, store, proven, held);
  return EXIT.done;
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

/** Where a harvest is written, and how. */
interface Target {
  folder: string;
  /** The store, which an update then puts in place of the old one. */
  path: string;
  formats: WrittenFormats;
  /** Whether they are others than those that are asked for: the harvest was begun with them. */
  isKept: boolean;
  writer: FileWriter;
}

/**
 * Prepares to write a harvest: with the formats and options that it was begun with, and those that are asked for.
 *
 * @throws FolderError if files of the user would be lost; UsageError if no format knows an option
 */
async function prepare(
  { context, settings }: Running,
  {
    folder,
    path,
    kinds,
    proof,
    held,
  }: Pick<Target, 'folder' | 'path'> & {
    kinds: readonly Kind[];
    proof: Proof | undefined;
    held?: HarvestStore;
  },
): Promise<Target> {
  const begun = readBegun(path);
  const formats = chooseFormats(joinFormats(proof?.formats ?? {}, begun.formats), settings);
  const asked = chooseFormats(held && proof ? proof.formats : {}, settings);
  const proven = [...(proof?.files ?? []), ...(held?.files ?? []), ...begun.files];
  const writer = new FileWriter({ ...context, formats, folder, proven, force: settings.force });
  await writer.check(kinds);
  const isKept = JSON.stringify(formats) !== JSON.stringify(asked);
  return { folder, path, formats, isKept, writer };
}

/**
 * The formats that a harvest had, with their options, and those that are asked for. Without formats, options are for those that it had.
 *
 * @throws UsageError if none of these knows an option
 */
function chooseFormats(kept: WrittenFormats, settings: HarvestSettings): WrittenFormats {
  const names = Object.keys(kept);
  const { format = names.length > 0 ? names : DEFAULT_FORMATS } = settings;
  const useless = findUseless(RULES, { ...settings, format });
  if (useless !== undefined) throw new UsageError(useless);
  return joinFormats(kept, withOptions(format, settings));
}

/** What an interrupted harvest left in its store: the files that it wrote, and the formats that it was begun with. */
function readBegun(path: string): { files: HarvestStore['files']; formats: WrittenFormats } {
  using store = HarvestStore.read(path);
  return { files: store?.files ?? [], formats: JSON.parse(store?.text('note') ?? '{}') };
}

const LEAST_CONCURRENCY = 4;

async function walk(
  { settings, progress }: Running,
  { path, formats }: Target,
  options: ClientOptions & Pick<HarvestOptions, 'kinds' | 'update'>,
): Promise<HarvestReport> {
  const { concurrency: pagesAtOnce = 1, from } = settings;
  const concurrency = Math.max(LEAST_CONCURRENCY, pagesAtOnce);
  const note = JSON.stringify(formats);
  const { onEvent } = progress;
  const report = await harvest({ ...options, path, from, concurrency, pagesAtOnce, note, onEvent });
  progress.clear();
  return report;
}

/** Writes the files of a store that is checked, and their proof. @param held the store that it replaces */
async function finish(
  running: Running,
  { target, options }: { target: Target; options: ClientOptions },
  store: HarvestStore,
  proven: ProvenWalk,
  held?: HarvestStore,
): Promise<void> {
  const { context, progress } = running;
  const { folder, path, formats, isKept, writer } = target;
  const media = (await takeFiles(running, folder, store, options)) ?? [];
  if (isKept)
    progress.say(`The harvest keeps the formats that it was begun with: ${describeFormats(formats)}.`);
  // Without a manifest, that of an earlier edition is removed.
  const more = { [MANIFEST_FILE]: store.text('manifest') };
  const files = await writer.write(new HarvestSource(store), more, (some) => store.addFiles(some));
  store.files = files;
  // A file that is open cannot be replaced everywhere.
  store[Symbol.dispose]();
  held?.[Symbol.dispose]();
  const final = join(folder, STORE_FILE);
  if (path !== final) await rename(path, final);
  const all = [...files, ...media, await fileProof(final, STORE_FILE)];
  await writeProof(folder, makeProof(context.version, proven, formats, all));
}

/** The folder of the files that the archive hosts, in that of the harvest. */
const MEDIA = 'media';

/** Downloads the files that the archive hosts, if that is asked for or was done before; undefined if not. */
async function takeFiles(
  { settings, progress }: Running,
  folder: string,
  store: HarvestStore,
  client: ClientOptions,
): Promise<FileProof[] | undefined> {
  const notes = join(folder, MEDIA_NOTES);
  if (!settings.media && !existsSync(notes)) return undefined;
  const files = await takeMedia({
    ...{ client, store, notes, folder: join(folder, MEDIA), pathOf: decodeMediaPath },
    edition: readArchiveWords(store)?.mirror_of?.key ?? '',
    onMissing: (reason) => progress.say(`Left out: ${reason}.`),
  });
  progress.say(`${counted(files.length, 'file')} of the archive in ${join(folder, MEDIA)}.`);
  return files.map((file) => ({ ...file, name: `${MEDIA}/${file.name}` }));
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
function explain({ stderr, name }: CommandContext, what: string, sentences: readonly string[]): void {
  stderr.write(`${name}: ${what}:\n${sentences.map((sentence) => `  ${sentence}\n`).join('')}`);
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
