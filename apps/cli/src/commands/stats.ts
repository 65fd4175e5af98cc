import type { HarvestStore } from '@archiefkast/client/node';
import { defineCommand, flag, required } from '@archiefkast/command-line';
import { grouped, printable } from '@archiefkast/system';
import { type Kind, LANGUAGES } from '@archiefkast/types';
import { isEmpty, KIND_FACTS } from '@archiefkast/types/internal';
import stringWidth from 'string-width';
import { EXIT } from '../exit-code.ts';
import { openRecords } from '../open-records.ts';
import { eachReference, keyOfReference } from '../proof/references.ts';
import type { CommandContext } from './command-context.ts';
import { FOLDER } from './options.ts';

/** Prints statistics of a harvest or a bundle. */
export const statsCommand = defineCommand({
  options: (yargs) => yargs.positional('folder', required(FOLDER)).option('json', flag('Print JSON')),
  examples: [
    ['stats harvest', 'Counts the records of a harvest'],
    ['stats my-archive --json', 'Counts those of a bundle, for a program'],
  ],
  async run(context: CommandContext, { folder, json }) {
    const { stdout } = context;
    using store = await openRecords(folder, context);
    const result = statisticsOf(store);
    const text = () => printable(statisticsText(result, stdout.columns ?? 80), { keepLines: true });
    stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : text());
    return EXIT.done;
  },
});

/** Spaces between a name, its number and its bar. */
const GAP = 2;
const WIDEST_BAR = 40;

/** Statistics as text, with a bar for each number. @param width maximum width of lines, in characters */
function statisticsText(result: StatisticsResult, width: number): string {
  const records = Object.entries(result.records).map(([kind, count]) => ({
    name: `${kind}s`,
    records: count,
  }));
  const centuries = result.centuries.map(({ name, records: count }) => ({
    name: `${Number(name) * 100 - 99}–${Number(name) * 100}`,
    records: count,
  }));
  const parts: [string, Tally][] = [
    ['Records', records],
    ['Centuries of births and events', centuries],
    ['Places of birth, of death, of locations', result.places],
    ['Subjects that most records name', result.subjects],
    ['Records with a text, by language', result.languages],
    ['Missing', result.missing],
  ];
  const shown = parts.filter(([, tally]) => tally.length > 0);
  return `${shown.map(([title, tally]) => `${title}\n${bars(tally, width)}`).join('\n\n')}\n`;
}

function bars(tally: Tally, width: number): string {
  const most = Math.max(...tally.map(({ records }) => records));
  const numberWidth = grouped(most).length;
  const nameWidth = Math.min(
    Math.max(...tally.map(({ name }) => stringWidth(name))),
    Math.max(10, width - numberWidth - 3 * GAP - 10),
  );
  const barWidth = Math.max(1, Math.min(WIDEST_BAR, width - nameWidth - numberWidth - 3 * GAP));
  return tally
    .map(({ name, records }) => {
      const label = stringWidth(name) > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name;
      const bar = '█'.repeat(Math.max(1, Math.round((barWidth * records) / most)));
      const space = ' '.repeat(nameWidth - stringWidth(label));
      return `  ${label}${space}  ${grouped(records).padStart(numberWidth)}  ${bar}`;
    })
    .join('\n');
}

/** Number of records by name, most frequent first. */
type Tally = { name: string; records: number }[];

type StatisticsResult = ReturnType<typeof statisticsOf>;

/** Maximum number of places and of subjects in the result. */
const MOST = 10;

/**
 * Counts the records of a store: of each kind; births of persons and dates of events by century ("17" is 1601 to 1700); places of
 * birth and death, and cities of locations; subjects; texts by language; records without an expected value.
 */
function statisticsOf(store: HarvestStore) {
  const counts: Partial<Record<Kind, number>> = {};
  const centuries = new Counter();
  const places = new Counter();
  const subjects = new Counter();
  const languages = new Counter();
  const missing = new Counter();
  const names = new Map<string, string>();
  for (const kind of store.kinds) {
    const { begins = [], places: named = [], text, expected = {} } = KIND_FACTS[kind];
    const texts = LANGUAGES.map((language) => `${text}_${language}`);
    for (const record of store.contents(kind)) {
      counts[kind] = (counts[kind] ?? 0) + 1;
      const filled = (field: string) => !isEmpty(record[field]);
      const valuesOf = (fields: readonly string[]) => fields.filter(filled).map((field) => record[field]);
      const year = Number(String(valuesOf(begins)[0]).slice(0, 4));
      if (year > 0) centuries.add(String(Math.ceil(year / 100)));
      for (const place of new Set(valuesOf(named))) places.add(String(place));
      for (const language of LANGUAGES) if (filled(`${text}_${language}`)) languages.add(language);
      for (const [what, fields] of Object.entries({ ...expected, 'a text': texts }))
        if (!fields.some(filled)) missing.add(`${kind} without ${what}`);
      if (kind === 'subject') names.set(String(record['uuid']).toLowerCase(), String(record['name']));
      eachReference(kind, record, (field, _, reference) => {
        if (field === 'subjects') subjects.add(keyOfReference(reference));
      });
    }
  }
  const frequent = subjects.all().slice(0, MOST);
  return {
    records: counts,
    centuries: centuries.all().toSorted((a, b) => Number(a.name) - Number(b.name)),
    places: places.all().slice(0, MOST),
    subjects: frequent.map(({ name, records }) => ({ name: names.get(name) ?? name, records })),
    languages: languages.all(),
    missing: missing.all(),
  };
}

class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Most frequent first, then alphabetically. */
  all(): Tally {
    return [...this.#counts]
      .map(([name, records]) => ({ name, records }))
      .toSorted((a, b) => b.records - a.records || (a.name < b.name ? -1 : 1));
  }
}
