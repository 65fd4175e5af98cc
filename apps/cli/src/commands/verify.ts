import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createClient, supplementOf } from '@archiefkast/client';
import {
  FolderError,
  type HashedBytes,
  JOURNAL_FOLDER,
  JournalDamageError,
  journalPath,
  readJournal,
  readWalkFile,
} from '@archiefkast/client/node';
import { isMissing } from '@archiefkast/system';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { fileProof } from '../formats/write-files.ts';
import { compareManifest } from '../proof/compare-manifest.ts';
import { createKindContent, type KindContent } from '../proof/kind-content.ts';
import {
  isJournalName,
  journalName,
  needsSupplement,
  type Proof,
  readProof,
  SUPPLEMENT_NAME,
  WITHOUT_SUPPLEMENT,
} from '../proof/proof-file.ts';
import { resolveReferences } from '../proof/resolve-references.ts';
import { parseRecord } from '../records/record-lines.ts';
import { counted } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { sayNotice } from './describe-event.ts';

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
    if (!(await readWalkFile(join(folder, JOURNAL_FOLDER))))
      throw new FolderError(`${folder} contains no harvest`);
    stderr.write(
      `archive-cli: ${folder} contains an unfinished harvest; run the harvest command to finish it\n`,
    );
    return EXIT.incomplete;
  }
  const content = await verifyFolder(folder, proof);
  const differences = settings.source ? await compareWithSource(context, proof, content) : [];
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
async function compareWithSource(context: CommandContext, proof: Proof, content: Content): Promise<string[]> {
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
  const differences = compareManifest(served.manifest, content.kinds);
  const supplement = proof.files.find(({ name }) => name === SUPPLEMENT_NAME);
  if (supplement && supplement.sha256 !== supplementOf(served.manifest)?.sha256) {
    differences?.push(
      `${SUPPLEMENT_NAME} differs from what the archive published as edition ${served.manifest.edition.id}`,
    );
  }
  return differences ?? [`the manifest of ${baseUrl} does not list all kinds`];
}

function describe({ kinds, files }: Proof, { references, unchecked }: Content): string[] {
  return [
    ...kinds.map(
      ({ kind, rows, count, pages }) =>
        `${COLLECTIONS[kind]}: ${counted(rows, 'record')} of ${count} expected, ${counted(pages, 'page')}`,
    ),
    `${counted(files.length, 'file')} unchanged`,
    `${counted(references, 'reference')} resolved`,
    ...(needsSupplement(kinds.map(({ kind }) => kind)) && !files.some(({ name }) => name === SUPPLEMENT_NAME)
      ? [WITHOUT_SUPPLEMENT]
      : []),
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

/** Checks a harvest against its proof, without requests to the server. */
async function verifyFolder(folder: string, proof: Proof): Promise<Content> {
  const content = await checkContent(join(folder, JOURNAL_FOLDER), proof);
  const problems = await verifyFiles(folder, proof, content);
  return { ...content, problems: [...problems, ...content.problems] };
}

/** Compares each file with the proof. Journals were hashed when their content was read. */
async function verifyFiles(folder: string, { files }: Proof, content: Content): Promise<string[]> {
  const journals = new Map([...content.journals].map(([kind, journal]) => [journalName(kind), journal]));
  const problems: string[] = [];
  for (const { name, bytes, sha256 } of files) {
    try {
      // An unreadable journal has been reported by checkContent.
      if (isJournalName(name) && !journals.has(name)) continue;
      const found = journals.get(name) ?? (await fileProof(join(folder, name), name));
      if (found.bytes !== bytes) problems.push(`${name}: ${found.bytes} bytes, expected ${bytes}`);
      else if (found.sha256 !== sha256) problems.push(`${name}: its content has changed`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      problems.push(`${name}: cannot be read (${error.message})`);
    }
  }
  return problems;
}

/** Content of the journals of a harvest. */
interface Content {
  /** Problems as sentences; empty if everything matches the proof. */
  problems: string[];
  kinds: ReadonlyMap<Kind, KindContent>;
  /** Size and SHA-256 of each journal, uncompressed. */
  journals: ReadonlyMap<Kind, HashedBytes>;
  /** Number of resolved references. */
  references: number;
  /** Kinds that were not harvested: references to them are not checked. */
  unchecked: Kind[];
}

/**
 * Checks the content of the journals against a proof: order of pages, number of records and uuids, and that every reference
 * resolves.
 */
async function checkContent(journalFolder: string, proof: Pick<Proof, 'kinds'>): Promise<Content> {
  const problems: string[] = [];
  const kinds = new Map<Kind, KindContent>();
  const journals = new Map<Kind, HashedBytes>();
  const harvested = proof.kinds.map(({ kind }) => kind);
  try {
    for (const kind of KINDS) {
      const expected = proof.kinds.find((one) => one.kind === kind);
      if (!expected) continue;
      const { content, journal, faults } = await readKind(
        journalPath(journalFolder, kind),
        expected,
        harvested,
      );
      kinds.set(kind, content);
      journals.set(kind, journal);
      problems.push(...faults);
    }
  } catch (error) {
    if (!(error instanceof JournalDamageError || error instanceof FolderError || isMissing(error)))
      throw error;
    return { problems: [error.message], kinds, journals, references: 0, unchecked: [] };
  }
  const { unresolved, resolved, unchecked } = resolveReferences(kinds);
  return { problems: [...problems, ...unresolved], kinds, journals, references: resolved, unchecked };
}

async function readKind(
  path: string,
  { kind, pages, rows, unique_uuids, count, moved }: Proof['kinds'][number],
  harvested: readonly Kind[],
): Promise<{ content: KindContent; journal: HashedBytes; faults: string[] }> {
  const content = createKindContent(kind, harvested);
  const hash = createHash('sha256');
  const uuids = new Set<string>();
  const faults: string[] = [];
  let bytes = 0;
  let page = 0;
  let found = 0;
  for await (const { entry, line, lines, block, start } of readJournal(path)) {
    for (const part of [line, block]) {
      hash.update(part);
      bytes += part.length;
    }
    if (entry.entry !== 'page') continue;
    page += 1;
    if (entry.page !== page) faults.push(`page ${entry.page}, expected page ${page}`);
    found += lines.length;
    const records = lines.map((recordLine, skip) => parseRecord({ line: recordLine, path, start, skip }));
    for (const { uuid } of records) uuids.add(uuid);
    content.see(records, block);
  }
  const expectations: [string, number, number][] = [
    ['pages', page, pages],
    ['records', found, rows],
    ['unique uuids', uuids.size, unique_uuids],
  ];
  if (moved.length === 0) expectations.push(['records by the count of the server', found, count]);
  for (const [what, is, should] of expectations) {
    if (is !== should) faults.push(`${is} ${what}, expected ${should}`);
  }
  return {
    content,
    journal: { bytes, sha256: hash.digest('hex') },
    faults: faults.map((fault) => `${COLLECTIONS[kind]}: ${fault}`),
  };
}
