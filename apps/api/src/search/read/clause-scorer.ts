import type { Kind } from '@archiefkast/types';
import { wordsOf } from '../fields/fold.ts';
import { REFERENCE_FIELDS, type ReferenceField, relationNamed } from '../fields/relations.ts';
import { NAMES, type SearchField, searchField } from '../fields/search-fields.ts';
import type { Arrays } from '../file/arrays.ts';
import {
  FULL_SCORE,
  matchContaining,
  matchWhole,
  matchWordStarts,
  matchWords,
  type OnMatch,
  scoreOf,
  TIER,
} from '../file/column-matches.ts';
import type { Column, Columns } from '../file/columns.ts';
import type { DocNumbers } from '../file/index-file.ts';
import type { Postings } from '../file/postings.ts';
import type { Clause } from '../query/query.ts';
import { type Coordinates, matchNear, matchRange, matchWithin, nameOverlap } from './matchers.ts';
import type { NearWords } from './near-words.ts';
import { addAlternative, addWeighted, type Rooms, type Scores } from './scores.ts';
import { TextSearch } from './text-search.ts';

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

/** Finds matching values in a column. @param rows the only rows to search; all by default */
type Matcher = (column: Column, onMatch: OnMatch, rows?: Uint32Array) => void;

/** Scores all records by one clause. */
export class ClauseScorer {
  readonly #docs: DocNumbers;
  readonly #columns: Columns;
  readonly #arrays: Arrays;
  readonly #relations: RelationReader;
  readonly #text: TextSearch;
  readonly #words: NearWords;
  readonly #rooms: Rooms;

  constructor(
    docs: DocNumbers,
    { columns, arrays, postings }: { columns: Columns; arrays: Arrays; postings: Postings },
    words: NearWords,
    rooms: Rooms,
  ) {
    this.#docs = docs;
    this.#rooms = rooms;
    this.#columns = columns;
    this.#arrays = arrays;
    this.#relations = new RelationReader(columns, arrays);
    this.#text = new TextSearch(postings, arrays, rooms);
    this.#words = words;
  }

  /**
   * Scores all records.
   *
   * @param scores 0 for each record, by document number
   * @param alternatives number of alternatives that the clause is one of, which share the limit of relevance
   */
  score(clause: Clause, scores: Scores, alternatives = 1): void {
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
        this.#rooms.score((locations) => {
          this.score(clause.clause, locations);
          this.#scoreEvents(locations, scores);
        });
        break;
      case 'any':
        for (const each of clause.clauses) {
          this.#rooms.score((more) => {
            this.score(each, more, clause.clauses.length);
            addAlternative(scores, more);
          });
        }
        break;
      default:
        this.#scoreValues(clause, scores);
    }
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
    if (clause.typed === '') {
      this.#text.score(clause, alternatives, scores);
      return;
    }
    this.#rooms.score((names) => {
      const compare = (docs: Docs | undefined, named: Docs) => {
        this.#scoreNamesOf(clause, docs, named, names);
        if (!docs) {
          addWeighted(scores, names, NAME_WEIGHT);
          return;
        }
        for (let hit = 0; hit < docs.length; hit++) {
          const doc = docs[hit] ?? 0;
          scores[doc] = (scores[doc] ?? 0) + NAME_WEIGHT * (names[doc] ?? 0);
        }
      };
      this.#text.score(clause, alternatives, scores, { scores: names, compare });
    });
  }

  /**
   * Scores how well the names of the hits match the input, or what it may be a misspelling of.
   *
   * @param docs the hits; absent if there are many
   * @param named those with all words in the name
   */
  #scoreNamesOf(
    { phrases, typed }: Extract<Clause, { type: 'text' }>,
    docs: Docs | undefined,
    named: Docs,
    names: Scores,
  ): void {
    const isStart = phrases.some((phrase) => phrase.endsWith('*'));
    // The start of several words may be followed by the rest of another one in a name.
    const among = isStart && phrases.length > 1 ? docs : named;
    this.#scoreNames(typed, isStart ? matchWordStarts : matchWords, among, docs, names);
    const isMisspelt = docs && docs.length <= MOST_MISSPELT && !isStart;
    const near = isMisspelt ? this.#nearName(typed) : typed;
    if (near === typed) return;
    this.#rooms.score((nearNames) => {
      this.#scoreNames(near, matchWords, docs, docs, nearNames);
      for (const doc of docs ?? [])
        names[doc] = Math.max(names[doc] ?? 0, Math.floor((nearNames[doc] ?? 0) * NEAR_WEIGHT));
    });
  }

  /**
   * Scores how well the names of the hits match the input.
   *
   * @param among the only records whose names may match, ascending; all by default
   * @param hits ascending; absent if there are many
   */
  #scoreNames(
    typed: string,
    match: typeof matchWords,
    among: Docs | undefined,
    hits: Docs | undefined,
    names: Scores,
  ): void {
    const wanted = Buffer.from(typed);
    for (const field of NAMES) {
      this.#scoreField(field, (column, onMatch, rows) => match(column, wanted, onMatch, rows), names, among);
    }
    if (hits && hits.length <= MOST_OVERLAPS) this.#scoreOverlaps(typed, hits, names);
  }

  /** The input with words that are in no name replaced by the nearest in names. */
  #nearName(typed: string): string {
    const nearest = (word: string) =>
      this.#words.has(word, 'name') ? undefined : this.#words.nearest(word, 'name');
    const words = wordsOf(typed);
    const near = words.map((word, at) => (at < MOST_NEAR && nearest(word)) || word);
    return near.some((word, at) => word !== words[at]) ? near.join(' ') : typed;
  }

  /** Scores the overlap of names and input, word by word, if the input has several words. */
  #scoreOverlaps(typed: string, docs: Docs, names: Scores): void {
    const words = new Set(wordsOf(typed));
    if (words.size < 2) return;
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
    among?: Docs,
  ): void {
    for (const { kind, start, records } of this.#docs.spans) {
      if (!kinds.includes(kind)) continue;
      const rows = among && rowsAmong(among, start, records);
      const onMatch: OnMatch = (row, tier, share) => {
        const score = scoreOf(tier, share);
        if (score > (scores[start + row] ?? 0)) scores[start + row] = score;
      };
      for (const name of columns) match(this.#columns.folded(kind, name), onMatch, rows);
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

/** Document numbers. */
type Docs = Uint32Array;

/** The rows, within their kind, of those documents that are of a kind. @param docs ascending */
function rowsAmong(docs: Docs, start: number, records: number): Uint32Array {
  let first = 0;
  while ((docs[first] ?? start) < start) first += 1;
  let end = first;
  while ((docs[end] ?? Number.POSITIVE_INFINITY) < start + records) end += 1;
  const rows = docs.slice(first, end);
  for (let at = 0; at < rows.length; at++) rows[at] = (rows[at] ?? 0) - start;
  return rows;
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
