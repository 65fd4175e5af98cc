import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, supplementOf } from '@archiefkast/client';
import { FolderError, STORE_FILE } from '@archiefkast/client/node';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { createHarvestSource } from '../formats/source.ts';
import { fileProof } from '../formats/write-files.ts';
import {
  compareManifest,
  needsSupplement,
  type Proof,
  readProof,
  WITHOUT_SUPPLEMENT,
} from '../proof/proof.ts';
import { resolveReferences } from '../proof/references.ts';
import { counted } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { openStore } from './export.ts';
import { sayNotice } from './progress.ts';

/** Arguments of `archive-cli verify`. */
export interface VerifySettings {
  folder: string;
  /** Also compare with the manifest that the archive serves now. */
  source: boolean;
}

/** Connection settings of `--source`. */
const CONNECTION = { timeout: 30, maxWait: 300, maxPageSize: 256, lenient: true };

/** `archive-cli verify <folder>`: checks a harvest against its proof; sends requests only with `--source`. */
export async function verifyCommand(context: CommandContext, settings: VerifySettings): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const { folder } = settings;
  const proof = await readProof(folder);
  if (!proof) {
    if (!existsSync(join(folder, STORE_FILE))) throw new FolderError(`${folder} contains no harvest`);
    stderr.write(
      `archive-cli: ${folder} contains an unfinished harvest; run the harvest command to finish it\n`,
    );
    return EXIT.incomplete;
  }
  const content = await verifyFolder(folder, proof);
  const differences = settings.source ? await compareWithSource(context, folder, proof) : [];
  const problems = [...content.problems, ...differences];
  for (const problem of problems) stderr.write(`archive-cli: ${problem}\n`);
  if (problems.length > 0) {
    stderr.write(`Invalid: ${counted(problems.length, 'problem')}.\n`);
    return EXIT.failed;
  }
  stdout.write(
    describe(proof, content)
      .map((line) => `${line}\n`)
      .join(''),
  );
  if (settings.source) stdout.write('matches the manifest that the archive serves now\n');
  if (!proof.complete) {
    stderr.write('archive-cli: the files are unchanged, but the archive changed during the harvest\n');
    return EXIT.moved;
  }
  stdout.write(`${verdict(proof)}\n`);
  return EXIT.done;
}

/** Compares a harvest with the manifest that the archive serves now; returns the differences as sentences. */
async function compareWithSource(context: CommandContext, folder: string, proof: Proof): Promise<string[]> {
  const { source: baseUrl, language: lang } = proof;
  const edition = proof.published_as ?? proof.edition;
  const options = await clientOptions(context, { ...CONNECTION, baseUrl, lang });
  const served = await createClient({ ...options, onNotice: sayNotice(context) }).manifest(
    edition ?? undefined,
  );
  if (!served) {
    const what = edition === null ? 'no manifest' : `no manifest of edition ${edition}`;
    throw new FolderError(`${baseUrl} offers ${what} to compare with`);
  }
  using store = openStore(folder);
  const { manifest } = served;
  const kinds = proof.kinds.map(({ kind }) => kind);
  const differences = compareManifest(manifest, store, kinds);
  if (!differences) return [`the manifest of ${baseUrl} does not list all kinds`];
  const supplement = store.text('supplement');
  const isOther = supplement !== undefined && hash('sha256', supplement) !== supplementOf(manifest)?.sha256;
  const difference = `supplement.jsonl differs from what the archive published as edition ${manifest.edition.id}`;
  return isOther ? [...differences, difference] : differences;
}

function describe({ kinds, files }: Proof, { references, unchecked, hasSupplement }: Content): string[] {
  return [
    ...kinds.map(
      ({ kind, rows, count, pages }) =>
        `${COLLECTIONS[kind]}: ${counted(rows, 'record')} of ${count} expected, ${counted(pages, 'page')}`,
    ),
    `${counted(files.length, 'file')} unchanged`,
    `${counted(references, 'reference')} resolved`,
    ...(needsSupplement(kinds.map(({ kind }) => kind)) && !hasSupplement ? [WITHOUT_SUPPLEMENT] : []),
    ...unchecked.map(
      (kind) => `references to ${COLLECTIONS[kind]} were not checked: they were not harvested`,
    ),
  ];
}

function verdict({ source, language, finished, published_as }: Proof): string {
  return published_as
    ? `Valid: every byte matches what ${source} published as edition ${published_as}, in ${language}.`
    : `Valid: this is what ${source} served until ${finished}, in ${language}.`;
}

/** Compares each file with the proof, and resolves the references of the records. */
async function verifyFolder(folder: string, { files, kinds }: Proof): Promise<Content> {
  const problems: string[] = [];
  for (const { name, bytes, sha256 } of files) {
    try {
      const found = await fileProof(join(folder, name), name);
      if (found.bytes !== bytes) problems.push(`${name}: ${found.bytes} bytes, expected ${bytes}`);
      else if (found.sha256 !== sha256) problems.push(`${name}: its content has changed`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      problems.push(`${name}: cannot be read (${error.message})`);
    }
  }
  try {
    using store = openStore(folder);
    const { records } = createHarvestSource(store);
    const found = await resolveReferences(
      kinds.map(({ kind }) => kind),
      records,
    );
    const { resolved: references, unchecked } = found;
    const hasSupplement = store.text('supplement') !== undefined;
    return { problems: [...problems, ...found.unresolved], references, unchecked, hasSupplement };
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    return { problems: [...problems, error.message], references: 0, unchecked: [], hasSupplement: true };
  }
}

/** What was found in the store of a harvest. */
interface Content {
  /** Problems as sentences; empty if everything matches the proof. */
  problems: string[];
  /** Number of resolved references. */
  references: number;
  /** Kinds that were not harvested: references to them are not checked. */
  unchecked: Kind[];
  hasSupplement: boolean;
}
