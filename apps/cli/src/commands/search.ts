import { ArchiveError, createClient } from '@archiefkast/client';
import { type Connection, connect } from '@archiefkast/client/internal';
import { type Declared, defineCommand, flag, number, text } from '@archiefkast/command-line';
import { describeRecord } from '@archiefkast/formats/describe-record';
import { grouped, printable } from '@archiefkast/system';
import type { Kind, SearchEntry } from '@archiefkast/types';
import { nameOfRecord } from '@archiefkast/types/internal/fields';
import type { Argv } from 'yargs';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printTable } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';
import { briefOptions } from './connection.ts';
import { CONNECTION_NUMBERS, connectionOptions, KIND_NAMES, parseKind, several } from './options.ts';
import { openRecordPage } from './show.ts';

const DEFAULT_LIMIT = 20;

/** A last name with a particle, which is stored in `infix` instead of `last_name`. */
const PARTICLES =
  /^((?:(?:aan|de|del|den|der|des|di|du|in|la|le|of|op|te|ten|ter|'t|van|ver|von|y)\s+)+)(\S.*)$/i;

function searchOptions(yargs: Argv) {
  return connectionOptions(yargs)
    .positional('query', {
      ...text('Words, or field:value [default: all records]'),
      array: true,
      default: [],
    })
    .options({
      'last-name': several('Find persons whose last name contains this'),
      city: several('Find locations in this city'),
      kind: { ...several('Only hits of this kind; can be repeated'), choices: KIND_NAMES },
      limit: number('Maximum number of hits [default: 20]'),
      all: flag('Print all hits'),
      count: flag('Print only the number of hits'),
      ris: flag('Print all hits as references in RIS, for Zotero'),
      web: flag("Open the first hit's page in a browser"),
      format: {
        ...text('Output format [default: table]'),
        choices: ['table', 'json', 'jsonl', 'csv'] as const,
      },
      json: flag('Print JSON: --format json'),
    });
}

/** With what follows `--`. */
type SearchSettings = Declared<typeof searchOptions> & { '--'?: readonly unknown[] };

/** Prints the hits of a query, best first. */
export const searchCommand = defineCommand({
  options: searchOptions,
  numbers: { ...CONNECTION_NUMBERS, limit: { least: 1, whole: true } },
  texts: ['query', 'last-name', 'city', 'contact'],
  rules: {
    excluding: [
      ['json', 'format'],
      ['limit', 'all'],
      ['count', 'web'],
      ['ris', 'count'],
      ['ris', 'web'],
      ['ris', 'lenient'],
      ...['count', 'web', 'ris'].flatMap((one) =>
        ['limit', 'all', 'format', 'json'].map((other) => [one, other] as const),
      ),
    ],
  },
  examples: [
    ['search christiaan huygens --base-url http://localhost:3000', 'Finds records with these words'],
    ['search --city Leiden --format csv', 'Prints locations in a city, of the archive at $ARCHIVE_URL'],
  ],
  async run(context: CommandContext, settings: SearchSettings): Promise<ExitCode> {
    const { stdout, stderr } = context;
    const options = await briefOptions(context, settings);
    const client = createClient(options);
    const { all, limit = DEFAULT_LIMIT, web, json } = settings;
    const { format = json ? 'json' : 'table' } = settings;
    const kinds = [...new Set(settings.kind?.map(parseKind))];
    const query = queryOf(settings, kinds);
    if (query === '') stderr.write('No query: these are all records.\n');
    if (settings.ris) return await printReferences(context, settings, connect(options), query);
    const pages = client.search(query).pages();
    const most = web ? 1 : all ? Number.POSITIVE_INFINITY : limit;
    const { csvLine } = await import('@archiefkast/formats/write-csv');
    if (format === 'csv' && !web && !settings.count) stdout.write(csvLine(CSV_HEADER));
    const hits: SearchEntry[] = [];
    let shown = 0;
    let count = 0;
    for await (const page of pages) {
      const odd = kinds.length > 0 && page.results.find(({ type }) => !kinds.includes(type));
      if (odd)
        throw new ArchiveError(
          `${page.url}: expected ${kinds.join(' and ')} records only, not a ${odd.type}`,
        );
      if (settings.count) {
        stdout.write(`${page.count}\n`);
        return EXIT.done;
      }
      const wanted = page.results.slice(0, most - shown);
      for (const hit of wanted) {
        if (web) await openRecordPage(context, hit.instance);
        else if (format === 'csv') stdout.write(csvLine(csvRow(hit)));
        else if (format === 'jsonl') stdout.write(`${JSON.stringify(hit)}\n`);
        else hits.push(hit);
      }
      ({ count } = page);
      shown += wanted.length;
      if (shown >= most) break;
    }
    if (format === 'json' && !web) stdout.write(`${JSON.stringify(hits, null, 2)}\n`);
    if (shown === 0) stderr.write('Nothing was found.\n');
    if (hits.length > 0 && format === 'table') await printHitTable(context, settings, hits, count);
    if (shown === 0) hintAtParticles(context, settings);
    return EXIT.done;
  },
});

/** The query of the words and options. */
function queryOf(settings: SearchSettings, kinds: readonly Kind[]): string {
  const clauses = [
    // Before the others, since an open quote extends to the end.
    kinds.map((kind) => `kind:${kind}`).join(' OR '),
    ...settings.query,
    ...(settings['--'] ?? []).map(String),
    ...(settings.lastName ?? []).map((name) => `last_name:${name}`),
    ...(settings.city ?? []).map((name) => `city:${name}`),
  ];
  return clauses.filter((clause) => clause.trim()).join(' ');
}

/** Prints all hits in RIS, as the archive writes them. */
async function printReferences(
  context: CommandContext,
  settings: SearchSettings,
  { baseUrl, language, bytes }: Connection,
  query: string,
): Promise<ExitCode> {
  const url = `${baseUrl}/${language}/api/search.ris?${new URLSearchParams(query === '' ? {} : { q: query })}`;
  // Whole before it is printed, so that a retry prints nothing twice.
  const { body } = await bytes({ url, etag: undefined }, (chunks) => Array.fromAsync(chunks));
  context.stdout.write(Buffer.concat(body).toString());
  if (body.length === 0) {
    context.stderr.write('Nothing was found.\n');
    hintAtParticles(context, settings);
  }
  return EXIT.done;
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

function csvRow({ type, instance, score }: SearchEntry): string[] {
  const { date, place } = describeRecord(instance);
  return [type, nameOfRecord(instance), date, place, String(Number(score.toFixed(3))), instance.uuid];
}

/** The other values are printed below the title, so that a table fits 60 characters. */
const TITLES = ['type', 'title, date, place, uuid'];
const HEADER = ['type', 'title', 'date', 'place', 'uuid'];

/** Prints hits as a table, and their number to stderr. @param count of all hits */
async function printHitTable(
  context: CommandContext,
  { all }: SearchSettings,
  hits: readonly SearchEntry[],
  count: number,
): Promise<void> {
  const rows = hits.map(({ type, instance }) => {
    const { date, place } = describeRecord(instance);
    return [
      type,
      printable(nameOfRecord(instance)),
      date,
      printable(place),
      printable(instance.uuid),
    ] as const;
  });
  await printTable(context, {
    titles: TITLES,
    rows: rows.map(([type, title, date, place, uuid]) => [
      type,
      [title, [date, place].filter(Boolean).join(' · '), uuid].filter(Boolean).join('\n'),
    ]),
    plain: { header: HEADER, rows },
  });
  const more = all || hits.length === count ? '' : ' --all shows all, --limit N more or fewer.';
  context.stderr.write(`${grouped(hits.length)} of ${grouped(count)} shown.${more}\n`);
}
