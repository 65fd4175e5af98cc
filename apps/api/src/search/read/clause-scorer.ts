import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { wordsOf } from '../fields/fold.ts';
import { type End, REFERENCE_FIELDS, RELATIONS, relationNamed } from '../fields/relations.ts';
import { FULL_NAMES, type Matching, NAMES, type SearchField, searchField } from '../fields/search-fields.ts';
import { FULL_SCORE, matchValues, type OnMatch, scoreOf, TIER, type Tier } from '../file/column-matches.ts';
import type { Column } from '../file/columns.ts';
import type { Clause } from '../query/query.ts';
import { matchLetters, matchNear, matchRange, matchWithin, nameOverlap } from './matchers.ts';
import type { OpenIndex } from './read-index.ts';
import { addAlternative, hitsIn, type Scores } from './scores.ts';
import { createTextSearch } from './text-search.ts';

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

/** Names are compared for the hits alone if these are less than this part of all records; else the columns are scanned. */
const FEW = 1 / 32;

/** Finds matching values in a column. @param rows the only rows to search; all by default */
type Matcher = (column: Column, onMatch: OnMatch, rows?: Uint32Array) => void;

/** Creates the function that scores all records by one clause. */
export function createClauseScorer({ database, records, columns, tables, words: known }: OpenIndex) {
  const scoreWords = createTextSearch(database, records);

  /**
   * The scores of all records.
   *
   * @param alternatives number of alternatives that the clause is one of, which share the limit of relevance
   */
  function scoreOfAll(clause: Clause, alternatives = 1): Scores {
    const scores: Scores = new Uint32Array(records.total);
    switch (clause.type) {
      case 'text':
        scoreText(clause, alternatives, scores);
        break;
      case 'words':
        scoreWords(clause, alternatives, scores);
        break;
      case 'kind':
        for (const { kind, start, records: ofKind } of records.spans)
          if (kind === clause.kind) scores.fill(FULL_SCORE, start, start + ofKind);
        break;
      case 'reference':
        scoreReferences(clause.field, clause.record, scores);
        break;
      case 'near':
        matchNear(tables.coordinates(), clause.circle, hitsOfLocations(scores));
        break;
      case 'within':
        matchWithin(tables.coordinates(), clause.box, hitsOfLocations(scores));
        break;
      case 'place':
        for (const field of PLACES) scoreField(field, matcherOf(clause), scores);
        scoreEvents(scores, scores);
        break;
      case 'name':
        for (const field of FULL_NAMES) scoreField(field, named(clause), scores);
        break;
      case 'at-location':
        scoreEvents(scoreOfAll(clause.clause), scores);
        break;
      case 'any':
        for (const each of clause.clauses) addAlternative(scores, scoreOfAll(each, clause.clauses.length));
        break;
      default: {
        const field = searchField(clause.field);
        if (field) scoreField(field, matcherOf(clause, field.matching), scores);
      }
    }
    return scores;
  }

  /** Scores the relevance of the words, plus how well they match the record's name, or the nearest name of a misspelling. */
  function scoreText(clause: Extract<Clause, { type: 'text' }>, alternatives: number, scores: Scores): void {
    scoreWords(clause, alternatives, scores);
    const { phrases, typed } = clause;
    if (typed === '') return;
    const hits = hitsIn(scores);
    const isStart = phrases.some((phrase) => phrase.endsWith('*'));
    const names = scoreNames(typed, isStart ? TIER.wordStart : TIER.wholeWord, hits);
    const isMisspelt = hits.length > 0 && hits.length <= MOST_MISSPELT && !isStart;
    const near = isMisspelt ? nearName(typed) : typed;
    const nearNames = near === typed ? names : scoreNames(near, TIER.wholeWord, hits);
    for (const doc of hits) {
      const score = Math.max(names[doc] ?? 0, Math.floor((nearNames[doc] ?? 0) * NEAR_WEIGHT));
      scores[doc] = (scores[doc] ?? 0) + NAME_WEIGHT * score;
    }
  }

  /** Scores how well the names of the hits match the input; other records may have a score too. */
  function scoreNames(typed: string, least: Tier, hits: Uint32Array): Scores {
    const names: Scores = new Uint32Array(records.total);
    const among = hits.length < FEW * names.length ? hits : undefined;
    for (const field of NAMES) scoreField(field, containing(typed, least), names, among);
    if (hits.length <= MOST_OVERLAPS) scoreOverlaps(typed, hits, names);
    return names;
  }

  /** The input with words that are in no name replaced by the nearest in names. */
  function nearName(typed: string): string {
    const words = wordsOf(typed);
    const near = words.slice(0, MOST_NEAR).map((word) => known.nearest({ word, column: 'name' }));
    return near.some(Boolean) ? words.map((word, at) => near[at] ?? word).join(' ') : typed;
  }

  /** Scores the overlap of names and input, word by word, if the input has several words. */
  function scoreOverlaps(typed: string, docs: Uint32Array, names: Scores): void {
    const words = new Set(wordsOf(typed));
    if (words.size < 2) return;
    for (const doc of docs) {
      const { kind, position } = records.recordOf(doc);
      for (const column of kind === 'person' ? ['title_nl', 'title_en'] : ['name_nl', 'name_en']) {
        const name = wordsOf(columns.folded(kind, column).valueAt(position - 1));
        const score = Math.round(nameOverlap(name, words) * FULL_SCORE);
        if (score > (names[doc] ?? 0)) names[doc] = score;
      }
    }
  }

  /** Scores the values of a field. @param among the only records to score, ascending; all by default */
  function scoreField(
    field: Pick<SearchField, 'kinds' | 'columns'>,
    match: Matcher,
    scores: Scores,
    among?: Uint32Array,
  ): void {
    for (const { kind, start, records: ofKind } of records.spans) {
      if (!field.kinds.includes(kind)) continue;
      const rows = among?.filter((doc) => doc >= start && doc < start + ofKind).map((doc) => doc - start);
      const onMatch: OnMatch = (row, tier, share) => {
        const score = scoreOf(tier, share);
        if (score > (scores[start + row] ?? 0)) scores[start + row] = score;
      };
      for (const name of field.columns) match(columns.folded(kind, name), onMatch, rows);
    }
  }

  /** Scores the records that refer to a record, or that it refers to. @param record its uuid or id */
  function scoreReferences(name: string, record: string, scores: Scores): void {
    const field = REFERENCE_FIELDS[name];
    const slot = field && slotOf(field.kind, record);
    if (slot === undefined) return;
    const parents = field?.withDescendants ? [RELATIONS.indexOf(relationNamed('subject.parent'))] : [];
    for (const end of field?.ends ?? []) {
      const select = database.prepare(referencesQuery(end, parents.length > 0));
      for (const found of select.iterate(slot, ...parents, RELATIONS.indexOf(end.relation)))
        scores[records.docAt(found['slot'])] = FULL_SCORE;
    }
  }

  function slotOf(kind: Kind, record: string): number | undefined {
    const isUuid = record.includes('-');
    // `007` is not an id.
    if (!isUuid && String(Number(record)) !== record) return undefined;
    const select = database.prepare(
      `SELECT slot FROM record WHERE kind = ? AND ${isUuid ? 'uuid' : 'id'} = ?`,
    );
    const found = select.get(KINDS.indexOf(kind), isUuid ? record : Number(record));
    return found && Number(found['slot']);
  }

  /** Gives each event the score of its location. */
  function scoreEvents(locations: Scores, scores: Scores): void {
    const { sources, targets } = tables.pairs(relationNamed('event.location'));
    for (let at = 0; at < sources.length; at++) scores[sources[at] ?? 0] = locations[targets[at] ?? 0] ?? 0;
  }

  function hitsOfLocations(scores: Scores): (row: number, score: number) => void {
    const { start } = records.spanOf('location');
    return (row, score) => {
      scores[start + row] = score;
    };
  }

  return scoreOfAll;
}

