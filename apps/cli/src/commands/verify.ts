import { join } from 'node:path';
import { createClient } from '@archiefkast/client';
import { FolderError, JOURNAL_FOLDER, readWalkFile } from '@archiefkast/client/node';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { fileProof } from '../formats/file-proof.ts';
import { type Content, checkContent } from '../proof/check-content.ts';
import { compareManifest } from '../proof/compare-manifest.ts';
import { isJournalName, journalName } from '../proof/journal-name.ts';
import { type Proof, readProof } from '../proof/proof-file.ts';
import { counted } from '../terminal/numbers.ts';
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
export async function verifyFolder(folder: string, proof: Proof): Promise<Content> {
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
