import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import { wordsOf } from '../fields/fold.ts';
import { REFERENCE_FIELDS, type ReferenceField, relationNamed } from '../fields/relations.ts';
import { NAMES, type SearchField, searchField } from '../fields/search-fields.ts';
import type { Arrays } from '../file/arrays.ts';
import type { Column, Columns } from '../file/columns.ts';
import { type DocNumbers, ROWIDS, TEXT_COLUMNS } from '../file/index-file.ts';
import type { Clause } from '../query/query.ts';
import {
  type Coordinates,
  matchContaining,
  matchNear,
  matchRange,
  matchWhole,
  matchWithin,
  matchWordStarts,
  matchWords,
  nameOverlap,
  type OnMatch,
  scoreOf,
  TIER,
} from './matchers.ts';
import type { NearWords } from './near-words.ts';
import { addAlternative, FULL_SCORE, type Scores } from './scores.ts';

/** The fields of names and addresses of places, for `place:`. */
const PLACES: readonly Pick<SearchField, 'kinds' | 'columns'>[] = [
  { kinds: ['person'], columns: ['birth_place', 'birth_country', 'death_place', 'death_country'] },
  { kinds: ['location'], columns: ['name_nl', 'name_en', 'street', 'zipcode', 'city', 'state', 'land'] },
];

/** Weight of a match in the name, relative to the most relevant text. */
const NAME_WEIGHT = 3;

/** Weight of the nearest name of a word that is in no name, relative to a match. */
const NEAR_WEIGHT = 0.5;

/** Maximum number of words whose nearest names are looked up. */
const MOST_NEAR = 4;

/** Maximum number of hits of words that may be misspelt names: words in more records are in use. */
const MOST_MISSPELT = 100;

/** Maximum number of hits whose names are compared word by word; more would dominate the query time. */
const MOST_OVERLAPS = 2_000;

/** The part of all records up to which names are compared for the hits alone, which is faster for few. */
const FEW = 1 / 32;

/** Finds matching values in a column. */
type Matcher = (column: Column, onMatch: OnMatch) => void;

/** Scores all records by one clause. */
export class ClauseScorer {
  readonly #docs: DocNumbers;
  readonly #columns: Columns;
  readonly #arrays: Arrays;
  readonly #relations: RelationReader;
  readonly #text: TextSearch;
  readonly #words: NearWords;

  constructor(database: DatabaseSync, docs: DocNumbers, columns: Columns, arrays: Arrays, words: NearWords) {
    this.#docs = docs;
    this.#columns = columns;
    this.#arrays = arrays;
    this.#relations = new RelationReader(columns, arrays);
    this.#text = new TextSearch(database, docsOfRowids(arrays.words(ROWIDS)));
    this.#words = words;
  }

