import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import { wordsOf } from '../fields/fold.ts';
import { REFERENCE_FIELDS, type ReferenceField, relationNamed } from '../fields/relations.ts';
import { type SearchField, searchField } from '../fields/search-fields.ts';
import type { Arrays } from '../file/arrays.ts';
import type { Column, Columns } from '../file/columns.ts';
import { type DocNumbers, TEXT_COLUMNS } from '../file/index-file.ts';
import type { Box, Clause } from '../query/query.ts';
import {
  type Coordinates,
  matchContaining,
  matchNear,
  matchRange,
  matchWhole,
  matchWithin,
  matchWords,
  nameOverlap,
  type OnMatch,
  scoreOf,
  TIER,
} from './matchers.ts';
import { FULL_SCORE, type Scores } from './scores.ts';

/** The name fields of records. */
export const NAMES = ['title', 'last_name', 'name'].flatMap((name) => searchField(name) ?? []);

/** Weight of a match in the name, relative to the most relevant text. */
const NAME_WEIGHT = 3;

/** Maximum number of hits whose names are compared word by word; more would dominate the query time. */
const MOST_OVERLAPS = 2_000;

/** Finds matching values in a column. */
type Matcher = (column: Column, onMatch: OnMatch) => void;

/** Scores all records by one clause. */
export class ClauseScorer {
  readonly #docs: DocNumbers;
  readonly #columns: Columns;
  readonly #arrays: Arrays;
  readonly #relations: RelationReader;
  readonly #text: TextSearch;

  constructor(database: DatabaseSync, docs: DocNumbers, columns: Columns, arrays: Arrays) {
    this.#docs = docs;
    this.#columns = columns;
    this.#arrays = arrays;
    this.#relations = new RelationReader(columns, arrays);
    this.#text = new TextSearch(database);
  }

  /** The scores of all records, by document number. */
  score(clause: Clause): Scores {
    const scores: Scores = new Uint32Array(this.#docs.total);
    switch (clause.type) {
      case 'text':
        this.#scoreText(clause.phrases, clause.typed, scores);
        break;
      case 'words':
        this.#text.score(clause.phrases, scores, clause.field);
        break;
      case 'kind':
        this.#scoreKind(clause.kind, scores);
        break;
      case 'reference':
        this.#scoreReferences(clause.field, clause.record, scores);
        break;
      case 'near':
        matchNear(this.#coordinates(), clause.circle, this.#hitsAt('location', scores));
        break;
      case 'within':
        this.#scoreWithin(clause.box, clause.of ?? 'location', scores);
        break;
      default:
        this.#scoreValues(clause, scores);
    }
    return scores;
  }

  #scoreKind(kind: Kind, scores: Scores): void {
    const span = this.#docs.spanOf(kind);
    scores.fill(FULL_SCORE, span.start, span.start + span.records);
  }

  #scoreValues(clause: Clause & { type: 'value' | 'range' }, scores: Scores): void {
    const field = searchField(clause.field);
    if (field) this.#scoreField(field, matcherOf(clause, field), scores);
  }

  /** Scores the relevance of the words, plus how well they match the record's name. */
  #scoreText(phrases: readonly string[], typed: string, scores: Scores): void {
    this.#text.score(phrases, scores);
    if (typed === '') return;
    const names: Scores = new Uint32Array(scores.length);
    const wanted = Buffer.from(typed);
    for (const field of NAMES) {
      this.#scoreField(field, (column, onMatch) => matchWords(column, wanted, onMatch), names);
    }
    this.#scoreOverlaps(typed, scores, names);
    for (let doc = 0; doc < scores.length; doc++) {
      const score = scores[doc] ?? 0;
      if (score > 0) scores[doc] = score + NAME_WEIGHT * (names[doc] ?? 0);
    }
  }

  /** Scores the overlap of names and input, word by word, if the input has several words and hits are few enough. */
  #scoreOverlaps(typed: string, hits: Scores, names: Scores): void {
    const words = new Set(wordsOf(typed));
    const docs = words.size > 1 ? hitsIn(hits) : [];
    if (docs.length > MOST_OVERLAPS) return;
    for (const doc of docs) {
      const { kind, position } = this.#docs.recordOf(doc);
      for (const column of kind === 'person' ? ['title_nl', 'title_en'] : ['name_nl', 'name_en']) {
        const name = wordsOf(this.#columns.folded(kind, column).valueAt(position - 1));
        const score = Math.round(nameOverlap(name, words) * FULL_SCORE);
        if (score > (names[doc] ?? 0)) names[doc] = score;
      }
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

  #scoreReferences(field: string, record: string, scores: Scores): void {
    const known = REFERENCE_FIELDS[field];
    if (!known) return;
    this.#relations.find(known, record, (kind, row) => {
      scores[this.#docs.docOf(kind, row)] = FULL_SCORE;
    });
  }

  #scoreWithin(box: Box, of: 'location' | 'event', scores: Scores): void {
    const locations: Scores = new Uint32Array(this.#docs.spanOf('location').records);
    matchWithin(this.#coordinates(), box, (row, score) => {
      locations[row] = score;
    });
    const hit = this.#hitsAt(of, scores);
    if (of === 'location') {
      for (let row = 0; row < locations.length; row++) hit(row, locations[row] ?? 0);
      return;
    }
    const { sources, targets } = this.#arrays.pairs(relationNamed('event.location'));
    for (let at = 0; at < sources.length; at++) hit(sources[at] ?? 0, locations[targets[at] ?? 0] ?? 0);
  }

  #coordinates(): Coordinates {
    return {
      latitudes: this.#arrays.doubles('latitude'),
      longitudes: this.#arrays.doubles('longitude'),
    };
  }

  #hitsAt(kind: Kind, scores: Scores): (row: number, score: number) => void {
    const { start } = this.#docs.spanOf(kind);
    return (row, score) => {
      scores[start + row] = score;
    };
  }
}

