import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { TEXT_COLUMNS } from '../file/index-file.ts';
import { FULL_SCORE, type Scores } from './scores.ts';

/**
 * Most hits, times phrases, whose relevance is computed. What is in more records than this tells next to nothing about
 * any of them: see docs/decisions on search.
 */
const RELEVANCE_LIMIT = 40_000;

/** The score of each record that holds words too common for relevance. */
const COMMON_SCORE = FULL_SCORE / 4;

/** The columns of text that a field of `q` looks in. */
const COLUMNS: Readonly<Record<string, string>> = { content: '{body footnotes} : ', summary: 'summary : ' };

/** Finds records by the words of their text. */
export class TextSearch {
  readonly #count: StatementSync;
  readonly #relevance: StatementSync;
  readonly #docs: StatementSync;

  constructor(database: DatabaseSync) {
    const weights = TEXT_COLUMNS.map(({ weight }) => weight).join(', ');
    this.#count = database.prepare('SELECT count(*) AS hits FROM text WHERE text MATCH ?');
    this.#relevance = database.prepare(`SELECT rowid, -bm25(text, ${weights}) FROM text WHERE text MATCH ?`);
    this.#relevance.setReturnArrays(true);
    this.#docs = database.prepare('SELECT json_group_array(rowid) AS docs FROM text WHERE text MATCH ?');
  }

  /**
   * Scores the records that hold all phrases; the best match gets a full score.
   *
   * @param phrases folded words, those of a phrase apart by a space
   * @param field `content` or `summary`, for that alone
   */
  score(phrases: readonly string[], scores: Scores, field = ''): void {
    const match = `${COLUMNS[field] ?? ''}(${phrases.map((phrase) => `"${phrase}"`).join(' AND ')})`;
    const hits = Number(this.#count.get(match)?.['hits']);
    if (hits * phrases.length <= RELEVANCE_LIMIT) this.#scoreByRelevance(match, scores);
    else this.#scoreAlike(match, scores);
  }

  #scoreByRelevance(match: string, scores: Scores): void {
    const hits = this.#relevance.all(match);
    const best = hits.reduce((highest, hit) => Math.max(highest, relevanceOf(hit)), 0);
    for (const hit of hits) {
      scores[Number(hit[0])] = Math.max(1, Math.round((relevanceOf(hit) / best) * FULL_SCORE));
    }
  }

  #scoreAlike(match: string, scores: Scores): void {
    const docs: number[] = JSON.parse(String(this.#docs.get(match)?.['docs']));
    for (const doc of docs) scores[doc] = COMMON_SCORE;
  }
}

/** The second column of a row of `#relevance`. */
function relevanceOf(row: Readonly<Record<number, unknown>>): number {
  return Number(row[1]);
}
