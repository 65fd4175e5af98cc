import { rename } from 'node:fs/promises';
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
  FolderError,
  type HarvestReport,
  HarvestStore,
  harvest,
  removeStore,
  STORE_FILE,
  takeSupplement,
  UPDATE_FILE,
  type Walk,
} from '@archiefkast/client/node';
import { UsageError } from '@archiefkast/system/command-line';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types/kinds';
import { collectChanges } from '../diff/diff-stores.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { DEFAULT_FORMATS, type FileOptions, inWritingOrder } from '../formats/formats.ts';
import { HarvestSource } from '../formats/source.ts';
import { FileWriter, fileProof } from '../formats/write-files.ts';
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
import { clientOptions } from './connection.ts';
import { type HarvestSettings, parseKind } from './options.ts';
import { createHarvestProgress, type HarvestProgress } from './progress.ts';

/** A running command. */
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
  const { out, update, dryRun: isDryRun, report, from, format, kinds: names = [] } = settings;
  const asked = names.map(parseKind);
  const kinds = KINDS.filter((kind) => asked.length === 0 || asked.includes(kind));
  refuse(
    out !== undefined && update !== undefined,
    '--out and --update exclude each other: expected one folder',
  );
  refuse(isDryRun && update !== undefined, '--dry-run and --update exclude each other');
  refuse(report !== undefined && update === undefined, '--report: expected only with --update');
  for (const option of ['bom', 'both', 'html'] as const) {
    const tables = option === 'bom' ? ['csv'] : ['csv', 'xlsx'];
    const isUseless = settings[option] && format?.some((name) => tables.includes(name)) === false;
    refuse(isUseless, `--${option}: expected only with --format ${tables.join(' or ')}`);
  }
  refuse(isDryRun && from === 'dumps', '--dry-run and --from dumps exclude each other');
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

/** Downloads an archive to a folder. */
async function harvestFolder(
  { context, settings, progress }: Running,
  folder: string,
  kinds: readonly Kind[],
): Promise<ExitCode> {
  const { format = DEFAULT_FORMATS, bom, both, html, force } = settings;
  const path = join(folder, STORE_FILE);
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
  const written = { formats: inWritingOrder(format), bom, both, html };
  const proven = [...(proof?.files ?? []), ...filesOf(path)];
  const writer = new FileWriter({ ...context, ...written, folder, proven, force });
  await writer.check(kinds);
  if (proof) {
    progress.say(`The harvest in ${folder} is not complete; starting again.`);
    await removeStore(path);
  }

  const report = await harvest({ ...options, ...waysOf(settings), path, kinds, onEvent: progress.onEvent });
  using store = HarvestStore.open(path);
  const checked = await checkHarvest(options, store, report);
  const hasSupplement = store.text('supplement') !== undefined;
  const made = await finish(context, { folder, report, written, writer, store, ...checked });
  progress.clear();
  const { complete, published_as, problems } = made;
  if (settings.json) context.stdout.write(`${JSON.stringify({ type: 'report', complete, ...report })}\n`);
  if (problems.length > 0) return reportProblems(context, problems);
  if (!complete) {
    reportMoves(context, report, 'the files contain what it served');
    return EXIT.moved;
  }
  if (!hasSupplement && needsSupplement(kinds)) progress.say(`${WITHOUT_SUPPLEMENT}.`);
  const records = report.kinds.reduce((rows, kind) => rows + kind.rows, 0);
  progress.say(`Complete: ${counted(records, 'record')} in ${folder}.`);
  if (published_as) progress.say(`Every byte matches what the archive published as edition ${published_as}.`);
  return EXIT.done;
}

/**
 * Fetches the changes since a harvest if the archive offers them, else walks it again with conditional requests; prints the
 * changes and updates the files. The old harvest stays intact until the new one is complete.
 */
async function updateFolder({ context, settings, progress }: Running, folder: string): Promise<ExitCode> {
  const [current, path] = [join(folder, STORE_FILE), join(folder, UPDATE_FILE)];
  const proof = await readProof(folder);
  using held = HarvestStore.read(current);
  if (!proof || !held?.walk)
    throw new FolderError(`${folder} contains no finished harvest; harvest into it first`);
  refuseOtherWalk(folder, held.walk, settings);
  const { kinds, source: baseUrl, language: lang } = held.walk;
  const { force } = settings;
  const written = {
    formats: inWritingOrder([...proof.formats, ...(settings.format ?? [])]),
    bom: settings.bom || proof.bom,
    both: settings.both || proof.both,
    html: settings.html || proof.html,
  };
  const proven = [...proof.files, ...held.files, ...filesOf(path)];
  const writer = new FileWriter({ ...context, ...written, folder, proven, force });
  await writer.check(kinds);

  const options = await clientOptions(context, { ...settings, baseUrl, lang });
  const since = proof.published_as ?? proof.edition ?? undefined;
  const { from = since === undefined ? 'pages' : 'changes', ...ways } = waysOf(settings);
  const { onEvent } = progress;
  const report = await harvest({ ...options, ...ways, path, heldPath: current, kinds, from, since, onEvent });
  progress.clear();
  const left = 'the harvest was left unchanged';
  if (!isUnmoved(report)) {
    await removeStore(path);
    reportMoves(context, report, left);
    return EXIT.moved;
  }
  using store = HarvestStore.open(path);
  const checked = await checkHarvest(options, store, report, held);
  if (checked.problems.length > 0) {
    store[Symbol.dispose]();
    await removeStore(path);
    return reportProblems(context, [...checked.problems, left]);
  }
  const changes = collectChanges(held, store);
  if (settings.json)
    for (const change of changes) context.stdout.write(`${JSON.stringify({ type: 'change', ...change })}\n`);
  else
    await (await import('../diff/print-changes.ts')).printChanges(
      context,
      changes,
      settings.report ?? 'table',
    );
  store.addFiles(held.files);
  await finish(context, { folder, report, written, writer, store, held, ...checked });
  return EXIT.done;
}

