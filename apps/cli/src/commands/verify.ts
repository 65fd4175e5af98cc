import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { supplementOf } from '@archiefkast/client/internal';
import { compareManifest, STORE_FILE } from '@archiefkast/client/internal/node';
import { FolderError, type HarvestStore } from '@archiefkast/client/node';
import { defineCommand, flag, required } from '@archiefkast/command-line';
import { counted } from '@archiefkast/system';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { FORMATS_OF_OPTIONS, loadFormats } from '../formats/formats.ts';
import { PACKAGE_FILE } from '../formats/write-files.ts';
import {
  compareFiles,
  lacksSupplement,
  type Proof,
  type ProvenWalk,
  proveWalk,
  readProof,
  WITHOUT_SUPPLEMENT,
} from '../proof/proof.ts';
import type { CommandContext } from './command-context.ts';
import { connect } from './connection.ts';
import { openStore } from './export.ts';
import { FOLDER } from './options.ts';

const CONNECTION = { timeout: 30, retries: 5, maxWait: 300, maxPageSize: 256, lenient: true };

/** Checks a harvest against its proof; sends requests only with `--source`. */
export const verifyCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('folder', required(FOLDER))
      .option('source', flag('Also compare with the manifest that the archive serves now')),
  examples: [
    ['verify harvest', 'Checks every file, number and reference, without a request'],
    ['verify harvest --source', 'Compares it also with what the archive publishes now'],
  ],
  async run(context: CommandContext, { folder, source }): Promise<ExitCode> {
    const { stdout, stderr, name } = context;
    const proof = await readProof(folder);
    if (!proof) {
      if (!existsSync(join(folder, STORE_FILE))) throw new FolderError(`${folder} contains no harvest`);
      stderr.write(
        `${name}: ${folder} contains an unfinished harvest; run the harvest command to finish it\n`,
      );
      return EXIT.incomplete;
    }
    const changed = await compareFiles(folder, proof);
    const found = await checkRecords(folder, proof);
    const differences = source ? await compareWithSource(context, folder, proof) : [];
    const problems = [...changed, ...found.problems, ...differences];
    for (const problem of problems) stderr.write(`${name}: ${problem}\n`);
    if (problems.length > 0) {
      stderr.write(`Invalid: ${counted(problems.length, 'problem')}.\n`);
      return EXIT.failed;
    }
    stdout.write(found.lines.map((line) => `${line}\n`).join(''));
    if (source) stdout.write('matches the manifest that the archive serves now\n');
    if (!proof.complete) {
      stderr.write(`${name}: the files are unchanged, but the archive changed during the harvest\n`);
      return EXIT.moved;
    }
    stdout.write(`${verdict(proof)}\n`);
    return EXIT.done;
  },
});

/** Counts the records, resolves their references, and compares all that the proof says with the store: as lines, and problems as sentences. */
async function checkRecords(folder: string, proof: Proof): Promise<{ lines: string[]; problems: string[] }> {
  try {
    using store = openStore(folder);
    const { proven, resolved, unchecked } = await proveWalk(store);
    const kinds = proven.kinds.map(({ kind }) => kind);
    const lines = [
      ...proven.kinds.map(
        ({ kind, rows, count, pages }) =>
          `${COLLECTIONS[kind]}: ${counted(rows, 'record')} of ${count} expected, ${counted(pages, 'page')}`,
      ),
      `${counted(proof.files.length, 'file')} unchanged`,
      `${counted(resolved, 'reference')} resolved`,
      ...(lacksSupplement(store, kinds) ? [WITHOUT_SUPPLEMENT] : []),
      ...unchecked.map(
        (kind) => `references to ${COLLECTIONS[kind]} were not checked: they were not harvested`,
      ),
    ];
    const said = claimsOf(proof);
    const wrong = [...claimsOf(proven)].filter(([name, value]) => said.get(name) !== value);
    const missing = await missingFiles(folder, store, proof);
    return {
      lines,
      problems: [
        ...wrong.map(([name, value]) => `${name} is ${value}, not ${said.get(name)} as harvest.json says`),
        ...missing.map((name) => `${name}: harvest.json does not list it as it was written`),
        ...proven.problems,
      ],
    };
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    return { lines: [], problems: [error.message] };
  }
}

/** What a proof says of a harvest, as JSON by name. */
function claimsOf({ kinds, ...rest }: ProvenWalk): ReadonlyMap<string, string> {
  const ofKinds = kinds.flatMap(({ kind, ...counts }) =>
    Object.entries(counts).map(([name, value]) => [`${COLLECTIONS[kind]}: ${name}`, value] as const),
  );
  const all = [...ofKinds, ...Object.entries(rest), ['kinds', kinds.map(({ kind }) => kind)] as const];
  return new Map(all.map(([name, value]) => [name, JSON.stringify(value)]));
}

/**
 * The files that a harvest wrote and its proof lacks: those that its store notes, and of its formats those in the folder. An export may
 * have written anew, with other options, those that options change, and the description of all.
 */
async function missingFiles(folder: string, store: HarvestStore, proof: Proof): Promise<string[]> {
  const namesOf = async (formats: readonly string[]) =>
    (await loadFormats(formats)).flatMap((format) => format.names(proof.kinds.map(({ kind }) => kind)));
  const changing = [...(await namesOf(Object.values(FORMATS_OF_OPTIONS).flat())), PACKAGE_FILE];
  const listed = new Map(proof.files.map(({ name, sha256 }) => [name, sha256]));
  const noted = store.files.filter(
    ({ name, sha256 }) => listed.get(name) !== sha256 && !(listed.has(name) && changing.includes(name)),
  );
  const present = [STORE_FILE, ...(await namesOf(Object.keys(proof.formats)))].filter(
    (name) => !listed.has(name) && existsSync(join(folder, name)),
  );
  return [...new Set([...noted.map(({ name }) => name), ...present])];
}

/** Compares a harvest with the manifest that the archive serves now; returns the differences as sentences. */
async function compareWithSource(context: CommandContext, folder: string, proof: Proof): Promise<string[]> {
  const { source: baseUrl, language: lang } = proof;
  const edition = proof.published_as ?? proof.edition;
  const client = await connect(context, { ...CONNECTION, baseUrl, lang });
  const served = await client.manifest(edition ?? undefined);
  if (!served) {
    const what = edition === null ? 'no manifest' : `no manifest of edition ${edition}`;
    throw new FolderError(`${baseUrl} offers ${what} to compare with`);
  }
  using store = openStore(folder);
  const { manifest } = served;
  const kinds = proof.kinds.map(({ kind }) => kind);
  const differences = compareManifest(manifest, kinds, store);
  if (!differences) return [`the manifest of ${baseUrl} does not list all kinds`];
  const supplement = store.text('supplement');
  const isOther = supplement !== undefined && hash('sha256', supplement) !== supplementOf(manifest)?.sha256;
  const difference = `supplement.jsonl differs from what the archive published as edition ${manifest.edition.id}`;
  return isOther ? [...differences, difference] : differences;
}

function verdict({ source, language, finished, published_as }: Proof): string {
  return published_as
    ? `Valid: every byte matches what ${source} published as edition ${published_as}, in ${language}.`
    : `Valid: this is what ${source} served until ${finished}, in ${language}.`;
}
