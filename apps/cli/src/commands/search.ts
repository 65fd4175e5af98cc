import { type Client, createClient } from '@archive/client';
import { csvLine, type Kind, type SearchEntry } from '@archive/types';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type RecordSummary, summarise } from '../terminal/describe-record.ts';
import { fitTable, type TableColumn } from '../terminal/fit-table.ts';
import { grouped } from '../terminal/numbers.ts';
import type { CommandContext } from './command-context.ts';
import { type ConnectionSettings, clientOptions } from './connection.ts';

/** The forms in which hits are printed. */
export const SEARCH_FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;

/** What `archive-cli search` is told. */
export interface SearchSettings extends ConnectionSettings {
  query: string;
  lastName?: string | undefined;
  city?: string | undefined;
  kind?: Kind | undefined;
  limit: number;
  all: boolean;
  format: (typeof SEARCH_FORMATS)[number];
}

/** `archive-cli search`: the hits of a query, best first. */
export async function searchCommand(context: CommandContext, settings: SearchSettings): Promise<ExitCode> {
  const client = createClient(await clientOptions(context, settings));
  const hits = limitedHits(client, settings);
  if (settings.format === 'jsonl') {
    for await (const { hit } of hits) context.stdout.write(`${JSON.stringify(hit)}\n`);
    return EXIT.done;
  }
  if (settings.format === 'csv') {
    context.stdout.write(csvLine(CSV_HEADER));
    for await (const { hit } of hits) context.stdout.write(csvLine(csvRow(hit)));
    return EXIT.done;
  }
  const found: SearchEntry[] = [];
  let count = 0;
  for await (const { hit, of } of hits) {
    found.push(hit);
    count = of;
  }
  if (settings.format === 'json') context.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  else printTable(context, found, count, settings);
  return EXIT.done;
}

/** The query that the options come to: `last_name:X`, `city:Y` and the words of the query itself. */
export function queryOf({
  query,
  lastName,
  city,
}: Pick<SearchSettings, 'query' | 'lastName' | 'city'>): string {
  const clauses = [query, lastName && `last_name:${lastName}`, city && `city:${city}`];
  return clauses.filter(Boolean).join(' ');
}

async function* limitedHits(
  client: Client,
  settings: SearchSettings,
): AsyncGenerator<{ hit: SearchEntry; of: number }> {
  const limit = settings.all ? Number.POSITIVE_INFINITY : settings.limit;
  let shown = 0;
  for await (const page of client.search(queryOf(settings)).pages()) {
    for (const hit of page.results) {
      if (settings.kind && hit.type !== settings.kind) continue;
      yield { hit, of: page.count };
      shown += 1;
      if (shown >= limit) return;
    }
  }
}

/** A uuid stands below the title, so that a table fits 80 characters. */
const COLUMNS: readonly TableColumn[] = [
  { title: 'type' },
  { title: 'title, uuid', least: 36 },
  { title: 'date', least: 10 },
  { title: 'place', least: 8 },
];

const CSV_HEADER = ['type', 'title', 'date', 'place', 'score', 'uuid'];

function tableRow(hit: SearchEntry): string[] {
  const { title, date, place } = summaryOf(hit);
  return [hit.type, `${title}\n${hit.instance.uuid}`, date, place];
}

function csvRow(hit: SearchEntry): string[] {
  const { title, date, place } = summaryOf(hit);
  return [hit.type, title, date, place, String(Number(hit.score.toFixed(3))), hit.instance.uuid];
}

function summaryOf(hit: SearchEntry): RecordSummary {
  switch (hit.type) {
    case 'person':
      return summarise('person', hit.instance);
    case 'subject':
      return summarise('subject', hit.instance);
    case 'location':
      return summarise('location', hit.instance);
    case 'event':
      return summarise('event', hit.instance);
  }
}

function printTable(
  { stdout, stderr, environment }: CommandContext,
  hits: readonly SearchEntry[],
  count: number,
  { kind, all }: SearchSettings,
): void {
  if (hits.length === 0) {
    stderr.write('Nothing was found.\n');
    return;
  }
  const color = stdout.isTTY === true && !environment['NO_COLOR'];
  stdout.write(fitTable(COLUMNS, hits.map(tableRow), stdout.columns ?? 120, color));
  const of = kind
    ? `${grouped(hits.length)} of kind ${kind}`
    : `${grouped(hits.length)} of ${grouped(count)}`;
  stderr.write(
    `${of} shown.${all || hits.length === count ? '' : ' --all shows all, --limit N more or fewer.'}\n`,
  );
}
