import { type Concept, conceptOf } from '@archiefkast/formats';
import { COLLECTIONS, forKinds, KINDS, type Kind, type Language } from '@archiefkast/types';
import { describeOrigin } from '../../publish/bundle/faults.ts';
import { fieldNames, type Value } from '../import-map.ts';
import { idOfKey } from '../kind-records.ts';
import { examplesOf, readerOf, textsIn } from './draft-values.ts';
import type { DraftTable } from './read-draft-tables.ts';

/** A column whose name says what it is about. */
export interface KnownColumn {
  column: string;
  concept: Concept;
  language: Language;
  textLanguage: Language | undefined;
}

/** What identifies the records of a table. */
export interface DraftKey {
  /** `id`: every row is a record; `each`: every distinct value. */
  step: 'id' | 'each';
  value: Value;
  why: string;
}

/** What a column is about that names records of a kind. */
export const NAMING = {
  person: 'persons',
  subject: 'subjects',
  location: 'place',
  event: 'events',
} as const satisfies Record<Kind, Concept>;

/** The concepts that speak for a kind: fields that no other kind has, and the place of an event. */
const EVIDENCE = forKinds((kind): readonly string[] => [
  ...fieldNames(kind).filter((field) =>
    KINDS.every((other) => other === kind || !fieldNames(other).includes(field)),
  ),
  ...(kind === 'event' ? ['place'] : []),
]);

/** A table: what its rows are, what identifies them, and what its columns are about. */
export class TableDescription {
  readonly table: DraftTable;
  readonly kind: Kind;
  readonly why: string;
  readonly known: readonly KnownColumn[];
  key: DraftKey;

  constructor(table: DraftTable) {
    this.table = table;
    const named = table.source.columns
      .filter((column) => !this.isEmpty(column))
      .flatMap((column) => {
        const found = conceptOf(column.replace(/ \(\d+\)$/, ''));
        return found ? [{ column, ...found }] : [];
      })
      .toSorted((a, b) => a.rank - b.rank);
    const { kind, why } = this.#guessKind(named);
    this.kind = kind;
    this.why = why;
    const hasName = named.some(
      ({ concept, owner = kind }) => owner === kind && /^(?:name|last_name)$/.test(concept),
    );
    this.known = named.flatMap(({ owner = kind, ...each }) => {
      const { concept } = each;
      // The name of another kind of record names what a row refers to; other properties of it are not of the row.
      if (owner !== kind) return concept === 'name' ? [{ ...each, concept: NAMING[owner] }] : [];
      if (concept !== NAMING[kind]) return [each];
      return hasName
        ? kind === 'location'
          ? [{ ...each, concept: 'city' as const }]
          : []
        : [{ ...each, concept: 'name' as const }];
    });
    this.key = this.#findKey();
  }

  /** The columns about a concept, the most usual name first. */
  about(concept: string): readonly KnownColumn[] {
    return this.known.filter((each) => each.concept === concept);
  }

  /** Whether a column has no text. */
  isEmpty(column: string): boolean {
    return textsIn(this.table.source, { column }).length === 0;
  }

  /** The value that names a record: one column, or its parts. */
  nameValue(): Value | undefined {
    const [name] = this.about('name');
    if (name) return { column: name.column };
    if (this.kind !== 'person') return undefined;
    const parts = (['first_name', 'infix', 'last_name'] as const).flatMap((part) =>
      this.about(part).slice(0, 1),
    );
    return parts.length > 0 ? { join: parts.map(({ column }) => ({ column })) } : undefined;
  }

  #guessKind(named: readonly (KnownColumn & { owner: Kind | undefined })[]): { kind: Kind; why: string } {
    const scores = (['person', 'event', 'location', 'subject'] as const).map((kind) => {
      const words = this.table.words.filter((word) => conceptOf(word)?.concept === NAMING[kind]);
      const columns = named.filter(
        ({ concept, owner = kind }, index) =>
          owner === kind &&
          EVIDENCE[kind].includes(concept) &&
          named.findIndex((other) => other.concept === concept) === index,
      );
      const signs = [...new Set(words), ...columns.map(({ column }) => column)];
      // The name of a file or sheet counts for more than that of a column.
      return { kind, score: columns.length + (words.length > 0 ? 2 : 0), signs: signs.join(', ') };
    });
    const [best, second] = scores.toSorted((a, b) => b.score - a.score);
    if (!best || best.score === 0) {
      return { kind: 'event', why: 'IS A ROW AN EVENT? nothing says what it is; otherwise move this rule' };
    }
    const not =
      second && second.score > 0 ? `; less likely ${COLLECTIONS[second.kind]}: ${second.signs}` : '';
    return { kind: best.kind, why: `${COLLECTIONS[best.kind]}, because of ${best.signs}${not}` };
  }

  #findKey(): DraftKey {
    const { source } = this.table;
    const against: string[] = [];
    for (const { column } of this.about('id')) {
      const value = { column };
      const { missing, same, isOneText } = this.#look(value);
      const others = this.about('id').flatMap((id) => (id.column === column ? [] : `"${id.column}"`));
      const not = others.length > 0 ? `; not ${others.join(', ')}` : '';
      if (missing > 0) against.push(`"${column}" is empty in ${missing} of ${source.rows.length} rows`);
      else if (!same)
        return { step: 'id', value, why: `its header says id, and it differs in all rows${not}` };
      else if (this.kind === 'event' || !isOneText) against.push(`"${column}" has ${same}`);
      else return { step: 'each', value, why: `rows with the same id are one record: ${same}${not}` };
    }
    const why = against.length > 0 ? `MEND THE ID? ${against.join('; ')}; so` : 'no header says id:';
    const isUnique = (value: Value) => this.#look(value).missing === 0 && !this.#look(value).same;
    const name = this.nameValue();
    if (name && isUnique(name))
      return { step: 'id', value: name, why: `${why} the name differs in all rows` };
    const unique = source.columns.map((column) => ({ column })).find(isUnique);
    if (unique) return { step: 'id', value: unique, why: `${why} the first column that differs in all rows` };
    const filled = source.columns.filter((column) => !this.isEmpty(column));
    const value = { join: filled.map((column) => ({ column })) };
    return { step: 'each', value, why: `${why} rows with the same texts are one record` };
  }

  /** How many rows have no text of a value, and the first two whose records would have one id, by the same text or not. */
  #look(value: Value): { missing: number; same: string | undefined; isOneText: boolean } {
    const { source } = this.table;
    const seen = new Map<number, { text: string; at: number }>();
    let [missing, same, isOneText]: [number, string | undefined, boolean] = [0, undefined, true];
    const read = readerOf(source, value);
    for (const row of source.rows) {
      const [text] = read(row);
      if (text === undefined) {
        missing += 1;
        continue;
      }
      const other = seen.get(idOfKey(text));
      seen.set(idOfKey(text), other ?? { text, at: row.at });
      if (!other) continue;
      const places = [other.at, row.at].map((at) => describeOrigin(source.place(at)));
      same ??= `${examplesOf([other.text, text])} in ${places.join(' and ')}`;
      isOneText &&= other.text === text;
    }
    return { missing, same, isOneText };
  }
}
