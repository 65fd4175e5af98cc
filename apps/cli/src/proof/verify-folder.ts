import { join } from 'node:path';
import { JOURNAL_FOLDER } from '@archiefkast/client/node';
import { fileProof } from '../formats/file-proof.ts';
import { type Content, checkContent } from './check-content.ts';
import { isJournalName, journalName } from './journal-name.ts';
import type { Proof } from './proof-file.ts';

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
