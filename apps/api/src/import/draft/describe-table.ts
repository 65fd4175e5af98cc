import { type Concept, conceptOf } from '@archiefkast/formats';
import type { Kind, Language } from '@archiefkast/types';
import type { Value } from '../import-map.ts';
import { isOfDays, textsIn } from './guess-values.ts';
import type { DraftTable } from './read-draft-tables.ts';

/** A column with a known subject. */
export interface KnownColumn {
  column: string;
  language: Language;
  textLanguage: Language | undefined;
}

/** What identifies the records of a table. */
export interface DraftKey {
  /** `id`: every row is a record; `each`: every distinct value. */
  step: 'id' | 'each';
  value: Value;
  why: string;
  /** Column whose empty cells mark rows to skip. */
  skipEmpty?: string;
}

/** How much each concept speaks for a kind. */
const EVIDENCE: Readonly<Record<Kind, Partial<Record<Concept, number>>>> = {
  person: {
    birth_date: 3,
    death_date: 3,
    gender: 3,
    last_name: 3,
    first_name: 2,
    birth_place: 2,
    death_place: 2,
  },
  event: { date: 3, persons: 2, place: 2, date_start: 1, date_end: 1 },
  location: { latitude: 2, longitude: 1, coordinates: 3, street: 2, zipcode: 3, city: 1, country: 1 },
  subject: { parent: 2, same_as: 1 },
};

/** Words in names of files and sheets that speak for a kind. */
const NAME_WORDS: Readonly<Record<Kind, RegExp>> = {
  person:
    /^(?:persons?|people|persoon|personen|artists?|kunstenaars?|directors?|directeuren|makers?|creators?|authors?|auteurs?|members?|leden|burgemeesters|mayors|curators?|conservatoren|biograph\w*|biograf\w*)$/,
  event:
    /^(?:events?|gebeurtenis|gebeurtenissen|exhibitions?|tentoonstellingen|works?|werken|objects?|objecten|items?)$/,
  location:
    /^(?:locations?|locaties?|places?|plaats|plaatsen|addresses|adressen|buildings|gebouwen|gazetteer|sites)$/,
  subject:
    /^(?:subjects?|onderwerp|onderwerpen|topics?|thesaurus|keywords?|trefwoord|trefwoorden|themes?|terms)$/,
};

/** A table and what its columns are about. */
export class TableDescription {
  readonly table: DraftTable;
  readonly kind: Kind;
  readonly why: string;
  readonly key: DraftKey;
  readonly #columns = new Map<Concept, KnownColumn[]>();
  readonly #filled: ReadonlyMap<string, number>;

  constructor(table: DraftTable) {
    this.table = table;
    const { source } = table;
    this.#filled = new Map(source.columns.map((column) => [column, textsIn(source, { column }).length]));
    const known = source.columns.flatMap((column) => {
      const concept = this.isEmpty(column) ? undefined : conceptOf(column);
      return concept ? [{ column, ...concept }] : [];
    });
    for (const { column, concept, language, textLanguage } of known.toSorted((a, b) => a.rank - b.rank)) {
      const same = this.#columns.get(concept) ?? [];
      this.#columns.set(concept, [...same, { column, language, textLanguage }]);
    }
    const { kind, why } = this.#guessKind();
    this.kind = kind;
    this.why = why;
    if (kind === 'event') this.#findDates();
    this.key = this.#guessKey();
  }

  /** The columns about a concept, likeliest first. */
  about(concept: Concept): readonly KnownColumn[] {
    return this.#columns.get(concept) ?? [];
  }

  /** Whether a column has no text. */
  isEmpty(column: string): boolean {
    return this.#filled.get(column) === 0;
  }

  /** The columns with the names of the records. */
  names(): readonly KnownColumn[] {
    const names = this.about('name');
    if (names.length > 0 || this.kind !== 'person') return names;
    return this.about('last_name').length > 0 ? [] : this.about('persons');
  }

