import { join } from 'node:path';
import { FolderError } from '@archiefkast/client/node';
import { withTemporaryFolder } from '@archiefkast/system';
import { type FileProof, fileProof } from './file-proof.ts';
import type { FormatFile } from './format.ts';
import { produceFiles } from './produce-files.ts';

/** Tells the files in a folder that archive-cli has written from those of its user. */
export interface OwnFiles {
  /**
   * Refuses files that are the user's, before they are written.
   *
   * @param plans what would be written, by each of the journals that are at their ends: the same names
   * @throws FileInTheWayError naming them all
   */
  check(names: readonly string[], plans: readonly (readonly FormatFile[])[]): Promise<void>;
  /** Whether a file is as the proof says. */
  isProven(name: string): Promise<boolean>;
  /** Refuses to write over a file that is the user's. @throws FileInTheWayError */
  checkWriting(proof: FileProof): Promise<void>;
}

/** How files are told apart. */
export interface OwnFilesOptions {
  folder: string;
  /** What a proof says was written, if there is one. */
  proven: readonly { name: string; sha256: string }[];
  /** Whether everything may be replaced. */
  force: boolean;
}

/**
 * A file is ours when its bytes are what the proof says, or what would be written now: a harvest that was killed
 * between its files and its proof goes on.
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

/** The SHA-256 of what stands at a name; it has none when it is no file. */
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

/** Files would be written over that archive-cli has not written, or that were changed since. */
export class FileInTheWayError extends FolderError {
  override name = 'FileInTheWayError';

  constructor(folder: string, names: readonly string[]) {
    const are = names.length === 1 ? 'is not as archive-cli wrote it' : 'are not as archive-cli wrote them';
    super(
      `${names.map((name) => join(folder, name)).join(', ')} ${are}, and would be lost; ` +
        'move what you want to keep, or say --force to write over it',
    );
  }
}

/** Writes a file into a folder of its own, and removes it; returns the SHA-256 of what it holds. */
async function produceElsewhere(file: FormatFile): Promise<string | undefined> {
  return await withTemporaryFolder('archive-cli-', async (folder) => {
    const [proof] = await produceFiles([file], { folder });
    return proof?.sha256;
  });
}
