import type { Kind } from '@archiefkast/types/kinds';
import { fold, wordsOf } from '../fields/fold.ts';
import { RELATIONS } from '../fields/relations.ts';
import {
  compareDates,
  type KnownDate,
  type Likeness,
  likenessOf,
  type Name,
  personName,
  plainName,
  readDate,
  type WrittenName,
  withParticles,
  writtenName,
} from './likeness.ts';
import type { OpenIndex } from './read-index.ts';

/** How a property that is sought is compared with that of a record. */
type Comparison = 'date' | 'text' | 'subject';

/** The properties by which records of the same name are told apart, with the kinds that have them. */
export const MATCHED_PROPERTIES: Readonly<
  Record<string, { kinds: readonly Kind[]; comparison: Comparison }>
> = {
  birth_date: { kinds: ['person'], comparison: 'date' },
  death_date: { kinds: ['person'], comparison: 'date' },
  birth_place: { kinds: ['person'], comparison: 'text' },
  death_place: { kinds: ['person'], comparison: 'text' },
  date: { kinds: ['event'], comparison: 'date' },
  city: { kinds: ['location'], comparison: 'text' },
  subject: { kinds: ['person', 'location', 'event'], comparison: 'subject' },
};

/** A record that is sought by its name as someone wrote it. */
export interface SoughtRecord {
  name: string;
  kinds: readonly Kind[];
  properties: readonly SoughtProperty[];
}

/** A property of `MATCHED_PROPERTIES`, and its values, of which one has to agree. */
interface SoughtProperty {
  name: string;
  values: readonly string[];
}

/** A property that is sought, its values read once for all records. */
interface ReadProperty {
  name: string;
  /** Folded. */
  values: readonly string[];
  words: readonly (readonly string[])[];
  dates: readonly (KnownDate | undefined)[];
}

/** A record that may be the sought one. */
export interface MatchedRecord {
  kind: Kind;
  position: number;
  /** From 0 to 100. */
  score: number;
  /** Whether it is the sought one beyond doubt: at most one candidate is. */
  isMatch: boolean;
}

/** The records that may be the sought one, and how many texts were looked up as spellings of its words. */
export interface MatchedRecords {
  found: MatchedRecord[];
  texts: number;
}

/** A record with words of the name. */
interface Found extends Pick<MatchedRecord, 'kind' | 'position'> {
  /** Its document number. */
  doc: number;
}

/** A candidate while it is compared. */
interface Candidate extends Found, Likeness {
  /** Whether a date agrees, and whether one does not. */
  isConfirmed: boolean;
  isRefuted: boolean;
}

/** Records with words of the name that are compared in full: those with the rarest words. */
const MOST_COMPARED = 400;
/** What a date that agrees weighs there, as much as a rare word. */
const DATED = 8;
/** Words of a written name that are compared: hardly any name has more. */
const MOST_WRITTEN = 40;
/** Words of a name that are looked up, and spellings of each. */
const MOST_WORDS = 8;
const MOST_SPELLINGS = 24;
/** Least likeness of a candidate, and of one that properties confirm. */
const LEAST_LIKE = 0.4;
const LEAST_CONFIRMED = 0.75;
/** How much less like every other candidate has to be than a match. */
const CLEAR = 0.1;

/** What a property that agrees, or does not, adds to the likeness. */
const EFFECTS: Readonly<Record<Comparison, { agrees: number; differs: number }>> = {
  date: { agrees: 0.12, differs: -0.35 },
  text: { agrees: 0.06, differs: -0.04 },
  subject: { agrees: 0.06, differs: -0.04 },
};

/**
 * Creates the search for the records that a written name may mean, at most `limit`, the likeliest first; it looks up at most
 * so many `texts` as spellings of its words.
 */
