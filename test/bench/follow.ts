import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsFor } from '../support/api-process.ts';
import { createDatabase } from '../support/create-database.ts';
import type { DatabaseServer } from './database-server.ts';
import { type Cost, runMeasured, startApi } from './processes.ts';
import { countProcessorTime } from './processor-time.ts';
import { publish } from './publish.ts';
import type { Measured } from './report.ts';

/**
 * Brings two copies of an archive up to date in which 100 records changed: one by `follow`, one by what it is made of,
 * `harvest --update` and `publish`.
 *
 * @param api archive-api.js
 * @param cli archive-cli.js
 * @param server of MariaDB; undefined for SQLite
 * @param changed the bundle with other records
 */
export async function measureFollow(
  { api, cli }: { api: string; cli: string },
  server: DatabaseServer | undefined,
  { bundle, changed }: { bundle: string; changed: string },
  measured: Measured,
): Promise<void> {
  await using open = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'archive-bench-'));
  open.defer(() => rm(folder, { recursive: true, force: true }));
  const create = async () => {
    const database = await createDatabase(server ? 'mysql' : 'sqlite', server?.url ?? null);
    open.defer(() => database.drop());
    return database;
  };
  const [original, following, parts] = [await create(), await create(), await create()];
  await publish(api, original, bundle, server);
  const served = await startApi(api, original);
  open.defer(served.stop);

  const harvested = join(folder, 'harvest');
  const follow = async () => {
    await server?.settle();
    const count = server && countProcessorTime([server.pid]);
    const settings = settingsFor(following, { FOLLOW_DIR: join(folder, 'follow') });
    const cost = await runMeasured([api, 'follow', served.origin, '--once'], settings);
    return { ...cost, cpuSeconds: cost.cpuSeconds + (count?.() ?? 0) / 1000 };
  };
  const harvest = (...more: string[]) => runMeasured([cli, 'harvest', '--quiet', ...more]);
  const add = (what: string, { seconds, cpuSeconds, memory }: Cost) => {
    measured.add('now', what, 's', seconds);
    measured.add('now', what, 's of CPU', cpuSeconds);
    measured.add('now', `${what}: memory`, 'MB', memory);
  };

  add('first follow', await follow());
  await harvest('--full', '--format', 'jsonl', '--base-url', served.origin, '--out', harvested);
  await publish(api, parts, harvested, server);
  const { key } = await editionOf(served.origin);
  await publish(api, original, changed, server);
  while ((await editionOf(served.origin)).key === key);

  const whole = await follow();
  const [update, published] = [
    await harvest('--update', harvested),
    await publish(api, parts, harvested, server),
  ];
  add('follow of 100 changed', whole);
  measured.add('now', 'harvest --update of 100 changed', 's of CPU', update.cpuSeconds);
  measured.add('now', 'harvest --update of 100 changed: memory', 'MB', update.memory);
  const share = whole.cpuSeconds / (update.cpuSeconds + published.cpuSeconds);
  measured.add('now', 'follow of 100 changed, CPU', 'of update and publish', share);
}

async function editionOf(origin: string): Promise<{ key: string }> {
  const { edition } = await (await fetch(`${origin}/en/api`)).json();
  return edition;
}
