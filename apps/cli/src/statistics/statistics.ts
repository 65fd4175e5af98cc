import { type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import { eachReference, keyOfReference } from '../proof/references.ts';
import type { LooseRecord } from '../records.ts';

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

/** Counts records. */
export interface Statistics {
  see(kind: Kind, record: LooseRecord): void;
  result(): StatisticsResult;
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

/** Creates the statistics of records. */
export function createStatistics(): Statistics {
  const records = new Map<Kind, number>();
  const [centuries, places, languages, missing] = [
    new Counter(),
    new Counter(),
    new Counter(),
    new Counter(),
  ];
  const subjects = new Counter();
  const names = new Map<string, string>();

  return {
    see(kind, record) {
      records.set(kind, (records.get(kind) ?? 0) + 1);
      const filled = (field: string) => isFilled(record[field]);
      const date = DATES[kind].map((field) => record[field]).find(isFilled);
      const year = Number(String(date).slice(0, 4));
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
    },
    result: () => ({
      records: Object.fromEntries(records),
      centuries: centuries.all().toSorted((a, b) => Number(a.name) - Number(b.name)),
      places: places.all().slice(0, MOST),
      subjects: subjects
        .all()
        .slice(0, MOST)
        .map(({ name, records: times }) => ({ name: names.get(name) ?? name, records: times })),
      languages: languages.all(),
      missing: missing.all(),
    }),
  };
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