function hitsIn(scores: Scores): number[] {
  const docs: number[] = [];
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]) docs.push(doc);
  return docs;
}

/** The matcher for a clause. */
function matcherOf(clause: Clause & { type: 'value' | 'range' }, { matching }: SearchField): Matcher {
  if (clause.type === 'range') return (column, onMatch) => matchRange(column, clause.range, onMatch);
  const wanted = Buffer.from(clause.value);
  if (matching === 'whole' || clause.whole) return (column, onMatch) => matchWhole(column, wanted, onMatch);
  if (matching === 'element') {
    return (column, onMatch) => matchWords(column, wanted, (row) => onMatch(row, TIER.wholeValue, 1));
  }
  return (column, onMatch) => matchContaining(column, wanted, onMatch);
}

/** Finds records by their references to and from other records. */
class RelationReader {
  readonly #columns: Columns;
  readonly #arrays: Arrays;

  constructor(columns: Columns, arrays: Arrays) {
    this.#columns = columns;
    this.#arrays = arrays;
  }

  /**
   * Calls `onHit` for every record found by a reference field, possibly more than once.
   *
   * @param record uuid or id of the referenced record
   */
  find(field: ReferenceField, record: string, onHit: (kind: Kind, row: number) => void): void {
    const row = this.#rowOf(field.kind, record);
    if (row === undefined) return;
    const named = new Set([row]);
    if (field.withDescendants) this.#addDescendants(named);
    for (const { relation, hits } of field.ends) {
      const { sources, targets } = this.#arrays.pairs(relation);
      const [from, to] = hits === 'source' ? [targets, sources] : [sources, targets];
      const kind = relation[hits];
      for (let at = 0; at < from.length; at++) {
        if (named.has(from[at] ?? -1)) onHit(kind, to[at] ?? 0);
      }
    }
  }

  /** The row of a record within its kind, from 0. */
  #rowOf(kind: Kind, record: string): number | undefined {
    let found: number | undefined;
    const column: Column = this.#columns.folded(kind, record.includes('-') ? 'uuid' : 'id');
    matchWhole(column, Buffer.from(record), (row) => {
      found = row;
    });
    return found;
  }

  /** Adds the subjects below those in `rows`, at any depth. */
  #addDescendants(rows: Set<number>): void {
    const { sources, targets } = this.#arrays.pairs(relationNamed('subject.parent'));
    const children = new Map<number, number[]>();
    for (let at = 0; at < sources.length; at++) {
      const parent = targets[at] ?? 0;
      const known = children.get(parent);
      if (known) known.push(sources[at] ?? 0);
      else children.set(parent, [sources[at] ?? 0]);
    }
    // Iterating a set includes rows that are added meanwhile.
    for (const row of rows) for (const child of children.get(row) ?? []) rows.add(child);
  }
}

/**
 * Maximum number of hits times phrases whose relevance is computed. A word in more records says little about any of
 * them: see docs/decisions on search.
 */
const RELEVANCE_LIMIT = 40_000;

/** The score of records that match words too common for relevance. */
const COMMON_SCORE = FULL_SCORE / 4;

/** The FTS5 column filter of each text field. */
const COLUMNS: Readonly<Record<string, string>> = { content: '{body footnotes} : ', summary: 'summary : ' };

/** Full-text search. */
class TextSearch {
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
   * Scores the records that contain all phrases; the best match gets the full score.
   *
   * @param phrases folded words, separated by a space within a phrase
   * @param field `content` or `summary` to search only that field
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
