import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsFor } from '../support/api-process.ts';
import type { DatabasePlace } from '../support/create-database.ts';
import type { DatabaseServer } from './database-server.ts';
import { type Cost, runMeasured } from './processes.ts';
import { countProcessorTime } from './processor-time.ts';

/**
 * Publishes a bundle. The cost includes what the database server takes until the program ends; of what it writes, the redo log.
 *
 * @param program archive-api.js
 * @param server of MariaDB; undefined for SQLite
 * @param options of the command
 */
export async function publish(
  program: string,
  database: DatabasePlace,
  bundle: string,
  server: DatabaseServer | undefined,
  ...options: string[]
): Promise<Cost> {
  await server?.settle();
  const count = server && countProcessorTime([server.pid]);
  const redo = (await server?.redoMegabytes()) ?? 0;
  const cost = await runMeasured([program, 'publish', bundle, ...options], settingsFor(database));
  return {
    ...cost,
    cpuSeconds: cost.cpuSeconds + (count?.() ?? 0) / 1000,
    written: cost.written + ((await server?.redoMegabytes()) ?? 0) - redo,
  };
}

/**
 * Writes a bundle next to one of JSON Lines, with some of its records changed.
 *
 * @param records number of records of the bundle
 * @param changed number of those that get another summary in an edition
 * @param edition 1 for the first one with changes; a later one has those of the earlier ones too
 */
export async function changeSome(
  bundle: string,
  { records, changed, edition = 1 }: { records: number; changed: number; edition?: number },
): Promise<string> {
  const folder = `${bundle}-changed`;
  await mkdir(folder, { recursive: true });
  const each = Math.floor(records / changed);
  let place = 0;
  for (const name of await readdir(bundle)) {
    await using file = await open(join(bundle, name));
    async function* lines() {
      for await (const line of file.readLines()) {
        place += 1;
        const isChanged = place % each < edition;
        yield `${isChanged ? JSON.stringify({ ...JSON.parse(line), summary_nl: 'Gewijzigd.' }) : line}\n`;
      }
    }
    await writeFile(join(folder, name), lines());
  }
  return folder;
}
