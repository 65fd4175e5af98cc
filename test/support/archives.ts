import { publishBundle } from './api-process.ts';
import { serveDatabase } from './api-server.ts';
import { makeBundle } from './bundles.ts';
import { SAMPLE_PATHS, type Snapshot, takeSnapshot } from './snapshot.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createTestDatabase } from './test-database.ts';

/** A bundle, and the responses for it. */
export interface Archive {
  bundle: string;
  served: Snapshot;
}

/**
 * Creates bundles, and reads the expected responses for each from a separate server on SQLite.
 *
 * @param baseUrl the root of every link
 */
export async function makeArchives(
  count: number,
  baseUrl: string,
  { records = 400, paths = SAMPLE_PATHS } = {},
): Promise<Archive[]> {
  const folder = await temporaryFolder();
  return await Promise.all(
    Array.from({ length: count }, async (_, seed) => {
      const bundle = await makeBundle(folder, { records, seed, busyPlace: 60 });
      const database = await createTestDatabase('sqlite');
      await publishBundle(database, bundle);
      const server = await serveDatabase(database, { BASE_URL: baseUrl });
      const served = await takeSnapshot(server, paths);
      await server.stop();
      return { bundle, served };
    }),
  );
}

/** The sample pages that differ from those of the archive. */
export function differences(archive: Archive, pages: Snapshot): string[] {
  return [...archive.served].filter(([path, body]) => pages.get(path) !== body).map(([path]) => path);
}
