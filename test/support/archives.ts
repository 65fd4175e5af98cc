import { publishBundle } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { type Snapshot, takeSnapshot } from '../../support/snapshot.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const RECORDS = 400;

/** A bundle, and the responses for it. */
export interface Archive {
  bundle: string;
  served: Snapshot;
}

/**
 * Creates bundles, and reads the expected responses for each from a separate server on SQLite.
 *
 * @param folder contains the bundles
 * @param baseUrl the root of every link
 */
export async function makeArchives(count: number, folder: string, baseUrl: string): Promise<Archive[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, seed) => {
      const bundle = await makeBundle(folder, { records: RECORDS, seed, busyPlace: 60 });
      const database = await createTestDatabase('sqlite');
      await publishBundle(database, bundle);
      const server = await serveDatabase(database, { BASE_URL: baseUrl });
      const served = await takeSnapshot(server);
      await server.stop();
      await database.drop();
      return { bundle, served };
    }),
  );
}

/** The sample pages that differ from those of the archive. */
export function differences(archive: Archive, pages: Snapshot): string[] {
  return [...archive.served].filter(([path, body]) => pages.get(path) !== body).map(([path]) => path);
}
