import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ArchiveError } from '@archiefkast/client';
import { JOURNAL_FOLDER, journalPath } from '@archiefkast/client/node';
import { isMissing, writeWhole } from '@archiefkast/system';
import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import type { z } from 'zod';

/** What the file of a proof holds, without the hash at its end. It is loaded where there is one: a new harvest begins without. */
async function loadProofSchema() {
  const { z } = await import('zod');
  const count = z.int().min(0);
  return z.strictObject({
    /** Name and version of the program. */
    tool: z.string(),
    /** The base URL. */
    source: z.string(),
    language: z.enum(LANGUAGES),
    /** The edition that was harvested, where the server offers that. */
    edition: z.string().nullable(),
    started: z.string(),
    finished: z.string(),
    /** Whether nothing moved, in any kind and between them, and the records are whole. */
    complete: z.boolean(),
    /** The formats that were written, and whether CSV files begin with a byte order mark. */
    formats: z.array(z.string()).optional(),
    bom: z.boolean().optional(),
    /** Whether CSV has texts in both languages, and as HTML. */
    both: z.boolean().optional(),
    html: z.boolean().optional(),
    /** What is wrong with the records, in sentences. */
    problems: z.array(z.string()).optional(),
    /** The edition whose manifest, kept beside the proof, has the hash of each kind's records. */
    published_as: z.string().nullable().optional(),
    /** What does not agree between the kinds, in sentences. */
    moved: z.array(z.string()),
    kinds: z.array(
      z.strictObject({
        kind: z.enum(KINDS),
        pages: count,
        rows: count,
        unique_uuids: count,
        /** Records that the server promised. */
        count,
        total_at_start: count,
        total_at_end: count,
        retries: count,
        seconds_waited: z.number(),
        /** Why the kind was walked again; empty when once was enough. */
        walked_again: z.string(),
        moved: z.array(z.string()),
      }),
    ),
    files: z.array(z.strictObject({ name: z.string(), bytes: count, sha256: z.string() })),
  });
}

/** What proves that a harvest is whole. */
export type Proof = z.infer<Awaited<ReturnType<typeof loadProofSchema>>>;

/** The name of the proof in a harvest's folder. */
const PROOF_FILE = 'harvest.json';

/** The proof as its file holds it. The last line's hash is that of the proof without it. */
function proofText(proof: Proof): string {
  const sha256 = createHash('sha256').update(JSON.stringify(proof)).digest('hex');
  return `${JSON.stringify({ ...proof, sha256 }, null, 2)}\n`;
}

/** Writes the proof of a harvest. */
export async function writeProof(folder: string, proof: Proof): Promise<void> {
  const proofSchema = await loadProofSchema();
  await writeWhole(join(folder, PROOF_FILE), (file) => file.writeFile(proofText(proofSchema.parse(proof))));
}

/** A proof with files that were written anew, or for the first time. */
export function withFiles(proof: Proof, files: Proof['files']): Proof {
  const names = new Set(files.map(({ name }) => name));
  return { ...proof, files: [...files, ...proof.files.filter(({ name }) => !names.has(name))] };
}

/** A proof that is not as it was written. */
class ProofDamageError extends ArchiveError {
  override name = 'ProofDamageError';

  constructor(path: string) {
    super(`${path} is damaged; delete it, and run the harvest command to create it again`);
  }
}

/**
 * Reads the proof of a harvest; undefined when there is none.
 *
 * @throws ProofDamageError when a byte of it is not as it was written
 */
export async function readProof(folder: string): Promise<Proof | undefined> {
  const path = join(folder, PROOF_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const proof = await parseProof(text);
  if (!proof || proofText(proof) !== text) throw new ProofDamageError(path);
  return proof;
}

async function parseProof(text: string): Promise<Proof | undefined> {
  const proofSchema = await loadProofSchema();
  try {
    const { sha256: _, ...proof } = Object(JSON.parse(text));
    return proofSchema.parse(proof);
  } catch {
    return undefined;
  }
}

/** The formats that a harvest was written in; a proof of version 1.0 does not name them. */
export function formatsOf({ formats, files }: Pick<Proof, 'formats' | 'files'>): string[] {
  return (
    formats ?? ['csv', 'jsonl'].filter((format) => files.some(({ name }) => name.endsWith(`.${format}`)))
  );
}

/** The name of a kind's journal in a proof. */
export function journalName(kind: Kind): string {
  return `${JOURNAL_FOLDER}/${basename(journalPath('', kind))}`;
}

/** Whether a name in a proof is a journal's. */
export function isJournalName(name: string): boolean {
  return name.startsWith(`${JOURNAL_FOLDER}/`) && name.endsWith('.journal');
}
