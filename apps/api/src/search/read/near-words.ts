import type { DatabaseSync } from 'node:sqlite';
import { NAMES } from '../fields/search-fields.ts';
import { hasWord } from '../file/column-matches.ts';
import type { Columns } from '../file/columns.ts';
import type { TEXT_COLUMNS } from '../file/index-file.ts';

/** Fewest letters of a word that is corrected: shorter ones are near too many others. */
const SHORTEST = 4;
/** Most letters: longer ones would take more than some milliseconds. */
const LONGEST = 30;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Letters that are written for others: `bakker` for `backer`. */
const EXCHANGED =
  'ck k,c k,c s,gh g,ch g,ph f,v f,th t,dt d,dt t,d t,z s,x ks,ui uy,ui y,ey ei,y i,y ei,ae aa,ae a,oo o,ee e,oe ou,ss s,sz s,szoon sz,sen sz,nn n,ll l'
    .split(',')
    .map((pair) => pair.split(' '));

/** A text column of the index; by default, all of them. */
export type NearColumn = Extract<(typeof TEXT_COLUMNS)[number]['name'], 'name' | 'place'>;

/** A folded word, and the column in which it is sought; by default, all of them. */
export interface SoughtWord {
  word: string;
  column?: NearColumn;
}

/** Creates the search for words of an index that differ in a letter, or in their spelling. */
export function createNearWords(database: DatabaseSync, columns: Columns) {
  database.exec('CREATE VIRTUAL TABLE temp.word USING fts5vocab (main, text, row)');
  const selectRecord = database.prepare('SELECT 1 FROM text WHERE text MATCH ? LIMIT 1');
  const selectWords = database.prepare(`
    SELECT term FROM temp.word WHERE term IN (SELECT value FROM json_each(?))
    ORDER BY doc DESC, term <> ?, term`);

  const has = (word: string, column?: NearColumn): boolean =>
    selectRecord.get(`${column ? `${column} : ` : ''}"${word}"`) !== undefined;

  const isInName = (word: string): boolean => {
    const wanted = Buffer.from(word);
    return NAMES.some(({ kinds, columns: names }) =>
      kinds.some((kind) => names.some((name) => hasWord(columns.folded(kind, name), wanted))),
    );
  };

  return {
    /**
     * The word in most records among those that result from inserting, deleting or replacing a letter, or from exchanging
     * two adjacent ones; of equally frequent ones the first in the alphabet.
     *
     * @param sought with a column, the nearest word has to be in it; of names, only those of `NAMES` count
     * @returns undefined if a record has the word, none is in more records than it, or it is too short or too long
     */
    nearest({ word, column }: SoughtWord): string | undefined {
      if (has(word, column) || word.length < SHORTEST || word.length > LONGEST) return undefined;
      const edited = new Set(editsOf(word).filter(({ length }) => length >= SHORTEST));
      for (const { term } of selectWords.iterate(JSON.stringify([...edited.add(word)]), word)) {
        const near = String(term);
        if (near === word) return undefined;
        if (column === undefined || (has(near, column) && (column !== 'name' || isInName(near)))) return near;
      }
      return undefined;
    },

    /**
     * The words of names that a word may be another spelling of: those with one letter more, less or other, and those with
     * usual exchanges of letters; the most frequent first.
     *
     * @param word folded
     * @param limit maximum number of words
     * @param budget of texts to look up: lowered by those of the word, which has no spellings if too few are left
     */
    spellings(word: string, limit: number, budget: { texts: number }): string[] {
      if (word.length > LONGEST) return [];
      const edited = new Set(exchangesOf(word));
      if (word.length >= SHORTEST) for (const each of editsOf(word)) edited.add(each);
      edited.delete(word);
      budget.texts -= edited.size;
      if (budget.texts < 0) return [];
      const known = selectWords.all(JSON.stringify([...edited]), word).map(({ term }) => String(term));
      return known.filter((term) => has(term, 'name')).slice(0, limit);
    },
  };
}

/** The texts that result from exchanging letters, in at most two ways. */
function exchangesOf(word: string): string[] {
  const exchange = (text: string) =>
    EXCHANGED.flatMap(([a = '', b = '']) => [text.replaceAll(a, b), text.replaceAll(b, a)]).filter(
      (other) => other !== text,
    );
  const once = exchange(word);
  return [...once, ...once.flatMap(exchange)];
}

/** The texts that differ from a word in one letter. */
function* editsOf(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, letter = '', rest] = [word.slice(0, at), word[at], word.slice(at + 1)];
    if (letter) yield before + rest;
    if (rest) yield before + rest[0] + letter + rest.slice(1);
    for (const other of LETTERS) {
      if (letter) yield before + other + rest;
      yield before + other + letter + rest;
    }
  }
}
