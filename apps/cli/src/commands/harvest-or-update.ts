import { join } from 'node:path';
import { createClient, parseBaseUrl } from '@archiefkast/client';
import { HarvestStore, STORE_FILE, type Walk } from '@archiefkast/client/node';
import { UsageError } from '@archiefkast/system/command-line';
import { COLLECTIONS, KINDS, type Kind, PAGE_SIZE } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { duration, grouped } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import { clientOptions } from './connection.ts';
import { type HarvestSettings, harvestCommand, harvestConcurrency, runHarvest } from './harvest.ts';
import { parseKind, type ReportFormat } from './options.ts';

/** Arguments of `archive-cli harvest`. */
export interface HarvestArguments extends Omit<HarvestSettings, 'kinds' | 'out'> {
  kinds?: readonly string[] | undefined;
  out?: string | undefined;
  update?: string | undefined;
  dryRun: boolean;
  report?: ReportFormat | undefined;
}

/**
 * `archive-cli harvest`: harvests, updates a harvest, or estimates one.
 *
 * @throws UsageError if options exclude each other
 */
export async function harvestOrUpdate(context: CommandContext, given: HarvestArguments): Promise<ExitCode> {
  const { out, update: folder, dryRun: isDryRun, report, kinds: names = [], ...rest } = given;
  const asked = names.map(parseKind);
  const settings = { ...rest, kinds: KINDS.filter((kind) => asked.length === 0 || asked.includes(kind)) };
  refuse(
    out !== undefined && folder !== undefined,
    '--out and --update exclude each other: expected one folder',
  );
  refuse(isDryRun && folder !== undefined, '--dry-run and --update exclude each other');
  refuse(report !== undefined && folder === undefined, '--report: expected only with --update');
  for (const option of ['bom', 'both', 'html'] as const) {
    const tables = option === 'bom' ? ['csv'] : ['csv', 'xlsx'];
    const isUseless = given[option] && given.format?.some((format) => tables.includes(format)) === false;
    refuse(isUseless, `--${option}: expected only with --format ${tables.join(' or ')}`);
  }
  refuse(isDryRun && given.from === 'dumps', '--dry-run and --from dumps exclude each other');
  if (isDryRun) return dryRun(context, settings);
  if (folder !== undefined) {
    refuseOtherWalk(folder, given);
    const { kinds: _, ...updated } = settings;
    const { updateHarvest } = await import('./update.ts');
    return runHarvest(context, settings, (progress) =>
      updateHarvest(context, { ...updated, folder, report: report ?? 'table' }, progress),
    );
  }
  refuse(out === '-', '--out -: expected a folder; to write one file to stdout, use archive-cli export');
  if (out === undefined) throw new UsageError('--out: expected the folder to write to');
  return runHarvest(context, settings, (progress) => harvestCommand(context, { ...settings, out }, progress));
}

function refuse(isWrong: boolean, why: string): void {
  if (isWrong) throw new UsageError(why);
}

/** Rejects options of an update that differ from those of the harvest. */
function refuseOtherWalk(folder: string, { kinds, lang, baseUrl }: HarvestArguments): void {
  using store = HarvestStore.read(join(folder, STORE_FILE));
  const walk = store?.walk;
  if (!walk) return;
  const keeps = (what: string) => `--update keeps the ${what} of the harvest in ${folder}`;
  const isOther = (names: readonly string[], harvested: Walk['kinds']) =>
    names.map(parseKind).toSorted().join() !== harvested.toSorted().join();
  if (kinds && kinds.length > 0)
    refuse(isOther(kinds, walk.kinds), `${keeps('kinds')}: ${walk.kinds.join(', ')}`);
  refuse(lang !== undefined && lang !== walk.language, `--lang: ${keeps('language')}: ${walk.language}`);
  const isElsewhere = baseUrl !== undefined && parseBaseUrl(baseUrl) !== walk.source;
  refuse(isElsewhere, `--base-url: ${keeps('address')}: ${walk.source}`);
}

const HEADER = ['kind', 'records', 'requests'];

/** `archive-cli harvest --dry-run`: estimates records, requests and time of a harvest. */
async function dryRun(
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
  const { printTable } = await import('../terminal/table.ts');
  await printTable(context, {
    titles: HEADER,
    rows: rows.map(([name, ...numbers]) => [name, ...numbers.map(grouped)]),
    plain: { header: HEADER, rows: rows.map((row) => row.map(String)) },
  });
  context.stderr.write(`About ${duration(seconds)}, at the current response time of the server.\n`);
  return EXIT.done;
}
