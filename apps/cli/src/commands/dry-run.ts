import { createClient } from '@archive/client';
import { COLLECTIONS, PAGE_SIZE } from '@archive/types';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { fitTable } from '../terminal/fit-table.ts';
import { duration, grouped } from '../terminal/numbers.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { type HarvestSettings, harvestConcurrency } from './harvest.ts';

/** `archive-cli harvest --dry-run`: the records and requests of a harvest, and the time it would take. */
export async function dryRun(
  context: CommandContext,
  settings: Omit<HarvestSettings, 'out' | 'formats'>,
): Promise<ExitCode> {
  const { pagesAtOnce, concurrency } = harvestConcurrency(settings);
  const client = createClient({ ...(await clientOptions(context, settings)), concurrency });
  const rows: string[][] = [];
  let requests = 0;
  let records = 0;
  let slowest = 0;
  for (const kind of settings.kinds) {
    const list = client.records(kind);
    const page = await list.readPage(list.url);
    const began = performance.now();
    if (page?.next) await list.readPage(page.next);
    const seconds = (performance.now() - began) / 1000;
    const count = page?.count ?? 0;
    const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
    rows.push([COLLECTIONS[kind], grouped(count), grouped(pages)]);
    requests += pages;
    records += count;
    slowest = Math.max(slowest, (pages * seconds) / pagesAtOnce);
  }
  rows.push(['all', grouped(records), grouped(requests)]);
  const columns = ['kind', 'records', 'requests'].map((title) => ({ title }));
  context.stdout.write(fitTable(columns, rows, context.stdout.columns ?? 80, false));
  const seconds = Math.max(slowest, settings.rate ? requests / settings.rate : 0);
  context.stdout.write(`About ${duration(seconds)}, as fast as the server answered just now.\n`);
  return EXIT.done;
}
