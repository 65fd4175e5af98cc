import { createClient } from '@archiefkast/client';
import { COLLECTIONS, type Kind, PAGE_SIZE } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { duration, grouped } from '../terminal/numbers.ts';
import { printTable } from '../terminal/print-table.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { type HarvestSettings, harvestConcurrency } from './harvest.ts';

const HEADER = ['kind', 'records', 'requests'];

/** `archive-cli harvest --dry-run`: the records and requests of a harvest, and the time it would take. */
export async function dryRun(
  context: CommandContext,
  settings: Omit<HarvestSettings, 'out' | 'format'>,
): Promise<ExitCode> {
  const { pagesAtOnce, concurrency } = harvestConcurrency(settings);
  const client = createClient({ ...(await clientOptions(context, settings)), concurrency });
  const kinds: { kind: Kind; records: number; requests: number }[] = [];
  let slowest = 0;
  for (const kind of settings.kinds) {
    const list = client.records(kind);
    const page = await list.readPage(list.url);
    const began = performance.now();
    if (page?.next) await list.readPage(page.next);
    const seconds = (performance.now() - began) / 1000;
    const records = page?.count ?? 0;
    const requests = Math.max(1, Math.ceil(records / PAGE_SIZE));
    kinds.push({ kind, records, requests });
    slowest = Math.max(slowest, (requests * seconds) / pagesAtOnce);
  }
  const records = kinds.reduce((sum, kind) => sum + kind.records, 0);
  const requests = kinds.reduce((sum, kind) => sum + kind.requests, 0);
  const seconds = Math.max(slowest, settings.rate ? requests / settings.rate : 0);
  if (settings.json) {
    context.stdout.write(`${JSON.stringify({ kinds, records, requests, seconds })}\n`);
    return EXIT.done;
  }
  const rows = [
    ...kinds.map((one) => [COLLECTIONS[one.kind], one.records, one.requests] as const),
    ['all', records, requests] as const,
  ];
  await printTable(context, {
    columns: HEADER.map((title) => ({ title })),
    rows: rows.map(([name, ...numbers]) => [name, ...numbers.map(grouped)]),
    plain: { header: HEADER, rows: rows.map((row) => row.map(String)) },
  });
  context.stderr.write(`About ${duration(seconds)}, as fast as the server answered just now.\n`);
  return EXIT.done;
}
