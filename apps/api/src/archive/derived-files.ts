import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { type EditionContents, listEditionKeys } from '../editions/edition.ts';

/** The files that a node derives from the editions it serves: what is missing is made anew. */
export interface DerivedFiles {
  /** Where a file of an edition goes. */
  path(edition: Pick<EditionContents, 'key'>, name: string): string;
  /** Makes the folder that they are in. */
  prepare(): Promise<void>;
  /** Deletes the files of editions that the database does not have any more. */
  sweep(): Promise<void>;
}

/** The derived files of a database, in a folder of its own. */
export function createDerivedFiles(
  database: Database,
  config: Pick<Config, 'database' | 'derivedFolder'>,
): DerivedFiles {
  const identity = config.database.engine === 'sqlite' ? config.database.file : config.database.url;
  const folder = join(config.derivedFolder, createHash('sha256').update(identity).digest('hex').slice(0, 12));
  const prefix = (key: string) => `${key}.`;

  return {
    path: ({ key }, name) => join(folder, prefix(key) + name),
    async prepare() {
      await mkdir(folder, { recursive: true });
    },
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      const kept = (await listEditionKeys(database)).map(prefix);
      const stale = names.filter((name) => !kept.some((start) => name.startsWith(start)));
      await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}
