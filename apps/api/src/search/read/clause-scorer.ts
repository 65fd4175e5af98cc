import type { DatabaseSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import { type SearchField, searchField } from '../fields/fields.ts';
import { wordsOf } from '../fields/fold.ts';
import { REFERENCE_FIELDS, relationNamed } from '../fields/relations.ts';
import type { Arrays } from '../file/arrays.ts';
import type { Column, Columns } from '../file/columns.ts';
import type { DocNumbers } from '../file/index-file.ts';
import type { Box, Clause } from '../query/query.ts';
import {
  matchContaining,
  matchRange,
  matchWhole,
  matchWords,
  type OnMatch,
  scoreOf,
  TIER,
} from './match-field.ts';
import { type Coordinates, matchNear, matchWithin } from './match-place.ts';
import { nameOverlap } from './name-overlap.ts';
import { RelationReader } from './relation-reader.ts';
import { FULL_SCORE, type Scores } from './scores.ts';
import { TextSearch } from './text-search.ts';

/** The fields by which a record is called. */
export const NAMES = ['title', 'last_name', 'name'].flatMap((name) => searchField(name) ?? []);

/** What it counts to be called as the query says, where the most relevant text counts 1: who is called so comes first. */
const NAME_WEIGHT = 3;

/** Most hits whose names are compared word by word: more would take longer than all else. */
const MOST_OVERLAPS = 2_000;

/** Finds values in a column. */
type Matcher = (column: Column, onMatch: OnMatch) => void;

/** Scores all records by one clause at a time. */
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

  /** The relevance of the words, and on top of that how much of the record's name they are. */
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

  /** How far the names of the hits are what was typed, word by word: of several words, and where hits are few enough. */
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

/** What finds the values that a clause asks for. */
function matcherOf(clause: Clause & { type: 'value' | 'range' }, { matching }: SearchField): Matcher {
  if (clause.type === 'range') return (column, onMatch) => matchRange(column, clause.range, onMatch);
  const wanted = Buffer.from(clause.value);
  if (matching === 'whole' || clause.whole) return (column, onMatch) => matchWhole(column, wanted, onMatch);
  if (matching === 'element') {
    return (column, onMatch) => matchWords(column, wanted, (row) => onMatch(row, TIER.wholeValue, 1));
  }
  return (column, onMatch) => matchContaining(column, wanted, onMatch);
}
