import { fold, type NearColumn, parseTerms, type SoughtWord, type Term, wordsOf } from '../search/index.ts';
import type { OpenEdition } from './open-editions.ts';

/** Maximum number of words that are corrected. */
const MOST_WORDS = 4;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Corrects the words of a query that no record has: each becomes the most frequent word that differs in one letter.
 *
 * @param q a valid query
 * @param spell the spelling of a folded word
 * @returns undefined if no word can be corrected
 */
export async function correctQuery(
  { search }: OpenEdition,
  q: string,
  spell: (word: string) => Promise<string>,
): Promise<string | undefined> {
  const terms = parseTerms(q)
    .flat()
    .filter((term) => !term.isExcluded && isText(term));
  const sought = terms.flatMap((term) => soughtWords(q, term)).slice(0, MOST_WORDS);
  const nearest = await search.ask((index) => index.nearest(sought));
  const corrections = new Map<string, string>();
  for (const [at, { word }] of sought.entries()) {
    const near = nearest[at];
    if (near !== undefined) corrections.set(word, await spell(near));
  }
  if (corrections.size === 0) return undefined;
  let corrected = '';
  let end = 0;
  for (const { start, end: next } of terms.map((term) => wordsAt(q, term))) {
    const correct = (word: string) => corrections.get(fold(word)) ?? word;
    corrected += q.slice(end, start) + q.slice(start, next).replace(WORD, correct);
    end = next;
  }
  return corrected + q.slice(end);
}

/** Whether a term has words that can be misspelled. */
function isText({ field }: Term): boolean {
  return !field || ((field.matching === 'contains' || field.matching === 'place') && field.name !== 'uuid');
}

/** Offsets of the words of a term, after its field. */
function wordsAt(q: string, { field, start, end }: Term): { start: number; end: number } {
  return { start: field ? q.indexOf(':', start) + 1 : start, end };
}

function soughtWords(q: string, term: Term): SoughtWord[] {
  const { start, end } = wordsAt(q, term);
  const column = columnOf(term);
  return wordsOf(q.slice(start, end)).map((word) => ({ word, ...(column && { column }) }));
}

/** The text column with the values of a field; undefined for all columns. */
function columnOf({ field }: Term): NearColumn | undefined {
  if (!field || field.matching === 'place') return undefined;
  return /name|title|infix/.test(field.name) ? 'name' : 'place';
}
