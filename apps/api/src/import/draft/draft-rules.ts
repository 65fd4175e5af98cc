import { type Concept, conceptOf } from '@archiefkast/formats';
import type { Kind } from '@archiefkast/types';
import { fieldNames, type Value } from '../import-map.ts';
import { type DraftKey, TableDescription } from './describe-table.ts';
import { type DraftFields, FieldDrafter } from './draft-fields.ts';
import { guessList, textsIn } from './guess-values.ts';
import type { DraftTable } from './read-draft-tables.ts';

/** A rule of a draft. */
export interface DraftRule {
  kind: Kind;
  from: string;
  why: string;
  key: DraftKey;
  fields: DraftFields;
}

/** Drafts the rules of all kinds for tables. */
export function draftRules(tables: readonly DraftTable[]): DraftRule[] {
  const described = tables.map((table) => new TableDescription(table));
  const rules = described.flatMap((table) => new TableDrafter(table, described).rules());
  // Records of rows come first, so that values can be found among them.
  return rules.toSorted((a, b) => Number(a.key.step === 'each') - Number(b.key.step === 'each'));
}

/** Drafts the rules of a table: of its rows, and of records that its columns name. */
class TableDrafter {
  readonly #table: TableDescription;
  readonly #others: readonly TableDescription[];
  readonly #from: string;
  readonly #drafter: FieldDrafter;
  readonly #more: DraftRule[] = [];

  constructor(table: TableDescription, all: readonly TableDescription[]) {
    this.#table = table;
    this.#drafter = new FieldDrafter(table);
    this.#others = all.filter((other) => other !== table);
    this.#from = table.table.source.name;
  }

  rules(): DraftRule[] {
    const { kind, key, why } = this.#table;
    const { source } = this.#table.table;
    const fields: DraftFields = new Map();
    this.#drafter.addPlainFields(fields);
    if (kind === 'event') {
      this.#addPlace(fields);
      this.#addReferences(fields, 'persons', 'persons', 'person');
    }
    if (kind === 'subject') this.#addParent(fields);
    else this.#addReferences(fields, 'subjects', 'subjects', 'subject');
    this.#drafter.addOtherFields(fields);
    if (kind === 'person') this.#addTerms();
    for (const column of source.columns) {
      if (this.#drafter.claimed.has(column) || this.#table.isEmpty(column)) continue;
      fields.set(`_${column}`, {
        value: { column },
        why: 'no field for it: kept in a column that publish ignores',
      });
    }
    const order = fieldNames(kind);
    const rank = (field: string) => (field.startsWith('_') ? order.length : order.indexOf(field));
    const sorted = new Map([...fields].toSorted(([a], [b]) => rank(a) - rank(b)));
    return [{ kind, from: this.#from, why, key, fields: sorted }, ...this.#more];
  }

  /** The location of an event: records of the distinct places, with the coordinates that stand in the same rows. */
  #addPlace(fields: DraftFields): void {
    const place = this.#drafter.free('place')?.column ?? this.#naming('location');
    const [latitude, longitude] = [
      this.#drafter.free('latitude')?.column,
      this.#drafter.free('longitude')?.column,
    ];
    const points =
      latitude !== undefined && longitude !== undefined ? [{ column: latitude }, { column: longitude }] : [];
    const column = place ?? (points.length === 0 ? this.#drafter.free('city')?.column : undefined);
    if (column !== undefined && this.#resolves({ column }, 'location')) {
      fields.set('location', { value: { column }, why: `"${column}" names records of another table` });
      this.#drafter.claimed.add(column);
      return;
    }
    const parts = [...(column === undefined ? [] : [{ column }]), ...points];
    if (parts.length === 0) return;
    const isSame = column !== undefined && this.#isDetermined(column, points);
    const value: Value = isSame ? { column } : { join: parts, with: ', ' };
    const why = isSame ? `every place of "${column}" once` : 'every place with other coordinates once';
    const more: DraftFields = new Map();
    for (const language of ['nl', 'en'] as const) {
      this.#drafter.add(
        more,
        'location',
        `name_${language}`,
        column === undefined ? value : { column },
        'the same in both languages',
      );
    }
    if (latitude !== undefined && points.length > 0)
      this.#drafter.add(more, 'location', 'latitude', { column: latitude });
    if (longitude !== undefined && points.length > 0)
      this.#drafter.add(more, 'location', 'longitude', { column: longitude });
    this.#more.push({
      kind: 'location',
      from: this.#from,
      why,
      key: { step: 'each', value, why },
      fields: more,
    });
    fields.set('location', { value, why: 'the location made of the same text' });
  }

