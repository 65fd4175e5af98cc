import { nameOf, type RecordView } from '@archiefkast/formats/record-view';
import type { Letter } from '@archiefkast/site/list-page';
import type { Kind, Language } from '@archiefkast/types';
import type { Caches } from '../../../cache.ts';
import type { OpenEdition } from '../../../edition/open-editions.ts';
import type { OpenRecordViews, Relations } from '../../../edition/record-views.ts';
import { fold, sortedText } from '../../../search/index.ts';

/** Memory of a cached letter, in bytes. */
const LETTER_BYTES = 64;

/** Creates the function that lists where the names with each letter begin in the list of a kind, with a cache. */
export function createLetters(caches: Caches, openViews: OpenRecordViews) {
  const kept = caches.open<Letter[]>('letters', ({ length }) => length * LETTER_BYTES);
  /** @param size names on a page */
  return (open: OpenEdition, kind: Kind, language: Language, size: number): Promise<Letter[]> =>
    kept.fetch(`${open.edition.key} ${kind} ${language}`, () =>
      openViews(open, language).look((relations) => lettersOf(relations, kind, language, size)),
    );
}

/** Limit of letters, for archives in many scripts. */
const MOST_LETTERS = 60;

/** Finds the first name with each letter, by binary search in the list of a kind, sorted by name. */
function lettersOf(
  { graph, orderOf, card }: Relations,
  kind: Kind,
  language: Language,
  size: number,
): Letter[] {
  const ordered = graph.ordered(kind, orderOf(kind));
  const nameAt = (index: number) => sortName(card(kind, ordered[index] ?? 0), language);
  const letters = new Map<string, number>();
  let start = 0;
  while (start < ordered.length && letters.size < MOST_LETTERS) {
    const group = letterOf(nameAt(start));
    // Records without a name are last.
    if (group === undefined || letters.has(group.letter)) break;
    letters.set(group.letter, start);
    let [low, high] = [start + 1, ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nameAt(middle) < group.end) low = middle + 1;
      else high = middle;
    }
    start = low;
  }
  return Array.from(letters, ([letter, index]) => ({
    letter,
    page: Math.floor(index / size) + 1,
    place: index % size,
  }));
}

/** The letter under which a folded name is listed, and the first name after those with it; undefined for no name. */
function letterOf(name: string): { letter: string; end: string } | undefined {
  const first = name.codePointAt(0);
  if (first === undefined) return undefined;
  if (name >= '0' && name < ':') return { letter: '0–9', end: ':' };
  return { letter: String.fromCodePoint(first).toUpperCase(), end: String.fromCodePoint(first + 1) };
}

/** The name by which a record is sorted, as in the index; empty if it has none. */
function sortName(record: RecordView, language: Language): string {
  const { last_name: last, first_name: first } = record;
  return sortedText(
    fold(last || (record.kind === 'person' && first) || nameOf(record, language).text).trim(),
  );
}