  /**
   * The scores of all records, by document number.
   *
   * @param alternatives number of alternatives that the clause is one of, which share the limit of relevance
   */
  score(clause: Clause, alternatives = 1): Scores {
    const scores: Scores = new Uint32Array(this.#docs.total);
    switch (clause.type) {
      case 'text':
        this.#scoreText(clause, alternatives, scores);
        break;
      case 'words':
        this.#text.score(clause, alternatives, scores);
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
        matchWithin(this.#coordinates(), clause.box, this.#hitsAt('location', scores));
        break;
      case 'place':
        for (const field of PLACES) this.#scoreField(field, containing(clause), scores);
        this.#scoreEvents(scores, scores);
        break;
      case 'at-location':
        this.#scoreEvents(this.score(clause.clause), scores);
        break;
      case 'any':
        for (const each of clause.clauses) addAlternative(scores, this.score(each, clause.clauses.length));
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
  #scoreText(clause: Extract<Clause, { type: 'text' }>, alternatives: number, scores: Scores): void {
    this.#text.score(clause, alternatives, scores);
    const { phrases, typed } = clause;
    if (typed === '') return;
    const isStart = phrases.some((phrase) => phrase.endsWith('*'));
    const names = this.#scoreNames(typed, isStart ? matchWordStarts : matchWords, scores);
    const near = isStart ? typed : this.#nearName(typed, scores);
    const nearNames = near === typed ? names : this.#scoreNames(near, matchWords, scores);
    for (let doc = 0; doc < scores.length; doc++) {
      const score = scores[doc] ?? 0;
      const name = Math.max(names[doc] ?? 0, Math.floor((nearNames[doc] ?? 0) * NEAR_WEIGHT));
      if (score > 0) scores[doc] = score + NAME_WEIGHT * name;
    }
  }

  /** Scores how well the names of the hits match the input. */
  #scoreNames(typed: string, match: typeof matchWords, hits: Scores): Scores {
    const names: Scores = new Uint32Array(hits.length);
    const wanted = Buffer.from(typed);
    const docs = hitsIn(hits);
    const among = docs.length < FEW * hits.length ? docs : undefined;
    for (const field of NAMES) {
      this.#scoreField(field, (column, onMatch) => match(column, wanted, onMatch), names, among);
    }
    this.#scoreOverlaps(typed, docs, names);
    return names;
  }

  /** The input with words that are in no name replaced by the nearest in names, if hits are few enough. */
  #nearName(typed: string, hits: Scores): string {
    const count = hitsIn(hits).length;
    if (count === 0 || count > MOST_MISSPELT) return typed;
    const nearest = (word: string) =>
      this.#words.has(word, 'name') ? undefined : this.#words.nearest(word, 'name');
    const words = wordsOf(typed);
    const near = words.map((word, at) => (at < MOST_NEAR && nearest(word)) || word);
    return near.some((word, at) => word !== words[at]) ? near.join(' ') : typed;
  }

  /** Scores the overlap of names and input, word by word, if the input has several words and hits are few enough. */
  #scoreOverlaps(typed: string, docs: readonly number[], names: Scores): void {
    const words = new Set(wordsOf(typed));
    if (words.size < 2 || docs.length > MOST_OVERLAPS) return;
    for (const doc of docs) {
      const { kind, position } = this.#docs.recordOf(doc);
      for (const column of kind === 'person' ? ['title_nl', 'title_en'] : ['name_nl', 'name_en']) {
        const name = wordsOf(this.#columns.folded(kind, column).valueAt(position - 1));
        const score = Math.round(nameOverlap(name, words) * FULL_SCORE);
        if (score > (names[doc] ?? 0)) names[doc] = score;
      }
    }
  }

  /** Scores the values of a field. @param among the only records to score, ascending; all by default */
  #scoreField(
    { kinds, columns }: Pick<SearchField, 'kinds' | 'columns'>,
    match: Matcher,
    scores: Scores,
    among?: readonly number[],
  ): void {
    for (const { kind, start, records } of this.#docs.spans) {
      if (!kinds.includes(kind)) continue;
      const rows = among?.filter((doc) => doc >= start && doc < start + records).map((doc) => doc - start);
      for (const name of columns) {
        const column = this.#columns.folded(kind, name);
        match(rows ? column.pick(rows) : column, (found, tier, share) => {
          const doc = start + (rows?.[found] ?? found);
          const score = scoreOf(tier, share);
          if (score > (scores[doc] ?? 0)) scores[doc] = score;
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

  /** Gives each event the score of its location. */
  #scoreEvents(locations: Scores, scores: Scores): void {
    const { sources, targets } = this.#arrays.pairs(relationNamed('event.location'));
    const [event, location] = [this.#docs.spanOf('event').start, this.#docs.spanOf('location').start];
    for (let at = 0; at < sources.length; at++) {
      scores[event + (sources[at] ?? 0)] = locations[location + (targets[at] ?? 0)] ?? 0;
    }
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
  if (matching === 'whole' || matching === 'number') return containing({ ...clause, whole: true });
  if (matching === 'element') {
    const wanted = Buffer.from(clause.value);
    return (column, onMatch) => matchWords(column, wanted, (row) => onMatch(row, TIER.wholeValue, 1));
  }
  return containing(clause);
}

/** The matcher for values that contain a value, or with `whole` equal it. */
function containing({ value, whole }: { value: string; whole?: true }): Matcher {
  const [wanted, match] = [Buffer.from(value), whole ? matchWhole : matchContaining];
  return (column, onMatch) => match(column, wanted, onMatch);
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
 * Maximum number of hits times phrases and alternatives whose relevance is computed. A word in more records says little about any of
 * them: see docs/decisions on search.
 */
const RELEVANCE_LIMIT = 40_000;

/** The part of the rowids in which hits are counted, to estimate how many there are. */
const SAMPLE = 1 / 16;

/** The score of records that match words too common for relevance. */
const COMMON_SCORE = FULL_SCORE / 4;

/** The FTS5 column filter of each text field. */
const COLUMNS: Readonly<Record<string, string>> = { content: '{body footnotes} : ', summary: 'summary : ' };

/** The document number of each rowid: 0 for unused ones. */
function docsOfRowids(rowids: Uint32Array): Uint32Array {
  const highest = rowids.reduce((most, rowid) => Math.max(most, rowid), 0);
  const docs = new Uint32Array(highest + 1);
  for (const [doc, rowid] of rowids.entries()) docs[rowid] = doc;
  return docs;
}

/** Full-text search. */
class TextSearch {
  readonly #count: StatementSync;
  readonly #relevance: StatementSync;
  readonly #rowids: StatementSync;
  readonly #docOf: Uint32Array;

  /** @param docOf the document number of each rowid */
  constructor(database: DatabaseSync, docOf: Uint32Array) {
    this.#docOf = docOf;
    const weights = TEXT_COLUMNS.map(({ weight }) => weight).join(', ');
    this.#count = database.prepare('SELECT count(*) AS hits FROM text WHERE text MATCH ? AND rowid <= ?');
    this.#relevance = database.prepare(
      `SELECT rowid, -bm25(text, ${weights}) FROM text WHERE text MATCH ? LIMIT ?`,
    );
    this.#relevance.setReturnArrays(true);
    this.#rowids = database.prepare('SELECT json_group_array(rowid) AS rowids FROM text WHERE text MATCH ?');
  }

  /**
   * Scores the records that contain all phrases; the best match gets the full score.
   *
   * @param alternatives number of alternatives that the clause is one of
   */
  score(clause: Extract<Clause, { phrases: string[] }>, alternatives: number, scores: Scores): void {
    const { phrases } = clause;
    const field = clause.type === 'words' ? clause.field : '';
    const match = `${COLUMNS[field] ?? ''}(${phrases.map(ftsPhrase).join(' AND ')})`;
    const most = Math.floor(RELEVANCE_LIMIT / (phrases.length * alternatives));
    if (this.#scoreRareByRelevance(match, most, scores)) return;
    const rowids: number[] = JSON.parse(String(this.#rowids.get(match)?.['rowids']));
    if (rowids.length <= most) this.#scoreByRelevance(this.#relevance.all(match, most), scores);
    else for (const rowid of rowids) scores[this.#docOf[rowid] ?? 0] = COMMON_SCORE;
  }

  /**
   * Scores the hits by relevance if a sample says that they are few: FTS5 evaluates a phrase again for each statement, which
   * takes most of the time, so that none is spent on counting.
   *
   * @returns false if there are more than `most`
   */
  #scoreRareByRelevance(match: string, most: number, scores: Scores): boolean {
    const sampled = Number(this.#count.get(match, Math.floor(this.#docOf.length * SAMPLE))?.['hits']);
    if (sampled > most * SAMPLE) return false;
    const hits = this.#relevance.all(match, most + 1);
    if (hits.length > most) return false;
    this.#scoreByRelevance(hits, scores);
    return true;
  }

  #scoreByRelevance(hits: readonly Readonly<Record<number, unknown>>[], scores: Scores): void {
    const best = hits.reduce((highest, hit) => Math.max(highest, relevanceOf(hit)), 0);
    for (const hit of hits) {
      const score = Math.round((relevanceOf(hit) / best) * FULL_SCORE);
      scores[this.#docOf[Number(hit[0])] ?? 0] = Math.max(1, score);
    }
  }
}

/** A phrase for FTS5; a final `*` stays outside the quotes. */
function ftsPhrase(phrase: string): string {
  return phrase.endsWith('*') ? `"${phrase.slice(0, -1)}" *` : `"${phrase}"`;
}

/** The second column of a row of `#relevance`. */
function relevanceOf(row: Readonly<Record<number, unknown>>): number {
  return Number(row[1]);
}