  /** Whether all rows with the same text in a column have the same texts in others. */
  #isDetermined(column: string, others: readonly Value[]): boolean {
    const { source } = this.#table.table;
    const place = source.columns.indexOf(column);
    const places = others.map((other) => source.columns.indexOf(other.column ?? ''));
    const found = new Map<string, string>();
    return source.rows.every(({ cells }) => {
      const key = cells[place] ?? '';
      const texts = places.map((each) => cells[each] ?? '').join('\n');
      if (key === '' || texts.trim() === '') return true;
      const first = found.get(key) ?? texts;
      found.set(key, first);
      return first === texts;
    });
  }

  /** Adds references: to records of another table, or to records made of the distinct values. */
  #addReferences(fields: DraftFields, field: string, concept: Concept, target: Kind): void {
    const column = this.#drafter.free(concept)?.column ?? this.#naming(target);
    if (column === undefined) return;
    const { source } = this.#table.table;
    const list = guessList(source, column, target === 'subject');
    const value: Value = list === undefined ? { column } : { column, list };
    const between = list === undefined ? '' : `, separated by "${list}"`;
    this.#drafter.claimed.add(column);
    if (this.#resolves(value, target)) {
      fields.set(field, { value, why: `"${column}" names records of another table${between}` });
      return;
    }
    fields.set(field, { value, why: `the ${concept} made of the same texts${between}` });
    const why = `every value of "${column}" once`;
    const more: DraftFields = new Map();
    const isPerson = target === 'person';
    const name = this.#drafter.nameOf(column, isPerson, list);
    const base = isPerson ? 'title' : 'name';
    for (const language of ['nl', 'en'])
      more.set(`${base}_${language}`, { value: name, why: 'the same in both languages' });
    if (name.join) {
      more.set('first_name', { value: { column, after: ', ' }, why: '"Last, First"' });
      more.set('last_name', { value: { column, before: ', ' }, why: '"Last, First"' });
    }
    this.#more.push({
      kind: target,
      from: this.#from,
      why,
      key: { step: 'each', value, why: 'rows with the same text are one record' },
      fields: more,
    });
  }

  /** A column without a known name whose texts are ids, other than numbers, or names of records of another table. */
  #naming(kind: Kind): string | undefined {
    const { source } = this.#table.table;
    return source.columns.find((column) => {
      if (this.#drafter.claimed.has(column) || conceptOf(column) !== undefined) return false;
      const texts = textsIn(source, { column });
      return (
        texts.length > 0 && !texts.every((text) => /^\d+$/.test(text)) && this.#resolves({ column }, kind)
      );
    });
  }

  /** Whether every text of a value is the id or name of a record of another table. */
  #resolves(value: Value, kind: Kind, among = this.#others): boolean {
    const texts = textsIn(this.#table.table.source, value);
    return among.some((other) => {
      if (other.kind !== kind) return false;
      const name = other.nameValue();
      const values = [other.key.value, ...other.names(), ...(name ? [name] : [])];
      const known = new Set(values.flatMap((each) => textsIn(other.table.source, each)));
      return texts.every((text) => known.has(text));
    });
  }

  #addParent(fields: DraftFields): void {
    const column = this.#drafter.free('parent')?.column;
    if (column === undefined || !this.#resolves({ column }, 'subject', [this.#table, ...this.#others]))
      return;
    fields.set('parent', { value: { column }, why: `every "${column}" is a record` });
    this.#drafter.claimed.add(column);
  }

  /** Events for the begin and end that rows of persons have, such as terms of office. */
  #addTerms(): void {
    const fields: DraftFields = new Map();
    const begin = this.#addTerm(fields, 'date_start');
    const end = this.#addTerm(fields, 'date_end');
    if (begin.length + end.length === 0) return;
    const { key } = this.#table;
    const role = this.#drafter.free('role')?.column;
    const [first] = this.#table.names();
    const name = first ? this.#drafter.nameOf(first.column) : (this.#table.nameValue() ?? key.value);
    const titled = role === undefined ? name : { join: [name, { column: role }], with: ', ' };
    for (const language of ['nl', 'en'] as const)
      this.#drafter.add(fields, 'event', `name_${language}`, titled);
    fields.set('persons', { value: key.value, why: 'the person of the row' });
    const parts = [...begin, ...end, ...(role === undefined ? [] : [role])].map((column) => ({ column }));
    this.#more.push({
      kind: 'event',
      from: this.#from,
      why: 'a person has no begin and end other than birth and death: an event for each',
      key: {
        step: 'each',
        value: { join: [key.value, ...parts] },
        why: 'rows with the same texts are one record',
      },
      fields,
    });
  }

  /** Adds the begin or end of a term; returns its column, if there is one. */
  #addTerm(fields: DraftFields, concept: 'date_start' | 'date_end'): string[] {
    const column = this.#drafter.free(concept)?.column;
    return column !== undefined && this.#drafter.add(fields, 'event', concept, { column }) ? [column] : [];
  }
}
