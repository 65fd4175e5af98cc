import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishBundle } from './api-process.ts';
import { createDatabase, type DatabasePlace, dropDatabase, type Engine } from './create-database.ts';
import { writeFixture } from './fixture/fixture-bundle.ts';
import { SAMPLE } from './sample.ts';

/** The bundles that are published once per run, for tests that only read; each is written first if necessary. */
const BUNDLES = {
  fixture: (folder: string) => writeFixture(join(folder, 'bundle')),
  sample: async () => SAMPLE,
};

/** The name of a bundle that is published once in a run. */
export type SharedBundle = keyof typeof BUNDLES;

/**
 * Publishes a bundle, unless another test of this run has done so. If several do so concurrently, one result is kept.
 *
 * @param notes a folder of this run that records what was published where
 * @param server address of the MySQL or MariaDB server; null if there is none
 * @throws Error with the output of the program if publishing fails
 */
export async function publishOnce(
  bundle: SharedBundle,
  engine: Engine,
  notes: string,
  server: string | null,
): Promise<DatabasePlace> {
  const note = join(notes, `${bundle}-${engine}`);
  const published = await readNote(note);
  if (published) return published;
  const { drop, ...place } = await createDatabase(engine, server);
  await publishBundle(place, await BUNDLES[bundle](place.folder));
  const written = join(place.folder, 'note.json');
  await writeFile(written, JSON.stringify(place));
  try {
    await link(written, note);
    return place;
  } catch (error) {
    await drop();
    const kept = await readNote(note);
    if (!kept) throw error;
    return kept;
  }
}

/** Drops the archives that were published once in a run, and the folder of its notes. */
export async function dropSharedArchives(notes: string): Promise<void> {
  for (const name of await readdir(notes)) {
    const place = await readNote(join(notes, name));
    if (place) await dropDatabase(place);
  }
  await rm(notes, { recursive: true });
}

/** Where an archive was published; undefined if it was not. Notes are written atomically. */
async function readNote(note: string): Promise<DatabasePlace | undefined> {
  try {
    return JSON.parse(await readFile(note, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
