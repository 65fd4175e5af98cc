import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ArchiveError } from '@archiefkast/client';
import { JOURNAL_FOLDER, journalPath, supplementPath } from '@archiefkast/client/node';
import { isMissing, writeWhole } from '@archiefkast/system';
import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import type { z } from 'zod';

/** Loads the schema of a proof without its hash; a new harvest starts without loading zod. */
async function loadProofSchema() {
  const { z } = await import('zod');
  const count = z.int().min(0);
  return z.strictObject({
    /** Name and version of the program. */
    tool: z.string(),
    /** The base URL. */
    source: z.string(),
    language: z.enum(LANGUAGES),
    /** The harvested edition, if the server names it. */
    edition: z.string().nullable(),
    started: z.string(),
    finished: z.string(),
    /** Whether the archive did not change and the records have no problems. */
    complete: z.boolean(),
    /** The written formats, and whether CSV files begin with a byte order mark. */
    formats: z.array(z.string()).optional(),
    bom: z.boolean().optional(),
    /** Whether CSV has texts in both languages, and as HTML. */
    both: z.boolean().optional(),
    html: z.boolean().optional(),
    /** Problems of the records, as sentences. */
    problems: z.array(z.string()).optional(),
    /** The edition whose manifest, stored next to the proof, has the hash of each kind's records. */
    published_as: z.string().nullable().optional(),
    /** Differences between the kinds, as sentences. */
    moved: z.array(z.string()),
    kinds: z.array(
      z.strictObject({
        kind: z.enum(KINDS),
        pages: count,
        rows: count,
        unique_uuids: count,
        /** Number of records that the server reported. */
        count,
        total_at_start: count,
        total_at_end: count,
        retries: count,
        seconds_waited: z.number(),
        /** Why the kind was walked again; empty if it was not. */
        walked_again: z.string(),
        moved: z.array(z.string()),
      }),
    ),
    files: z.array(z.strictObject({ name: z.string(), bytes: count, sha256: z.string() })),
  });
}

/** The proof that a harvest is complete. */
export type Proof = z.infer<Awaited<ReturnType<typeof loadProofSchema>>>;

/** File name of the proof in a harvest's folder. */
const PROOF_FILE = 'harvest.json';

/** The text of a proof's file. The hash at its end is that of the proof without it. */
function proofText(proof: Proof): string {
  const sha256 = createHash('sha256').update(JSON.stringify(proof)).digest('hex');
  return `${JSON.stringify({ ...proof, sha256 }, null, 2)}\n`;
}

/** Writes the proof of a harvest. */
export async function writeProof(folder: string, proof: Proof): Promise<void> {
  const proofSchema = await loadProofSchema();
  await writeWhole(join(folder, PROOF_FILE), (file) => file.writeFile(proofText(proofSchema.parse(proof))));
}

/** Adds files to a proof, or replaces them. */
export function withFiles(proof: Proof, files: Proof['files']): Proof {
  const names = new Set(files.map(({ name }) => name));
  return { ...proof, files: [...files, ...proof.files.filter(({ name }) => !names.has(name))] };
}

/** The file of a proof is damaged. */
class ProofDamageError extends ArchiveError {
  override name = 'ProofDamageError';

  constructor(path: string) {
    super(`${path} is damaged; delete it, and run the harvest command to create it again`);
  }
}

/**
 * Reads the proof of a harvest; undefined if it is missing.
 *
 * @throws ProofDamageError if any byte of it was changed
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

/** The formats of a harvest; a proof of version 1.0 does not name them. */
export function formatsOf({ formats, files }: Pick<Proof, 'formats' | 'files'>): string[] {
  return (
    formats ?? ['csv', 'jsonl'].filter((format) => files.some(({ name }) => name.endsWith(`.${format}`)))
  );
}

/** The name of a kind's journal in a proof. */
export function journalName(kind: Kind): string {
  return `${JOURNAL_FOLDER}/${basename(journalPath('', kind))}`;
}

/** The name of the supplement in a proof. */
export const SUPPLEMENT_NAME = `${JOURNAL_FOLDER}/${basename(supplementPath(''))}`;

/** What may be missing in a harvest without a supplement. */
export const WITHOUT_SUPPLEMENT =
  'The archive offers no supplement.jsonl: subjects of events without a location may be missing, and dates may be years or months';

/** Whether the records of some kinds may have a supplement. */
export function needsSupplement(kinds: readonly Kind[]): boolean {
  return kinds.includes('person') || kinds.includes('event');
}

/** Whether a name in a proof is a journal's. */
export function isJournalName(name: string): boolean {
  return name.startsWith(`${JOURNAL_FOLDER}/`) && name.endsWith('.journal');
}
