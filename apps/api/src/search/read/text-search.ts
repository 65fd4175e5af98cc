import type { DatabaseSync } from 'node:sqlite';
import { FULL_SCORE } from '../file/column-matches.ts';
import { TEXT_COLUMNS } from '../file/index-file.ts';
import type { Records } from '../file/records.ts';
import type { Clause } from '../query/query.ts';
import type { Scores } from './scores.ts';

/**
 * Maximum number of hits times phrases and alternatives whose relevance is computed. A word in more records says little about any of
 * them: see docs/decisions on search.
 */
const RELEVANCE_LIMIT = 40_000;

/** The score of records that match words too common for relevance. */
const COMMON_SCORE = FULL_SCORE / 4;

/** The text columns of each field; by default, all of them. */
const FIELD_COLUMNS: Readonly<Record<string, string>> = {
  content: '{body footnotes} : ',
  summary: 'summary : ',
  name: 'name : ',
};

export function createTextSearch(database: DatabaseSync, records: Records) {
  const weights = TEXT_COLUMNS.map(({ weight }) => weight).join(', ');
  // All rows in one text: separate ones would take several times as long.
  const selectSlots = database.prepare(
    'SELECT json_group_array(rowid) AS slots FROM text WHERE text MATCH ?',
  );
  // The limit keeps the subquery apart: FTS5 computes no relevance in an aggregate.
  const selectRelevance = database.prepare(`
    SELECT json_group_array(slot) AS slots, json_group_array(relevance) AS relevances
    FROM (SELECT rowid AS slot, -bm25(text, ${weights}) AS relevance FROM text WHERE text MATCH ? LIMIT -1)`);

  /**
   * Scores the records that contain all phrases; the best match gets the full score.
   *
   * @param alternatives number of alternatives that the clause is one of
   */
  return (clause: Extract<Clause, { phrases: string[] }>, alternatives: number, scores: Scores): void => {
    const { phrases } = clause;
    const columns = clause.type === 'words' ? (FIELD_COLUMNS[clause.field] ?? '') : '';
    const match = `${columns}(${phrases.map(quoted).join(' AND ')})`;
    const slots = numbersOf(selectSlots.get(match)?.['slots']);
    if (slots.length > RELEVANCE_LIMIT / (phrases.length * alternatives)) {
      for (const slot of slots) scores[records.docAt(slot)] = COMMON_SCORE;
    } else if (slots.length > 0) {
      const found = selectRelevance.get(match);
      const relevances = numbersOf(found?.['relevances']);
      const best = relevances.reduce((most, relevance) => Math.max(most, relevance), 0);
      for (const [hit, slot] of numbersOf(found?.['slots']).entries()) {
        const score = Math.round(((relevances[hit] ?? 0) / best) * FULL_SCORE);
        scores[records.docAt(slot)] = Math.max(1, score);
      }
    }
  };
}

/** A phrase, or alternatives, as FTS5 reads them: a final `*` is outside the quotes, and initials are starts of words of the name. */
function quoted(phrase: string): string {
  if (phrase.includes('|')) return `(${phrase.split('|').map(quoted).join(' OR ')})`;
  if (phrase.endsWith('^')) {
    const letters = phrase.slice(0, -1).split('^');
    return `name : (${letters.map((letter) => `"${letter}" *`).join(' AND ')})`;
  }
  return phrase.endsWith('*') ? `"${phrase.slice(0, -1)}" *` : `"${phrase}"`;
}

function numbersOf(json: unknown): number[] {
  return JSON.parse(String(json));
}