export function createRecordMatcher({ database, records, columns, words: known }: OpenIndex) {
  const selectSlots = database.prepare('SELECT rowid AS slot FROM text WHERE text MATCH ?');
  const selectSubjects = database.prepare(
    'SELECT target AS slot FROM reference WHERE relation = ? AND source = ?',
  );

  /** The records with words of the name in one of their spellings, those with the rarest first. */
  function recordsWith(
    { words }: WrittenName,
    kinds: readonly Kind[],
    properties: readonly ReadProperty[],
    budget: { texts: number },
  ): Found[] {
    const weights = new Map<number, number>();
    const long = words.filter((word) => word.length > 1);
    for (const word of (long.length > 0 ? long : words).slice(0, MOST_WORDS)) {
      const spellings = [word, ...known.spellings(word, MOST_SPELLINGS, budget)];
      const found = selectSlots.all(`name : (${spellings.map((each) => `"${each}"`).join(' OR ')})`);
      const weight = Math.log(1 + records.total / Math.max(1, found.length));
      for (const { slot } of found) {
        const doc = records.docAt(slot);
        weights.set(doc, (weights.get(doc) ?? 0) + weight);
      }
    }
    const found = Array.from(weights, ([doc, weight]) => ({ doc, weight, ...records.recordOf(doc) }));
    const ofKinds = found.filter(({ kind }) => kinds.includes(kind));
    // Of many namesakes, those with the dates that are sought.
    if (ofKinds.length > MOST_COMPARED) {
      const dates = properties.filter(isDate);
      for (const each of ofKinds) {
        if (dates.some((date) => agreementOf(date, each) === 1)) each.weight += DATED;
      }
    }
    return ofKinds.sort((a, b) => b.weight - a.weight).slice(0, MOST_COMPARED);
  }

  function compare(written: WrittenName, properties: readonly ReadProperty[], found: Found): Candidate {
    const likenesses = namesOf(found).map((name) => likenessOf(written, name));
    const candidate = {
      ...found,
      score: Math.max(...likenesses.map(({ score }) => score)),
      isExact: likenesses.some(({ isExact }) => isExact),
      isConfirmed: false,
      isRefuted: false,
    };
    for (const property of properties) {
      const agreement = agreementOf(property, found);
      if (agreement === 0) continue;
      const { agrees, differs } = EFFECTS[MATCHED_PROPERTIES[property.name]?.comparison ?? 'text'];
      candidate.score += agreement === 1 ? agrees : differs;
      if (isDate(property)) candidate[agreement === 1 ? 'isConfirmed' : 'isRefuted'] = true;
    }
    return candidate;
  }

  /** The names of a record: of a person, in parts and as its titles. */
  function namesOf({ kind, position }: Found): Name[] {
    const read = (column: string) => foldedAt(kind, column, position);
    if (kind !== 'person') return ['name_nl', 'name_en'].map((column) => plainName(read(column)));
    return [
      personName(read('first_name'), read('infix'), read('last_name')),
      ...['title_nl', 'title_en'].map((column) => plainName(read(column))),
    ];
  }

  function foldedAt(kind: Kind, column: string, position: number): string {
    return columns.folded(kind, column).valueAt(position - 1);
  }

  /** 1 if a value of a property agrees with that of the record, -1 if none does; else 0, as if the record has none. */
  function agreementOf({ name, values, words, dates }: ReadProperty, { doc, kind, position }: Found): number {
    const property = MATCHED_PROPERTIES[name];
    if (!property?.kinds.includes(kind)) return 0;
    if (values.length === 0) return 0;
    if (property.comparison === 'subject') {
      const subjects = subjectsOf(doc, kind);
      return values.some((value) => subjects.has(value)) ? 1 : -1;
    }
    const own = foldedAt(kind, name, position);
    if (property.comparison === 'date') {
      const date = readDate(own);
      return Math.max(...dates.map((each) => compareDates(each, date) ?? 0));
    }
    if (own === '') return 0;
    const had = new Set(wordsOf(own));
    return words.some((each) => each.some((word) => had.has(word))) ? 1 : -1;
  }

  /** The folded names and uuids of the subjects of a record. */
  function subjectsOf(doc: number, kind: Kind): Set<string> {
    const relation = RELATIONS.findIndex((each) => each.source === kind && each.field === 'subjects');
    const slots = selectSubjects.all(relation, records.slots[doc] ?? 0);
    return new Set(
      slots.flatMap(({ slot }) => {
        const { position } = records.recordOf(records.docAt(slot));
        return ['name_nl', 'name_en', 'uuid'].map((column) => foldedAt('subject', column, position));
      }),
    );
  }

  return (sought: SoughtRecord, limit: number, texts: number): MatchedRecords => {
    const budget = { texts };
    const { words, particles } = writtenName(fold(withParticles(sought.name)));
    const written = { words: words.slice(0, MOST_WRITTEN), particles };
    const properties = sought.properties.map(({ name, values }) => ({
      name,
      values: values.map(fold),
      words: values.map(wordsOf),
      dates: values.map(readDate),
    }));
    const candidates = recordsWith(written, sought.kinds, properties, budget)
      .map((found) => compare(written, properties, found))
      .filter(({ score }) => score >= LEAST_LIKE)
      .sort((a, b) => b.score - a.score);
    const [first, second] = candidates;
    const isClear =
      first !== undefined && first.score - (second?.score ?? 0) >= CLEAR && isCertain(first, sought);
    const found = candidates.slice(0, limit).map(({ kind, position, score }, place) => ({
      kind,
      position,
      score: Math.round(Math.min(1, score) * 1000) / 10,
      isMatch: place === 0 && isClear,
    }));
    return { found, texts: texts - budget.texts };
  };
}

/**
 * Whether a candidate is the sought record, if no other is nearly as like: its name is the same, or its dates confirm another
 * spelling. A date that is sought has to agree.
 */
function isCertain(candidate: Candidate, { name, properties }: SoughtRecord): boolean {
  const { kind, score, isExact, isConfirmed, isRefuted } = candidate;
  if (isRefuted || (kind === 'person' && wordsOf(name).length < 2)) return false;
  return properties.some(isDate) ? isConfirmed && (isExact || score >= LEAST_CONFIRMED) : isExact;
}

function isDate({ name }: Pick<SoughtProperty, 'name'>): boolean {
  return MATCHED_PROPERTIES[name]?.comparison === 'date';
}
