import type { Concept } from '@archiefkast/formats';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { columnOfField } from '../field-check.ts';
import { fieldNames, isListField, type Value } from '../import-map.ts';
import { idOfKey } from '../kind-records.ts';
import type { Source } from '../open-sources.ts';
import { columnsOf } from '../row-values.ts';
import { type DraftKey, TableDescription } from './describe-table.ts';
import { type DraftValue, draftValue, examplesOf, listSeparator, textsIn } from './draft-values.ts';
import type { DraftTable } from './read-draft-tables.ts';

/** A rule of a draft. */
export interface DraftRule {
  kind: Kind;
  source: Source;
  why: string;
  key: DraftKey;
  fields: Map<string, DraftValue>;
  /** The columns that no field has, each with the reason. */
  left: Map<string, string>;
}

const HTML = /<(?:p|br|a|i|em|b|strong|ul|ol|div)\b/i;

/** Drafts the rules of all kinds for tables. */
export function draftRules(tables: readonly DraftTable[]): DraftRule[] {
  // Records of rows come first, so that values can be found among them.
  const described = tables
    .map((table) => new TableDescription(table))
    .toSorted((a, b) => Number(a.key.step === 'each') - Number(b.key.step === 'each'));
  for (const kind of KINDS) keepApart(described.filter((table) => table.kind === kind));
  const given = new Set(described.map(({ kind }) => kind));
  return described.flatMap((table) => new TableDrafter(table, given).rules());
}

/**
 * Puts the name of its source before what identifies the records of a table, if records of an earlier table of its kind may be
 * identified by the same.
 */
function keepApart(tables: readonly TableDescription[]): void {
  const seen = new Map<number, string>();
  for (const table of tables) {
    const { source } = table.table;
    const { step, value } = table.key;
    const same = textsIn(source, value).find((text) => seen.has(idOfKey(text)));
    const [first] = seen.values();
    if (first !== undefined && (same !== undefined || step === 'each')) {
      const what = same === undefined ? 'ARE THESE OTHER RECORDS' : `IS ${examplesOf([same])} ANOTHER RECORD`;
      const other = same === undefined ? first : seen.get(idOfKey(same));
      const why = `${what} THAN IN ${other}? otherwise write each: and the column; references mean that of ${other}`;
      table.key = { step, value: { join: [{ constant: source.name }, value] }, why };
    }
    for (const text of textsIn(source, table.key.value)) seen.set(idOfKey(text), source.name);
  }
}

/** Drafts the rules of a table: of its rows, and of records that its columns name. */
class TableDrafter {
  readonly #table: TableDescription;
  readonly #source: Source;
  /** The kinds of which there are tables. */
  readonly #given: ReadonlySet<Kind>;
  readonly #fields = new Map<string, DraftValue & { concept?: Concept | undefined }>();
  /** The columns that have a field, with their concept. */
  readonly #taken = new Map<string, Concept | undefined>();
  /** Why columns have none. */
  readonly #refused = new Map<string, string>();
  readonly #more: DraftRule[] = [];

  constructor(table: TableDescription, given: ReadonlySet<Kind>) {
    this.#table = table;
    this.#source = table.table.source;
    this.#given = given;
  }

