import { createClient } from '@archiefkast/client';
import { duration, grouped } from '@archiefkast/system';
import { COLLECTIONS, type Kind, PAGE_SIZE } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printTable } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import type { ConnectionSettings } from './options.ts';

const HEADER = ['kind', 'records', 'requests'];

/** `archive-cli harvest --dry-run`: estimates records, requests and time of a harvest. */
export async function dryRun(
  context: CommandContext,
  settings: ConnectionSettings & { concurrency?: number | undefined; json: boolean },
  kinds: readonly Kind[],
): Promise<ExitCode> {
  const client = createClient(await clientOptions(context, settings));
  const found: { kind: Kind; records: number; requests: number }[] = [];
  let slowest = 0;
  for (const kind of kinds) {
    let records = 0;
    let seconds = 0;
    let began: number | undefined;
    for await (const page of client.records(kind).pages()) {
      if (began !== undefined) seconds = (performance.now() - began) / 1000;
      if (began !== undefined) break;
      records = page.count;
      began = performance.now();
    }
    const requests = Math.max(1, Math.ceil(records / PAGE_SIZE));
    found.push({ kind, records, requests });
    slowest = Math.max(slowest, (requests * seconds) / (settings.concurrency ?? 1));
  }
  const records = found.reduce((sum, kind) => sum + kind.records, 0);
  const requests = found.reduce((sum, kind) => sum + kind.requests, 0);
  const seconds = Math.max(slowest, settings.rate ? requests / settings.rate : 0);
  if (settings.json) {
    context.stdout.write(`${JSON.stringify({ kinds: found, records, requests, seconds })}\n`);
    return EXIT.done;
  }
  const rows = [
    ...found.map((one) => [COLLECTIONS[one.kind], one.records, one.requests] as const),
    ['all', records, requests] as const,
  ];
  await printTable(context, {
    titles: HEADER,
    rows: rows.map(([name, ...numbers]) => [name, ...numbers.map(grouped)]),
    plain: { header: HEADER, rows: rows.map((row) => row.map(String)) },
  });
  context.stderr.write(`About ${duration(seconds)}, at the current response time of the server.\n`);
  return EXIT.done;
}
