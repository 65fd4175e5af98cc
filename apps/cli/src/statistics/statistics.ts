import { type Fields, type HarvestStore, recordsOf } from '@archiefkast/client/node';
import { KIND_FACTS, type Kind, LANGUAGES } from '@archiefkast/types';
import { eachReference, keyOfReference } from '../proof/references.ts';
import { kindsOf } from '../records.ts';

/** Number of records by name, most frequent first. */
export type Tally = { name: string; records: number }[];

/** Statistics of a harvest. */
export type StatisticsResult = ReturnType<typeof statisticsOf>;

/** Maximum number of places and of subjects in the result. */
const MOST = 10;

/**
 * Counts the records of a store: of each kind; births of persons and dates of events by century ("17" is 1601 to 1700); places of
 * birth and death, and cities of locations; subjects; texts by language; records without an expected value.
 */
export function statisticsOf(store: HarvestStore) {
  const counts: Partial<Record<Kind, number>> = {};
  const centuries = new Counter();
  const places = new Counter();
  const subjects = new Counter();
  const languages = new Counter();
  const missing = new Counter();
  const names = new Map<string, string>();
  for (const { kind, record } of recordsIn(store)) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    const filled = (field: string) => isFilled(record[field]);
    const valuesOf = (fields: readonly string[]) => fields.map((field) => record[field]).filter(isFilled);
    const { begins = [], places: named = [], text, expected = {} } = KIND_FACTS[kind];
    const year = Number(String(valuesOf(begins)[0]).slice(0, 4));
    if (year > 0) centuries.add(String(Math.ceil(year / 100)));
    for (const place of new Set(valuesOf(named))) places.add(String(place));
    for (const language of LANGUAGES) if (filled(`${text}_${language}`)) languages.add(language);
    const texts = LANGUAGES.map((language) => `${text}_${language}`);
    for (const [what, fields] of Object.entries({ ...expected, 'a text': texts }))
      if (!fields.some(filled)) missing.add(`${kind} without ${what}`);
    if (kind === 'subject') names.set(String(record['uuid']).toLowerCase(), String(record['name']));
    eachReference(kind, record, (field, _, reference) => {
      if (field === 'subjects') subjects.add(keyOfReference(reference));
    });
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

function* recordsIn(store: HarvestStore): Generator<{ kind: Kind; record: Fields }> {
  for (const kind of kindsOf(store)) {
    for (const block of store.blocks(kind)) for (const record of recordsOf(block)) yield { kind, record };
  }
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Counts by name. */
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
