import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@archiefkast/client';
import {
  FolderError,
  JOURNAL_FOLDER,
  JournalDamageError,
  journalPath,
  readJournal,
  readWalkFile,
} from '@archiefkast/client/node';
import { isMissing } from '@archiefkast/system';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { fileProof } from '../formats/file-proof.ts';
import { compareManifest } from '../proof/compare-manifest.ts';
import { createKindContent, type HashedBytes, type KindContent } from '../proof/kind-content.ts';
import { isJournalName, journalName, type Proof, readProof } from '../proof/proof-file.ts';
import { resolveReferences } from '../proof/resolve-references.ts';
import { parseRecord } from '../records/placed-records.ts';
import { counted } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { sayNotice } from './describe-event.ts';

/** What `archive-cli verify` is told. */
export interface VerifySettings {
  folder: string;
  /** Ask the archive again what it published. */
  source: boolean;
}

/** How the archive is asked again: it may take its time. */
const ASKING = { timeout: 30, maxWait: 300, maxPageSize: 256, lenient: true };

/** `archive-cli verify <folder>`: checks a harvest against its proof; asks the server only when told to. */
export async function verifyCommand(context: CommandContext, settings: VerifySettings): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const { folder } = settings;
  const proof = await readProof(folder);
  if (!proof) {
    if (!(await readWalkFile(join(folder, JOURNAL_FOLDER))))
      throw new FolderError(`${folder} holds no harvest`);
    stderr.write(
      `archive-cli: ${folder} holds a harvest that is not finished; the harvest command finishes it\n`,
    );
    return EXIT.incomplete;
  }
  const content = await verifyFolder(folder, proof);
  const asked = settings.source ? await askAgain(context, proof, content) : [];
  const problems = [...content.problems, ...asked];
  for (const problem of problems) stderr.write(`archive-cli: ${problem}\n`);
  if (problems.length > 0) {
    stderr.write(`Not whole: ${counted(problems.length, 'problem')}.\n`);
    return EXIT.failed;
  }
  stdout.write(
    describe(proof, content)
      .map((line) => `${line}\n`)
      .join(''),
  );
  if (settings.source) stdout.write('the archive says so today\n');
  if (!proof.complete) {
    stderr.write('archive-cli: the files are as they were written, but the archive moved while they were\n');
    return EXIT.moved;
  }
  stdout.write(`${verdict(proof)}\n`);
  return EXIT.done;
}

/** What the archive says today of the edition that was harvested, and is not so; in sentences. */
async function askAgain(context: CommandContext, proof: Proof, content: Content): Promise<string[]> {
  const { source: baseUrl, language: lang } = proof;
  const edition = proof.published_as ?? proof.edition;
  const options = await clientOptions(context, { ...ASKING, baseUrl, lang });
  const served = await createClient({ ...options, onNotice: sayNotice(context) }).manifest(
    edition ?? undefined,
  );
  if (!served) {
    const what = edition === null ? 'no manifest' : `no manifest of edition ${edition} any more`;
    throw new FolderError(`${baseUrl} offers ${what}, so that it cannot be asked`);
  }
  const differences = compareManifest(served.manifest, content.kinds);
  return differences ?? [`${baseUrl} offers a manifest that does not name the records of all kinds`];
}

function describe({ kinds, files }: Proof, { references, unchecked }: Content): string[] {
  return [
    ...kinds.map(
      ({ kind, rows, count, pages }) =>
        `${COLLECTIONS[kind]}: ${counted(rows, 'record')} of ${count} promised, ${counted(pages, 'page')}`,
    ),
    `${counted(files.length, 'file')} as written`,
    `${counted(references, 'reference')} resolved`,
    ...unchecked.map(
      (kind) => `references to ${COLLECTIONS[kind]} were not checked: they were not harvested`,
    ),
  ];
}

function verdict({ source, language, finished, published_as }: Proof): string {
  return published_as
    ? `Whole: these are the bytes that ${source} published as edition ${published_as}, in ${language}.`
    : `Whole: this is what ${source} served until ${finished}, in ${language}.`;
}

/** Checks a harvest against its proof, without asking the server. */
async function verifyFolder(folder: string, proof: Proof): Promise<Content> {
  const content = await checkContent(join(folder, JOURNAL_FOLDER), proof);
  const problems = await verifyFiles(folder, proof, content);
  return { ...content, problems: [...problems, ...content.problems] };
}

/** Compares each file with what the proof says of it; a journal by its lines, which were read already. */
async function verifyFiles(folder: string, { files }: Proof, content: Content): Promise<string[]> {
  const journals = new Map([...content.journals].map(([kind, journal]) => [journalName(kind), journal]));
  const problems: string[] = [];
  for (const { name, bytes, sha256 } of files) {
    try {
      // One that cannot be read is told by the reading of its content.
      if (isJournalName(name) && !journals.has(name)) continue;
      const found = journals.get(name) ?? (await fileProof(join(folder, name), name));
      if (found.bytes !== bytes) problems.push(`${name}: ${found.bytes} bytes, not ${bytes}`);
      else if (found.sha256 !== sha256) problems.push(`${name}: its content is not what was written`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      problems.push(`${name}: cannot be read (${error.message})`);
    }
  }
  return problems;
}

/** What was found in the journals of a harvest. */
interface Content {
  /** What is wrong, in sentences; empty when everything is as the proof says. */
  problems: string[];
  kinds: ReadonlyMap<Kind, KindContent>;
  /** The lines of each journal, as they are before they are compressed. */
  journals: ReadonlyMap<Kind, HashedBytes>;
  /** References that lead to a record. */
  references: number;
  /** Kinds that were not harvested, so that references to them could not be checked. */
  unchecked: Kind[];
}

/**
 * Checks what the journals hold against what a proof says: pages in order, as many records as were promised, no uuid
 * missing, and every reference leads to a record.
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
    if (entry.page !== page) faults.push(`page ${entry.page} stands where page ${page} should`);
    found += lines.length;
    const records = lines.map((recordLine, skip) => parseRecord({ line: recordLine, path, start, skip }));
    for (const { uuid } of records) uuids.add(uuid);
    content.see(records, block);
  }
  const expectations: [string, number, number][] = [
    ['pages', page, pages],
    ['records', found, rows],
    ['different uuids', uuids.size, unique_uuids],
  ];
  if (moved.length === 0) expectations.push(['records, as many as promised,', found, count]);
  for (const [what, is, should] of expectations) {
    if (is !== should) faults.push(`${is} ${what} where there should be ${should}`);
  }
  return {
    content,
    journal: { bytes, sha256: hash.digest('hex') },
    faults: faults.map((fault) => `${COLLECTIONS[kind]}: ${fault}`),
  };
}