  /** The value that names a record, to identify it where no id does. */
  nameValue(): Value | undefined {
    const [name] = this.names();
    if (name) return { column: name.column };
    const parts = (['first_name', 'infix', 'last_name'] as const).flatMap((concept) =>
      this.about(concept).slice(0, 1),
    );
    return parts.length > 0 ? { join: parts.map(({ column }) => ({ column })) } : undefined;
  }

  #guessKind(): { kind: Kind; why: string } {
    const kinds = ['person', 'event', 'location', 'subject'] as const;
    const scores = kinds.map((kind) => {
      const words = [...new Set(this.table.words)].filter((word) => NAME_WORDS[kind].test(word));
      const evidence = EVIDENCE[kind];
      const columns = [...this.#columns].flatMap(([concept, [first]]) => {
        const weight = evidence[concept];
        return weight !== undefined && first ? [{ weight, column: first.column }] : [];
      });
      const score = columns.reduce((sum, { weight }) => sum + weight, words.length > 0 ? 4 : 0);
      return { kind, score, signs: [...words, ...columns.map(({ column }) => column)] };
    });
    const best = scores.reduce((most, each) => (each.score > most.score ? each : most));
    if (best.score === 0)
      return {
        kind: 'event',
        why: 'nothing says what its rows are; move this to another kind if they are not events',
      };
    return { kind: best.kind, why: `because of ${best.signs.join(', ')}` };
  }

  /** Takes columns of dates whose names say nothing: one as the date, two as begin and end. */
  #findDates(): void {
    if (this.about('date').length + this.about('date_start').length > 0) return;
    const { source } = this.table;
    const columns = source.columns.filter(
      (column) => conceptOf(column) === undefined && isOfDays(source, column),
    );
    const concepts = columns.length === 1 ? (['date'] as const) : (['date_start', 'date_end'] as const);
    for (const [index, concept] of concepts.entries()) {
      const column = columns[index];
      if (column !== undefined)
        this.#columns.set(concept, [{ column, language: 'en', textLanguage: undefined }]);
    }
  }

  #guessKey(): DraftKey {
    const { source } = this.table;
    const total = source.rows.length;
    for (const { column } of this.about('id')) {
      const texts = textsIn(source, { column });
      if (new Set(texts).size !== texts.length || texts.length < total * 0.9) continue;
      const value = { column };
      if (texts.length === total) return { step: 'id', value, why: 'differs in all rows' };
      return {
        step: 'id',
        value,
        why: `${total - texts.length} rows have none, and are skipped`,
        skipEmpty: column,
      };
    }
    const [id] = this.about('id');
    if (this.kind !== 'event' && id && textsIn(source, id).length === total) {
      const count = new Set(textsIn(source, id)).size;
      return { step: 'each', value: { column: id.column }, why: `${count} values in ${total} rows` };
    }
    const name = this.nameValue();
    const dates = (['birth_date', 'date', 'date_start'] as const).flatMap((concept) =>
      this.about(concept).slice(0, 1),
    );
    const joined = [name, ...dates.map(({ column }) => ({ column }))].filter((part) => part !== undefined);
    const values = [...(name ? [name] : []), ...(joined.length > 1 ? [{ join: joined }] : [])];
    for (const value of values) {
      const texts = textsIn(source, value);
      if (texts.length === total && new Set(texts).size === total) {
        return { step: 'id', value, why: 'no id; this differs in all rows' };
      }
    }
    if (name && this.kind !== 'event' && textsIn(source, name).length === total) {
      return {
        step: 'each',
        value: values.at(-1) ?? name,
        why: 'no id; rows with the same text are one record',
      };
    }
    const unique = source.columns.find((column) => {
      const texts = textsIn(source, { column });
      return texts.length === total && new Set(texts).size === total;
    });
    if (unique !== undefined)
      return { step: 'id', value: { column: unique }, why: 'the first that differs in all rows' };
    const filled = source.columns.filter((column) => !this.isEmpty(column));
    const all = { join: filled.map((column) => ({ column })) };
    return { step: 'each', value: all, why: 'no column differs in all rows; equal rows are one record' };
  }
}
