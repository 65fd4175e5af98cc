import { type Client, createClient } from '@archiefkast/client';
import { printable } from '@archiefkast/system/terminal';
import type { SearchEntry } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { summaryOf } from '../terminal/describe-record.ts';
import { grouped } from '../terminal/format-number.ts';
import type { CommandContext } from './command-context.ts';
import { BRIEF_RETRIES, type ConnectionSettings, clientOptions } from './connection.ts';
import { parseKind, type SearchFormat } from './options.ts';
import { sayNotice } from './progress.ts';
import { openRecordPage } from './show.ts';

/** Arguments of `archive-cli search`. */
export interface SearchSettings extends ConnectionSettings {
  query: string;
  lastName?: readonly string[] | undefined;
  city?: readonly string[] | undefined;
  /** Names of kinds. */
  kind?: readonly string[] | undefined;
  limit?: number | undefined;
  all: boolean;
  /** Print only the number of hits. */
  count: boolean;
  /** Open the first hit's page in a browser. */
  web: boolean;
  format: SearchFormat;
}

const DEFAULT_LIMIT = 20;

/** A last name with a particle, which is stored in `infix` instead of `last_name`. */
const PARTICLES =
  /^((?:(?:aan|de|del|den|der|des|di|du|in|la|le|of|op|te|ten|ter|'t|van|ver|von|y)\s+)+)(\S.*)$/i;

/** `archive-cli search`: the hits of a query, best first. */
export async function searchCommand(context: CommandContext, settings: SearchSettings): Promise<ExitCode> {
  const options = await clientOptions(context, { ...settings, retries: settings.retries ?? BRIEF_RETRIES });
  const client = createClient({ ...options, onNotice: sayNotice(context) });
  const { all, limit = DEFAULT_LIMIT } = settings;
  const kinds = settings.kind?.map(parseKind);
  if (settings.count) return printCount(context, client, settings, kinds);
  const most = settings.web ? 1 : all ? Number.POSITIVE_INFINITY : limit;
  const hits = limitedHits(client, settings, kinds, most);
  const found = settings.web
    ? await openFirst(context, hits)
    : await printHits(context, settings, kinds, hits);
  if (found === 0) hintAtParticles(context, settings);
  return EXIT.done;
}

/** Builds the query of the options: the words of the query itself, `last_name:X` and `city:Y`. */
export function queryOf({
  query,
  lastName = [],
  city = [],
}: Pick<SearchSettings, 'query' | 'lastName' | 'city'>) {
  const clauses = [
    query,
    ...lastName.map((name) => `last_name:${name}`),
    ...city.map((name) => `city:${name}`),
  ];
  return clauses.filter(Boolean).join(' ');
}

/** A hit, and the number of hits of all kinds. */
interface CountedHit {
  hit: SearchEntry;
  of: number;
}

async function* limitedHits(
  client: Client,
  settings: SearchSettings,
  kinds: readonly Kind[] | undefined,
  most: number,
): AsyncGenerator<CountedHit> {
  let shown = 0;
  for await (const page of client.search(queryOf(settings)).pages()) {
    for (const hit of page.results) {
      if (kinds && !kinds.includes(hit.type)) continue;
      yield { hit, of: page.count };
      shown += 1;
      if (shown >= most) return;
    }
  }
}

async function printCount(
  { stdout }: CommandContext,
  client: Client,
  settings: SearchSettings,
  kinds: readonly Kind[] | undefined,
): Promise<ExitCode> {
  let count = 0;
  for await (const page of client.search(queryOf(settings)).pages()) {
    if (!kinds) {
      count = page.count;
      break;
    }
    count += page.results.filter(({ type }) => kinds.includes(type)).length;
  }
  stdout.write(`${count}\n`);
  return EXIT.done;
}

/** Prints hits in the requested format, and returns their number. */
async function printHits(
  context: CommandContext,
  { format, all }: SearchSettings,
  kinds: readonly Kind[] | undefined,
  hits: AsyncGenerator<CountedHit>,
): Promise<number> {
  const { stdout } = context;
  // Control characters are escaped on a terminal only.
  const write = (text: string) => stdout.write(stdout.isTTY ? printable(text, { keepLines: true }) : text);
  const { csvLine } = await import('@archiefkast/formats/csv');
  if (format === 'csv') write(csvLine(CSV_HEADER));
  const found: SearchEntry[] = [];
  let shown = 0;
  let count = 0;
  for await (const { hit, of } of hits) {
    shown += 1;
    count = of;
    if (format === 'csv') write(csvLine(csvRow(hit)));
    else if (format === 'jsonl') write(`${JSON.stringify(hit)}\n`);
    else found.push(hit);
  }
  if (format === 'json') write(`${JSON.stringify(found, null, 2)}\n`);
  if (format === 'table') await printHitTable(context, { hits: found, count, kinds, all });
  return shown;
}

async function openFirst(context: CommandContext, hits: AsyncGenerator<CountedHit>): Promise<number> {
  for await (const { hit } of hits) {
    await openRecordPage(context, hit.instance);
    return 1;
  }
  context.stderr.write('Nothing was found.\n');
  return 0;
}

function hintAtParticles({ stderr }: CommandContext, { lastName = [] }: SearchSettings): void {
  for (const name of lastName) {
    const [, particle = '', rest] = PARTICLES.exec(name) ?? [];
    if (!rest) continue;
    stderr.write(
      `Last names are stored without the particle "${particle.trim()}": try --last-name "${rest}".\n`,
    );
  }
}

const CSV_HEADER = ['type', 'title', 'date', 'place', 'score', 'uuid'];

function csvRow(hit: SearchEntry): string[] {
  const { title, date, place } = summaryOf(hit.instance);
  return [hit.type, title, date, place, String(Number(hit.score.toFixed(3))), hit.instance.uuid];
}

/** The hits of a search, and its arguments. */
interface PrintedHits {
  hits: readonly SearchEntry[];
  /** Number of hits of all kinds. */
  count: number;
  kinds: readonly Kind[] | undefined;
  all: boolean;
}

/** The other values are printed below the title, so that a table fits 60 characters. */
const TITLES = ['type', 'title, date, place, uuid'];
const HEADER = ['type', 'title', 'date', 'place', 'uuid'];

/** Prints hits as a table, and their number to stderr. */
async function printHitTable(
  context: CommandContext,
  { hits, count, kinds, all }: PrintedHits,
): Promise<void> {
  const { stderr } = context;
  if (hits.length === 0) {
    stderr.write('Nothing was found.\n');
    return;
  }
  const rows = hits.map((hit) => {
    const { title, date, place } = summaryOf(hit.instance);
    return [hit.type, printable(title), date, printable(place), hit.instance.uuid] as const;
  });
  const { printTable } = await import('../terminal/table.ts');
  await printTable(context, {
    titles: TITLES,
    rows: rows.map(([type, title, date, place, uuid]) => [
      type,
      [title, [date, place].filter(Boolean).join(' · '), uuid].filter(Boolean).join('\n'),
    ]),
    plain: { header: HEADER, rows },
  });
  const of = kinds
    ? `${grouped(hits.length)} ${kinds.map((kind) => COLLECTIONS[kind]).join(' and ')}`
    : `${grouped(hits.length)} of ${grouped(count)}`;
  const more = all || hits.length === count ? '' : ' --all shows all, --limit N more or fewer.';
  stderr.write(`${of} shown.${more}\n`);
}