  rules(): DraftRule[] {
    const { kind, key, why } = this.#table;
    const ids = this.#table.about('id').map(({ column }) => column);
    const isNumber = textsIn(this.#source, key.value).every((text) => /^\d+$/.test(text));
    for (const column of columnsIn(key.value)) {
      if (!isNumber && !ids.includes(column)) continue;
      this.#taken.set(column, 'id');
      // Import keeps ids that are no numbers; of a number with a text before it, it has the hash alone.
      if (key.value.join) this.#fields.set(`_${column}`, { value: { column }, why: 'the id as it stands' });
    }
    this.#addNames();
    const order = fieldNames(kind);
    for (const field of order) {
      // Other columns of an image say nothing without its address.
      if (/^image_(?!url)/.test(field) && !this.#fields.has('image_url')) continue;
      const concepts = field === 'location' ? ['place', 'city'] : [field];
      for (const { column, concept } of concepts.flatMap((each) => this.#table.about(each))) {
        this.#add(field, column, concept);
      }
    }
    this.#addTexts();
    for (const field of order) {
      const isHeader = this.#source.columns.includes(field) && !columnOfField(kind, field)?.target;
      if (isHeader) this.#add(field, field, undefined);
    }
    const left = this.#left();
    const [column = ''] = [...left.keys(), ...columnsIn(key.value)];
    if (this.#fields.size === 0)
      this.#fields.set(`_${column}`, { value: { column }, why: 'A RULE NEEDS A FIELD' });
    const rank = (field: string) => (field.startsWith('_') ? order.length : order.indexOf(field));
    const fields = [...this.#fields].toSorted(([a], [b]) => rank(a) - rank(b));
    for (const [, drafted] of fields) {
      const { concept } = drafted;
      const others = [...left.keys()].filter((column) => concept && this.#conceptOf(column) === concept);
      if (others.length > 0)
        drafted.why += `; not ${others.map((each) => `"${each}"`).join(', ')}: see below`;
    }
    return [{ kind, source: this.#source, why, key, fields: new Map(fields), left }, ...this.#more];
  }

  /** The columns without a field, each with the reason. */
  #left(): Map<string, string> {
    const free = this.#source.columns.filter(
      (column) => !this.#taken.has(column) && !this.#table.isEmpty(column),
    );
    return new Map(free.map((column) => [column, this.#refused.get(column) ?? this.#whyFree(column)]));
  }

  #whyFree(column: string): string {
    const concept = this.#conceptOf(column);
    if (concept === undefined) return 'no known header';
    if (concept === 'id') return 'its header says id: see the id of the rule';
    const [other] = [...this.#taken].find(([, taken]) => taken === concept) ?? [];
    const none = `${COLLECTIONS[this.#table.kind]} have no such field${concept.startsWith('image') ? ' without image_url' : ''}`;
    return `its header says ${concept}, ${other === undefined ? `but ${none}` : `but "${other}" is more usual`}`;
  }

  /** Whether there is a field, or the same text in another format. */
  #isGiven(field: string): boolean {
    const [base] = field.split(/_(?:text|markdown)$/);
    return ['', '_text', '_markdown'].some((format) => this.#fields.has(base + format));
  }

  #conceptOf(column: string): Concept | undefined {
    return this.#table.known.find((each) => each.column === column)?.concept;
  }

  /** Adds a field from a column, if there is neither yet, and a text of the column is valid there. */
  #add(field: string, column: string, concept: Concept | undefined, note = ''): void {
    const { kind } = this.#table;
    if (this.#taken.has(column) || this.#isGiven(field)) return;
    const target = columnOfField(kind, field)?.target;
    const drafted = target
      ? this.#reference(field, target, column)
      : draftValue(this.#source, kind, field, { column });
    if ('fault' in drafted) {
      this.#refused.set(column, drafted.fault);
      return;
    }
    this.#fields.set(field, {
      value: drafted.value,
      why: `its header says ${concept ?? field}${target ? '' : '; '}${drafted.why}${note}`,
      concept,
    });
    this.#taken.set(column, concept);
  }

  #addNames(): void {
    const { kind } = this.#table;
    const [dutch, english] = namesOf(kind);
    const names = this.#table
      .about('name')
      .toSorted((a, b) => Number(!a.textLanguage) - Number(!b.textLanguage));
    for (const { column, textLanguage } of names) {
      const note = reversedNames(kind, textsIn(this.#source, { column }));
      this.#add(textLanguage === 'en' ? english : dutch, column, 'name', note);
    }
    const parts = names.length === 0 ? this.#table.nameValue() : undefined;
    const drafted = parts && draftValue(this.#source, kind, dutch, parts);
    if (drafted && !('fault' in drafted))
      this.#fields.set(dutch, { ...drafted, why: 'the parts of the name' });
    const first = this.#fields.get(dutch);
    const isPlain = !names.some(({ column, textLanguage }) => textLanguage && this.#taken.has(column));
    if (first && isPlain) this.#fields.set(english, { ...first, why: 'the same in both languages' });
  }

  /** References to records of tables, or to records made of the distinct texts of the column. */
  #reference(field: string, target: Kind, column: string): DraftValue | { fault: string } {
    const isList = isListField(this.#table.kind, field);
    const list = isList ? listSeparator(this.#source, column, target === 'subject') : undefined;
    const value = list === undefined ? { column } : { column, list };
    const split = list === undefined ? '' : `, split at "${list}"`;
    if (this.#given.has(target)) {
      const kept = `the ids or names of ${COLLECTIONS[target]}; others are kept in _${field}`;
      return { value: { ...value, otherwise: 'keep' }, why: `${split}; ${kept}` };
    }
    const name = draftValue(this.#source, target, namesOf(target)[0], value);
    if ('fault' in name) return name;
    const texts = new Set(textsIn(this.#source, value));
    const isApart = new Set([...texts].map(idOfKey)).size === texts.size;
    if (!isApart) return { fault: 'two texts of it are one number' };
    this.#addRule(target, column, value, name);
    return { value, why: `${split}; the ${COLLECTIONS[target]} made of it` };
  }

  /** Adds the rule for records of the distinct texts of a column. */
  #addRule(kind: Kind, column: string, each: Value, { value: { otherwise }, why }: DraftValue): void {
    const note = reversedNames(kind, textsIn(this.#source, each));
    const name = { value: { column, otherwise }, why: `${why}${note}` };
    const [dutch, english] = namesOf(kind);
    this.#more.push({
      kind,
      source: this.#source,
      why: `${COLLECTIONS[kind]} that "${column}" names`,
      key: { step: 'each', value: each, why: 'every text is one record' },
      fields: new Map([
        [dutch, name],
        [english, { ...name, why: 'the same in both languages' }],
      ]),
      left: new Map(),
    });
  }

  #addTexts(): void {
    const description = this.#table.kind === 'subject' ? 'description' : 'content';
    for (const concept of ['summary', 'text'] as const) {
      for (const { column, language, textLanguage } of this.#table.about(concept)) {
        const isHtml = textsIn(this.#source, { column }).some((text) => HTML.test(text));
        const base = `${concept === 'summary' ? 'summary' : description}_${textLanguage ?? language}`;
        const field = concept === 'summary' || isHtml ? base : `${base}_text`;
        const note = textLanguage ? '' : '; IN THE LANGUAGE of its name';
        this.#add(field, column, concept, note);
      }
    }
  }
}

/** The fields of a name in Dutch and English. */
function namesOf(kind: Kind): readonly [string, string] {
  return kind === 'person' ? ['title_nl', 'title_en'] : ['name_nl', 'name_en'];
}

/** A question about names of persons, most of which are "Last, First". */
function reversedNames(kind: Kind, names: readonly string[]): string {
  const reversed = names.filter((name) => /^[^,]+, [^,]+$/.test(name));
  if (kind !== 'person' || reversed.length * 2 <= names.length) return '';
  return `; LAST NAME FIRST in ${examplesOf(reversed)}? join the parts after: ", " and before: ", " to turn them`;
}

/** The columns of a value. */
function columnsIn(value: Value): string[] {
  return columnsOf(value, []).map(({ column }) => column);
}