/** The matcher for a clause. @param matching how its field is compared */
function matcherOf(
  clause: Extract<Clause, { type: 'value' | 'range' | 'place' }>,
  matching?: Matching,
): Matcher {
  if (clause.type === 'range') return (column, onMatch) => matchRange(column, clause.range, onMatch);
  if (matching === 'element') {
    const match = containing(clause.value, TIER.wholeWord);
    return (column, onMatch) => match(column, (row) => onMatch(row, TIER.wholeValue, 1));
  }
  const isWhole = clause.whole || matching === 'whole' || matching === 'number';
  return containing(clause.value, isWhole ? TIER.wholeValue : TIER.inside);
}

/** The matcher for values that contain a folded value. */
function containing(value: string, least: Tier): Matcher {
  const wanted = Buffer.from(value);
  return (column, onMatch, rows) => matchValues(column, wanted, least, onMatch, rows);
}

/** The matcher for the name of a clause. */
function named({ name, isExact }: Extract<Clause, { type: 'name' }>): Matcher {
  if (isExact) return containing(name, TIER.wholeValue);
  const words = wordsOf(name);
  return (column, onMatch) => matchLetters(column, words, onMatch);
}

/** Selects the slots of the records that refer to one, or with `withDescendants` to one below it; or that these refer to. */
function referencesQuery({ hits }: End, withDescendants: boolean): string {
  const below = 'UNION SELECT source FROM named CROSS JOIN reference ON relation = ? AND target = slot';
  return `
    WITH RECURSIVE named (slot) AS (SELECT ? ${withDescendants ? below : ''})
    SELECT ${hits} AS slot FROM named CROSS JOIN reference
    ON relation = ? AND ${hits === 'source' ? 'target' : 'source'} = named.slot`;
}
