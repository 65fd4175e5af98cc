import type { DatabaseSync } from 'node:sqlite';
import type { Kind } from '@archive/types';
import { ByteLru } from '../byte-lru.ts';
import type { Column } from './column.ts';
import { Columns } from './columns.ts';
import { DocNumbers } from './doc-numbers.ts';
import { type SearchField, searchField } from './fields.ts';
import { fold } from './fold.ts';
import { openIndexFile } from './index-file.ts';
import { matchContaining, matchRange, matchWhole, matchWords, type OnMatch, scoreOf } from './match-field.ts';
import type { Clause, Query } from './query.ts';
import { type Ranking, rank } from './ranking.ts';
import { addScores, FULL_SCORE, type Scores } from './scores.ts';
import { type Suggestion, suggest } from './suggest.ts';
import { TextSearch } from './text-search.ts';

/** A record that a query found. */
export interface Hit {
  kind: Kind;
  position: number;
  /** Relevance: above 0, with four decimals; never rises along the hits. */
  score: number;
}

/** A page of hits. */
export interface SearchResult {
  /** Hits in all. */
  count: number;
  hits: Hit[];
}

/** The fields by which a record is called. */
const NAMES = ['title', 'last_name', 'name'].flatMap((name) => searchField(name) ?? []);

/** Finds values in a column. */
type Matcher = (column: Column, onMatch: OnMatch) => void;

/** Answers queries from an index file, in the thread that calls it. */
export class IndexReader {
  readonly #database: DatabaseSync;
  readonly #docs: DocNumbers;
  readonly #text: TextSearch;
  readonly #columns: Columns;
  readonly #rankings: ByteLru<Ranking>;

  /**
   * @param cacheBytes bytes that may be kept in memory: half of them for fields, half for the hits of last queries;
   *   the names that `warm` reads come on top
   * @throws SearchIndexFormatError when the file is no index of this program's format
   */
  constructor(file: string, cacheBytes: number) {
    this.#database = openIndexFile(file);
    const kinds = this.#database.prepare('SELECT name, records FROM kind').all();
    this.#docs = new DocNumbers(new Map(kinds.map((row) => [String(row['name']), Number(row['records'])])));
    this.#text = new TextSearch(this.#database);
    this.#columns = new Columns(this.#database, cacheBytes / 2);
    this.#rankings = new ByteLru(cacheBytes / 2);
  }

  /**
   * Reads the columns that every query with free words looks at, so that the first one need not; and keeps them, as
   * reading them takes longer than all else.
   */
  warm(): void {
    for (const { kinds, columns } of NAMES) {
      for (const kind of kinds) for (const name of columns) this.#columns.pin(kind, name);
    }
  }

  /** The hits from `offset` (0 is the best), at most `limit`, and how many there are in all. */
  search(query: Query, offset: number, limit: number): SearchResult {
    const { docs, scores } = this.#rankings.get(JSON.stringify(query), () => this.#rank(query));
    const page = docs.subarray(offset, offset + limit);
    const hits = Array.from(page, (doc, at) => ({
      ...this.#docs.recordOf(doc),
      score: (scores[offset + at] ?? 0) / FULL_SCORE,
    }));
    return { count: docs.length, hits };
  }

  /**
   * Values of a field in which a word begins with `prefix`, those of most records first, then by alphabet.
   *
   * @param field the name of a field in which values are found by `contains`; others have no suggestions
   * @param prefix what was typed so far; `""` for any value
   * @param limit most values given
   */
  suggest(field: string, prefix: string, limit: number): Suggestion[] {
    const known = searchField(field);
    if (known?.matching !== 'contains') return [];
    return suggest(this.#columns, known.kinds, known.columns, fold(prefix), limit);
  }

  close(): void {
    this.#database.close();
  }

  #rank({ clauses }: Query): Ranking {
    const [first, ...others] = clauses.map((clause) => this.#score(clause));
    const scores = first ?? new Uint32Array();
    for (const more of others) addScores(scores, more);
    return rank(scores);
  }

  #score(clause: Clause): Scores {
    const scores = new Uint32Array(this.#docs.total);
    if (clause.type === 'text') {
      this.#scoreText(clause.phrases, clause.typed, scores);
    } else if (clause.type === 'kind') {
      const span = this.#docs.spans.find(({ kind }) => kind === clause.kind);
      if (span) scores.fill(FULL_SCORE, span.start, span.start + span.records);
    } else {
      const field = searchField(clause.field);
      if (field) this.#scoreField(field, matcherOf(clause, field), scores);
    }
    return scores;
  }

  /** The relevance of the words, and on top of that how much of the record's name they are. */
  #scoreText(phrases: readonly string[], typed: string, scores: Scores): void {
    this.#text.score(phrases, scores);
    const names = new Uint32Array(scores.length);
    const wanted = Buffer.from(typed);
    for (const field of NAMES) {
      this.#scoreField(field, (column, onMatch) => matchWords(column, wanted, onMatch), names);
    }
    for (let doc = 0; doc < scores.length; doc++) {
      const score = scores[doc] ?? 0;
      if (score > 0) scores[doc] = score + (names[doc] ?? 0);
    }
  }

  #scoreField({ kinds, columns }: SearchField, match: Matcher, scores: Scores): void {
    for (const { kind, start } of this.#docs.spans) {
      if (!kinds.includes(kind)) continue;
      for (const name of columns) {
        match(this.#columns.folded(kind, name), (row, tier, share) => {
          const score = scoreOf(tier, share);
          if (score > (scores[start + row] ?? 0)) scores[start + row] = score;
        });
      }
    }
  }
}

/** What finds the values that a clause asks for. */
function matcherOf(clause: Clause & { type: 'value' | 'range' }, { matching }: SearchField): Matcher {
  if (clause.type === 'range') return (column, onMatch) => matchRange(column, clause.range, onMatch);
  const wanted = Buffer.from(clause.value);
  if (matching === 'whole') return (column, onMatch) => matchWhole(column, wanted, onMatch);
  return (column, onMatch) => matchContaining(column, wanted, onMatch);
}
