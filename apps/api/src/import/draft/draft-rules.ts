import type { Concept } from '@archiefkast/formats';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { columnOfField } from '../field-check.ts';
import { fieldNames, isListField, type Value } from '../import-map.ts';
import type { Source } from '../open-sources.ts';
import { idOfKey } from '../records.ts';
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

/** The fields that take a column by its concept alone, which has their name. */
const FIELDS: Readonly<Record<Kind, readonly Concept[]>> = {
  person: [
    ...(['first_name', 'infix', 'last_name', 'gender'] as const),
    ...(['birth_date', 'birth_place', 'birth_country'] as const),
    ...(['death_date', 'death_place', 'death_country'] as const),
  ],
  subject: ['same_as'],
  location: ['street', 'zipcode', 'city', 'state', 'land', 'latitude', 'longitude'],
  event: ['date', 'date_start', 'date_end'],
};
const OF_IMAGES = ['image_credit', 'image_copyright'] as const;

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
    for (const concept of FIELDS[kind]) this.#take(concept);
    if (kind === 'event') {
      this.#refer('location', 'location', [...this.#free('place'), ...this.#free('city')]);
      this.#refer('persons', 'person', this.#free('persons'));
    }
    if (kind === 'subject') this.#refer('parent', 'subject', this.#free('parent'));
    else this.#refer('subjects', 'subject', this.#free('subjects'));
    this.#addTexts();
    this.#take('image_url');
    if (this.#fields.has('image_url')) for (const concept of OF_IMAGES) this.#take(concept);
    for (const field of fieldNames(kind)) {
      const isFree = this.#source.columns.includes(field) && !this.#taken.has(field) && !this.#isGiven(field);
      if (isFree && !columnOfField(kind, field)?.target) this.#add(field, field, undefined);
    }
    const left = this.#left();
    const [column = ''] = [...left.keys(), ...columnsIn(key.value)];
    if (this.#fields.size === 0)
      this.#fields.set(`_${column}`, { value: { column }, why: 'A RULE NEEDS A FIELD' });
    const order = fieldNames(kind);
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

  /** The columns about a concept that have no field yet. */
  #free(concept: Concept): string[] {
    return this.#table.about(concept).flatMap(({ column }) => (this.#taken.has(column) ? [] : column));
  }

  /** Adds a field from a column; false, with the reason, if no text of it is valid there. */
  #add(
    field: string,
    column: string,
    concept: Concept | undefined,
    value: Value = { column },
    note = '',
  ): boolean {
    const drafted = draftValue(this.#source, this.#table.kind, field, value);
    if ('fault' in drafted) {
      this.#refused.set(column, drafted.fault);
      return false;
    }
    const why = `its header says ${concept ?? field}; ${drafted.why}${note}`;
    this.#fields.set(field, { ...drafted, why, concept });
    this.#taken.set(column, concept);
    return true;
  }

  /** Adds the field of a concept from the most usually named column of which a text is valid there. */
  #take(concept: Concept): void {
    this.#free(concept).some((column) => this.#add(concept, column, concept));
  }

  #addNames(): void {
    const { kind } = this.#table;
    const [dutch, english] = kind === 'person' ? ['title_nl', 'title_en'] : ['name_nl', 'name_en'];
    const names = this.#table
      .about('name')
      .filter(({ column }) => !this.#taken.has(column))
      .toSorted((a, b) => Number(!a.textLanguage) - Number(!b.textLanguage));
    for (const { column, textLanguage } of names) {
      const field = textLanguage === 'en' ? english : dutch;
      const note = reversedNames(kind, textsIn(this.#source, { column }));
      if (!this.#fields.has(field)) this.#add(field, column, 'name', { column }, note);
    }
    const parts = names.length === 0 ? this.#table.nameValue() : undefined;
    const drafted = parts && draftValue(this.#source, kind, dutch, parts);
    if (drafted && !('fault' in drafted))
      this.#fields.set(dutch, { ...drafted, why: 'the parts of the name' });
    const first = this.#fields.get(dutch);
    const isPlain = !names.some(({ column, textLanguage }) => textLanguage && this.#taken.has(column));
    if (first && isPlain) this.#fields.set(english, { ...first, why: 'the same in both languages' });
  }

  /** Adds references from the first of some columns: to records of tables, or to records made of its distinct texts. */
  #refer(
    field: 'location' | 'persons' | 'subjects' | 'parent',
    target: Kind,
    [column]: readonly string[],
  ): void {
    if (column === undefined) return;
    const isList = isListField(this.#table.kind, field);
    const list = isList ? listSeparator(this.#source, column, target === 'subject') : undefined;
    const value = list === undefined ? { column } : { column, list };
    const concept = this.#conceptOf(column);
    const split = list === undefined ? '' : `, split at "${list}"`;
    const why = `its header says ${concept}${split}`;
    if (this.#given.has(target)) {
      const kept = `the ids or names of ${COLLECTIONS[target]}; others are kept in _${field}`;
      this.#fields.set(field, { value: { ...value, otherwise: 'keep' }, why: `${why}; ${kept}`, concept });
    } else {
      const name = draftValue(this.#source, target, target === 'person' ? 'title_nl' : 'name_nl', value);
      const texts = new Set(textsIn(this.#source, value));
      const isApart = new Set([...texts].map(idOfKey)).size === texts.size;
      if ('fault' in name || !isApart) {
        this.#refused.set(column, 'fault' in name ? name.fault : 'two texts of it are one number');
        return;
      }
      this.#fields.set(field, { value, why: `${why}; the ${COLLECTIONS[target]} made of it`, concept });
      this.#addRule(target, column, value, name);
    }
    this.#taken.set(column, concept);
  }

  /** Adds the rule for records of the distinct texts of a column. */
  #addRule(kind: Kind, column: string, each: Value, { value: { otherwise }, why }: DraftValue): void {
    const note = reversedNames(kind, textsIn(this.#source, each));
    const name = { value: { column, otherwise }, why: `${why}${note}` };
    const base = kind === 'person' ? 'title' : 'name';
    this.#more.push({
      kind,
      source: this.#source,
      why: `${COLLECTIONS[kind]} that "${column}" names`,
      key: { step: 'each', value: each, why: 'every text is one record' },
      fields: new Map([
        [`${base}_nl`, name],
        [`${base}_en`, { ...name, why: 'the same in both languages' }],
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
        if (!this.#isGiven(field)) this.#add(field, column, concept, { column }, note);
      }
    }
  }
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
