import type { HarvestStore } from '@archiefkast/client/node';
import { type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import { eachReference, keyOfReference } from '../proof/references.ts';
import { kindsOf, type LooseRecord, recordsOf } from '../records.ts';

/** Number of records by name, most frequent first. */
export type Tally = { name: string; records: number }[];

/** Statistics of a harvest. */
export interface StatisticsResult {
  /** Records of each kind; kinds without records are absent. */
  records: Partial<Record<Kind, number>>;
  /** Births of persons and dates of events, by century: "17" is 1601 to 1700. In chronological order. */
  centuries: Tally;
  /** Places of birth and death of persons, and cities of locations. */
  places: Tally;
  /** The most frequent subjects. */
  subjects: Tally;
  /** Records with a text in each language. */
  languages: Tally;
  /** Records without an expected value. */
  missing: Tally;
}

/** Maximum number of places and of subjects in the result. */
const MOST = 10;

/** The fields of each kind that are counted. */
const DATES: Readonly<Record<Kind, readonly string[]>> = {
  person: ['birth_date'],
  subject: [],
  location: [],
  event: ['date', 'date_start'],
};
const PLACES: Readonly<Record<Kind, readonly string[]>> = {
  person: ['birth_place', 'death_place'],
  subject: [],
  location: ['city'],
  event: [],
};
/** The expected values of a record; at least one of the fields of each must not be empty. */
const EXPECTED: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  person: {
    'a date of birth': ['birth_date'],
    'a portrait': ['image'],
    'a text': ['content_nl', 'content_en'],
  },
  subject: { 'a text': ['description_nl', 'description_en'] },
  location: {
    coordinates: ['latitude'],
    'a picture': ['main_image'],
    'a text': ['content_nl', 'content_en'],
  },
  event: {
    'a date': ['date', 'date_start'],
    'a place': ['location'],
    'a text': ['content_nl', 'content_en'],
  },
};

/** Counts the records of a store. */
export function statisticsOf(store: HarvestStore): StatisticsResult {
  const counts: StatisticsResult['records'] = {};
  const centuries = new Counter();
  const places = new Counter();
  const subjects = new Counter();
  const languages = new Counter();
  const missing = new Counter();
  const names = new Map<string, string>();
  for (const { kind, record } of recordsIn(store)) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    const filled = (field: string) => isFilled(record[field]);
    const year = Number(String(DATES[kind].map((field) => record[field]).find(isFilled)).slice(0, 4));
    if (year > 0) centuries.add(String(Math.ceil(year / 100)));
    for (const place of new Set(PLACES[kind].map((field) => record[field]).filter(isFilled)))
      places.add(String(place));
    for (const language of LANGUAGES) {
      if (filled(`content_${language}`) || filled(`description_${language}`)) languages.add(language);
    }
    for (const [what, fields] of Object.entries(EXPECTED[kind])) {
      if (!fields.some(filled)) missing.add(`${kind} without ${what}`);
    }
    if (kind === 'subject') names.set(String(record['uuid']).toLowerCase(), String(record['name']));
    eachReference(kind, record, (field, _, reference) => {
      if (field === 'subjects') subjects.add(keyOfReference(reference));
    });
  }
  const named = subjects.all().slice(0, MOST);
  return {
    records: counts,
    centuries: centuries.all().toSorted((a, b) => Number(a.name) - Number(b.name)),
    places: places.all().slice(0, MOST),
    subjects: named.map(({ name, records }) => ({ name: names.get(name) ?? name, records })),
    languages: languages.all(),
    missing: missing.all(),
  };
}

function* recordsIn(store: HarvestStore): Generator<{ kind: Kind; record: LooseRecord }> {
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
