import { nameOf, type PageRecord, sortDate } from '@archiefkast/site';
import type { Decade } from '@archiefkast/site/decade-bars';
import type { Kind, Language } from '@archiefkast/types';
import { fold, type Query } from '../../../search/index.ts';
import type { PageGraph, PageReader } from './page-data.ts';

/** Limit of decades; the last ones are shown. */
const MOST_DECADES = 60;

const EVENTS: Query = { clauses: [{ type: 'kind', kind: 'event' }], excluded: [] };

/** The number of events in each decade, from the first event to the last: as many as a search for the decade finds. */
export async function countDecades(find: PageReader['find']): Promise<Decade[]> {
  const yearOf = async (order: 'date' | '-date') => {
    const [event] = (await find(EVENTS, 1, { order })).found;
    const year = Number(sortDate(event?.record ?? {}).slice(0, 4));
    // Events without a date are sorted as of this year.
    return year === 9_999 ? undefined : year;
  };
  const [first, last] = [await yearOf('date'), await yearOf('-date')];
  if (first === undefined || last === undefined) return [];
  const from = first - (first % 10);
  const starts = Array.from({ length: Math.floor((last - from) / 10) + 1 }, (_, index) => from + index * 10);
  const decades: Decade[] = [];
  // In sequence: in parallel, the last query would wait for all others and might time out.
  for (const start of starts.slice(-MOST_DECADES)) {
    const range = { from: start * 10_000, to: (start + 9) * 10_000 + 9_999 };
    const query: Query = { ...EVENTS, clauses: [...EVENTS.clauses, { type: 'range', field: 'date', range }] };
    decades.push({ start, count: (await find(query, 0)).count });
  }
  return decades;
}

/** A first letter of names, and the page of its first name. */
export interface Letter {
  letter: string;
  page: number;
}

/** Limit of letters, for archives in many scripts. */
const MOST_LETTERS = 60;

/** Finds the page of the first name with each letter, by binary search in the list of a kind, sorted by name. */
export function findLetters(look: PageGraph, kind: Kind, language: Language, size: number): Letter[] {
  const ordered = look.graph.ordered(kind, look.orderOf(kind));
  const nameAt = (index: number) => sortName(look.listed(kind, ordered[index] ?? 0), language);
  const letters = new Map<string, number>();
  let start = 0;
  while (start < ordered.length && letters.size < MOST_LETTERS) {
    const group = letterOf(nameAt(start));
    // Records without a name are last.
    if (group === undefined || letters.has(group.letter)) break;
    letters.set(group.letter, Math.floor(start / size) + 1);
    let [low, high] = [start + 1, ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nameAt(middle) < group.end) low = middle + 1;
      else high = middle;
    }
    start = low;
  }
  return Array.from(letters, ([letter, page]) => ({ letter, page }));
}

/** The letter under which a folded name is listed, and the first name after those with it; undefined for no name. */
function letterOf(name: string): { letter: string; end: string } | undefined {
  const first = name.codePointAt(0);
  if (first === undefined) return undefined;
  if (name >= '0' && name < ':') return { letter: '0–9', end: ':' };
  return { letter: String.fromCodePoint(first).toUpperCase(), end: String.fromCodePoint(first + 1) };
}

/** The name by which a record is sorted, as in the index; empty if it has none. */
function sortName(record: PageRecord, language: Language): string {
  const { last_name: last, first_name: first } = record;
  return fold(last || (record.kind === 'person' && first) || nameOf(record, language).text).trim();
}