/** How a harvest requests pages: of each kind, and in total. */
function waysOf({ from, concurrency }: HarvestSettings) {
  return { from, pagesAtOnce: concurrency, concurrency: Math.max(LEAST_CONCURRENCY, concurrency) };
}

/** Minimum of parallel requests over all kinds. */
const LEAST_CONCURRENCY = 4;

/** A harvest that was checked. */
interface Checked {
  /** The manifest of its edition, if the archive offers one that lists all kinds. */
  served: ServedManifest | undefined;
  /** Problems as sentences. */
  problems: string[];
}

/** A harvest to write. */
interface Finished extends Checked {
  folder: string;
  report: HarvestReport;
  written: FileOptions & { formats: string[] };
  writer: FileWriter;
  store: HarvestStore;
  /** Store of the harvest that is updated, and replaced. */
  held?: HarvestStore;
}

/** Writes the files of a harvest, and its proof. */
async function finish({ version }: CommandContext, finished: Finished): Promise<Proof> {
  const { folder, report, written, writer, store, held, served, problems } = finished;
  // Without a manifest, that of an earlier edition is removed.
  const more = { [MANIFEST_FILE]: served?.text };
  const files = await writer.write(new HarvestSource(store), more, (some) => store.addFiles(some));
  // A file that is open cannot be replaced everywhere.
  store[Symbol.dispose]();
  held?.[Symbol.dispose]();
  const path = join(folder, STORE_FILE);
  if (held) await rename(store.path, path);
  const published_as = served && problems.length === 0 ? String(served.manifest.edition.id) : null;
  const all = [...files, await fileProof(path, STORE_FILE)];
  const proof = makeProof(version, report, all, { ...written, problems, published_as });
  await writeProof(folder, proof);
  return proof;
}

/**
 * Checks a harvest: its references, and the hashes in the manifest. Stores what the archive says of itself, and what its
 * records cannot say.
 */
async function checkHarvest(
  options: ClientOptions,
  store: HarvestStore,
  report: HarvestReport,
  held?: HarvestStore,
): Promise<Checked> {
  const { served_edition: edition, language } = report;
  const manifest =
    edition === null || !isUnmoved(report) ? undefined : await createClient(options).manifest(edition);
  const served = String(manifest?.manifest.edition.id) === edition ? manifest : undefined;
  if (edition !== null) {
    const ask = (asked: typeof language) => createClient({ ...options, language: asked }).index(edition);
    await storeArchiveWords(store, language, ask, held);
  }
  if (served) await takeSupplement(options, served, store);
  const source = new HarvestSource(store);
  const differences = served && compareManifest(served.manifest, store, source.kinds);
  const { unresolved } = await resolveReferences(source.kinds, (kind) => source.records(kind));
  return { served: differences && served, problems: [...unresolved, ...(differences ?? [])] };
}

/** The files that were written from a store, if it exists. */
function filesOf(path: string): HarvestStore['files'] {
  using store = HarvestStore.read(path);
  return store?.files ?? [];
}

/** Prints the problems of a harvest. */
function reportProblems({ stderr }: CommandContext, problems: readonly string[]): ExitCode {
  stderr.write('archive-cli: the harvest is complete, but its records have problems:\n');
  for (const problem of problems) stderr.write(`  ${problem}\n`);
  return EXIT.failed;
}

/** Prints what changed in the archive during a harvest. */
function reportMoves({ stderr }: CommandContext, { kinds, moved }: HarvestReport, consequence: string): void {
  const sentences = kinds.flatMap((kind) => kind.moved.map((what) => `${COLLECTIONS[kind.kind]}: ${what}`));
  stderr.write(`archive-cli: the archive changed during the harvest, twice; ${consequence}:\n`);
  for (const sentence of [...sentences, ...moved]) stderr.write(`  ${sentence}\n`);
}
