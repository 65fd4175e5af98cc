import { join } from 'node:path';
import { FolderError } from '@archiefkast/client/node';
import { withTemporaryFolder } from '@archiefkast/system';
import { type FileProof, fileProof } from './file-proof.ts';
import type { FormatFile } from './format.ts';
import { produceFiles } from './produce-files.ts';

/** Distinguishes files that archive-cli wrote from files of the user. */
export interface OwnFiles {
  /**
   * Refuses to overwrite files of the user, before anything is written.
   *
   * @param plans the files that would be written from each finished journal
   * @throws FileInTheWayError naming all of them
   */
  check(names: readonly string[], plans: readonly (readonly FormatFile[])[]): Promise<void>;
  /** Whether a file matches the proof. */
  isProven(name: string): Promise<boolean>;
  /** Refuses to overwrite a file of the user. @throws FileInTheWayError */
  checkWriting(proof: FileProof): Promise<void>;
}

/** Options of `createOwnFiles`. */
export interface OwnFilesOptions {
  folder: string;
  /** The files of the proof; empty without a proof. */
  proven: readonly { name: string; sha256: string }[];
  /** Whether every file may be overwritten. */
  force: boolean;
}

/**
 * Creates the check for a folder. A file is archive-cli's if it matches the proof or what would be written now, so that a
 * harvest that was killed between its files and its proof can resume.
 */
export function createOwnFiles({ folder, proven, force }: OwnFilesOptions): OwnFiles {
  const known = new Set(proven.map(({ name, sha256 }) => `${name} ${sha256}`));

  async function refuse(names: readonly string[]): Promise<void> {
    if (names.length > 0 && !force) throw new FileInTheWayError(folder, names);
  }

  async function isOurs(name: string, plans: readonly (readonly FormatFile[])[]): Promise<boolean> {
    const found = await hashOf(folder, name);
    if (found === 'none' || known.has(`${name} ${found}`)) return true;
    for (const file of plans.flat().filter((planned) => planned.name === name)) {
      if ((await produceElsewhere(file)) !== found) continue;
      known.add(`${name} ${found}`);
      return true;
    }
    return false;
  }

  return {
    async check(names, plans) {
      const others: string[] = [];
      for (const name of names) if (!(await isOurs(name, plans))) others.push(name);
      await refuse(others);
    },
    async checkWriting({ name, sha256 }) {
      const found = await hashOf(folder, name);
      const isOwn = found === 'none' || found === sha256 || known.has(`${name} ${found}`);
      await refuse(isOwn ? [] : [name]);
    },
    isProven: async (name) => known.has(`${name} ${await hashOf(folder, name)}`),
  };
}

/** SHA-256 of a file; `none` if it is missing, undefined if it is a folder. */
async function hashOf(folder: string, name: string): Promise<string | 'none' | undefined> {
  try {
    return (await fileProof(join(folder, name), name)).sha256;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return 'none';
    if (code === 'EISDIR') return undefined;
    throw error;
  }
}

/** Files that archive-cli did not write, or that changed since, would be overwritten. */
export class FileInTheWayError extends FolderError {
  override name = 'FileInTheWayError';

  constructor(folder: string, names: readonly string[]) {
    const were = names.length === 1 ? 'was' : 'were';
    super(
      `${names.map((name) => join(folder, name)).join(', ')} ${were} not written by archive-cli, or changed since; ` +
        'move what you want to keep, or use --force to overwrite it',
    );
  }
}

/** Writes a file to a temporary folder; returns its SHA-256. */
async function produceElsewhere(file: FormatFile): Promise<string | undefined> {
  return await withTemporaryFolder('archive-cli-', async (folder) => {
    const [proof] = await produceFiles([file], { folder });
    return proof?.sha256;
  });
}
