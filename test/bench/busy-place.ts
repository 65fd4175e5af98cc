import { join } from 'node:path';
import { createDatabase, type Engine } from '../support/create-database.ts';
import { atMost } from './aim.ts';
import { generateBundle } from './generate-bundle.ts';
import { loadOnceEach } from './load.ts';
import { measurePublish, startMeasuredApi } from './processes.ts';
import type { MeasuredArchive } from './report.ts';
import { summarise } from './statistics.ts';

const EVENTS = 2000;
const CLIENTS = 16;

/** A location with 2,000 events: its pages of events contain it ten times. 16 concurrent clients request them. */
export async function measureBusyPlace(
  engine: Engine,
  mysqlUrl: string | null,
  folder: string,
): Promise<MeasuredArchive> {
  const bundle = join(folder, `busy-${engine}`);
  const records = 3000;
  await generateBundle({ folder: bundle, records, busyPlace: EVENTS });
  const database = await createDatabase(engine, mysqlUrl);
  try {
    await measurePublish(database, bundle);
    const server = await startMeasuredApi(database);
    const urls = Array.from(
      { length: 3 * CLIENTS },
      (_, index) => `${server.origin}/en/api/events?page=${index + 1}`,
    );
    const { latencies } = await loadOnceEach(urls, CLIENTS);
    const peak = server.peakMemory();
    await server.stop();
    return {
      engine,
      records,
      name: 'busy place',
      measurements: [
        { scenario: 'busy place: event page, 16 clients', unit: 'ms', value: summarise(latencies) },
        { scenario: 'busy place: largest memory', unit: 'MB', value: summarise([peak]), aim: atMost(300) },
      ],
      throughput: [],
    };
  } finally {
    await database.drop();
  }
}
