import { describeOrigin, type FaultList } from '@archiefkast/bundle';
import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import { type ImportMap, isListField, type RecordRule, type Value } from './import-map.ts';
import {
  type FieldTexts,
  idOfKey,
  KindRecords,
  type MadeRecord,
  namesOf,
  quoted,
  Tally,
} from './kind-records.ts';
import { findColumn, type Source, type SourceRow } from './open-sources.ts';
import type { OpenMap } from './read-map.ts';
import { columnsOf, compileValue, type ReadColumn, termsOf } from './row-values.ts';

/** The records of an import. */
export interface MadeRecords {
  kinds: Readonly<Record<Kind, KindRecords>>;
  /** Values of fields that differ among the rows of one record; the first is kept. */
  differences: Tally;
  /** What became of the rows and columns of each source. */
  uses: Map<Source, ReturnType<typeof keepTheRest>>;
}

/** A rule of the map, compiled for its source. */
type Rule = ReturnType<typeof compileRule>;

/** What was made of a row: by which rules, and the record that keeps its other cells. */
interface RowUse {
  rules: readonly Rule[];
  /** Rather a record of the row alone than one that rows share. */
  home: { record: MadeRecord; isOfRow: boolean };
}

/**
 * Makes the records of all kinds by the rules of a map. Columns that no rule uses are kept in fields that begin with `_`.
 *
 * @param faults columns that are missing, and records without an id or with that of another, are added to it
 * @throws BundleError if the map names columns that are missing
 */
export function makeRecords(
  sources: ReadonlyMap<string, Source>,
  openMap: OpenMap,
  faults: FaultList,
): MadeRecords {
  const rules = compileRules(sources, openMap, faults);
  faults.throwIfAny();
  const maker = new RecordMaker(openMap, faults);
  const rows = new Map<SourceRow, RowUse>();
  for (const rule of rules) {
    const { isOfRow } = rule;
    // Its values may name records of earlier rules of its kind.
    if (!isOfRow) maker.kinds[rule.kind].readNames();
    for (const row of rule.source.rows) {
      const record = rule.takes(row) && maker.make(rule, row);
      if (!record) continue;
      const use = rows.get(row);
      if (!use) rows.set(row, { rules: [rule], home: { record, isOfRow } });
      else {
        use.rules = [...use.rules, rule];
        if (isOfRow && !use.home.isOfRow) use.home = { record, isOfRow };
      }
    }
  }
  const uses = new Map(sources.values().map((source) => [source, keepTheRest(source, rows, maker)]));
  for (const kind of KINDS) maker.kinds[kind].readNames();
  return { kinds: maker.kinds, differences: maker.differences, uses };
}

/** What to do about two lists that are numbered alike. */
function apart({ source, keys }: Rule, step: 'id' | 'each'): string {
  const [column = -1] = keys;
  const value = `{ join: [ { constant: ${source.name} }, ${source.columns[column] ?? '…'} ] }`;
  return `if they are two records, write a constant before it: ${step}: ${value}`;
}

function placeOf({ source, row }: MadeRecord): string {
  return describeOrigin(source.place(row));
}

/** The fields that begin with `_` of the rules of a kind, and those to which texts of the other fields may be moved. */
function asideFields(kind: Kind, map: ImportMap): string[] {
  const fields = (map[COLLECTIONS[kind]] ?? []).flatMap((rule) => Object.keys(rule.fields));
  return fields.map((field) => (field.startsWith('_') ? field : movedField(kind, field, map)));
}

/** The field to which texts that are not valid in a field are moved: `_date`, or `_date (2)` if the map has that. */
export function movedField(kind: Kind, field: string, map: ImportMap): string {
  const isTaken = (map[COLLECTIONS[kind]] ?? []).some((rule) => `_${field}` in rule.fields);
  return isTaken ? `_${field} (2)` : `_${field}`;
}

class RecordMaker {
  readonly kinds = forKinds(() => new KindRecords());
  readonly differences = new Tally();
  readonly #map: ImportMap;
  readonly #faults: FaultList;
  /** The fields that keep columns, by kind, then source and column. */
  readonly #keptFields = forKinds(() => new Map<string, string>());

  constructor({ map }: OpenMap, faults: FaultList) {
    this.#map = map;
    this.#faults = faults;
  }

  /** Makes the records of a row by a rule, or adds to known ones; returns the first. */
  make(rule: Rule, row: SourceRow): MadeRecord | undefined {
    const { source, isOfRow } = rule;
    const read: ReadColumn = (column) => row.cells[source.columns.indexOf(column)] ?? '';
    const keys = rule.key(read);
    if (isOfRow && keys.length === 0) {
      const collection = COLLECTIONS[rule.kind];
      return this.#refuse(
        rule,
        row,
        `has no id for the record of ${collection}; fill it, or skip the row in the map`,
      );
    }
    const made = (isOfRow ? [keys.join(' ')] : keys).map((key) => this.#ofTerms(rule, row, key, read));
    return made.find((record) => record !== undefined);
  }

  /** The record of a key; of a path of terms the last, with those of the terms before it: each is the parent of the next. */
  #ofTerms(rule: Rule, row: SourceRow, key: string, read: ReadColumn): MadeRecord | undefined {
    const { source, each, path } = rule;
    const terms = path === undefined ? [key] : termsOf(key, path);
    let parent: MadeRecord | undefined;
    for (const [index, term] of terms.entries()) {
      const isLast = index === terms.length - 1;
      const readTerm: ReadColumn = (column) => (column === each ? term : isLast ? read(column) : '');
      const above = parent && { texts: [parent.key], from: { source, column: undefined }, row: row.at };
      const record = this.#ofKey(rule, row, terms.slice(0, index + 1).join(path), readTerm, above);
      if (!record) return undefined;
      parent = record;
    }
    return parent;
  }

  /** The record with a key: a new one, or an earlier one of a distinct value, to which the row adds. */
  #ofKey(
    rule: Rule,
    row: SourceRow,
    key: string,
    read: ReadColumn,
    parent?: FieldTexts,
  ): MadeRecord | undefined {
    const { kind, source } = rule;
    const records = this.kinds[kind];
    const fields = fieldsOf(rule, row, read);
    if (parent && !fields.has('parent')) fields.set('parent', parent);
    const known = rule.isOfRow ? undefined : records.find(key);
    if (known === 'several') {
      const reason = `"${key}" is the name of several ${COLLECTIONS[kind]}; expected the id of one of them`;
      return this.#refuse(rule, row, reason);
    }
    if (known && known.source !== source && /^\d+$/.test(key)) {
      const [own, other] = [namesOf({ kind, fields }), namesOf(known)];
      if (own.size > 0 && other.size > 0 && [...own].every((name) => !other.has(name))) {
        const [[name], [first]] = [[...own], [...other]];
        const reason = `"${name}" has the id "${key}" of "${first}" (${placeOf(known)}); ${apart(rule, 'each')}; if they are one, leave the name out of this rule`;
        return this.#refuse(rule, row, reason);
      }
    }
    if (known) {
      for (const [name, texts] of fields) {
        this.fill(known, name, name.startsWith('_') || isListField(kind, name), texts);
      }
      return known;
    }
    const id = idOfKey(key);
    const other = records.byId.get(id);
    if (!other) {
      const record = { kind, key, id, source, row: row.at, fields };
      records.add(record);
      return record;
    }
    const isSame = other.key === key;
    if (rule.isNumbered) return this.#ofKey(rule, row, this.#numbered(kind, key), read);
    const advice =
      other.source === source
        ? 'give every row its own in the file, or write repeated: numbered beside id'
        : apart(rule, 'id');
    const reason = isSame
      ? `has the id "${key}" a second time; the first is ${placeOf(other)}; ${advice}`
      : `"${key}" and "${other.key}" (${placeOf(other)}) both get the id ${id}; expected ids that differ`;
    return this.#refuse(rule, row, reason);
  }

  /** A key with the first number that no other has: `a-2 (2)`. */
  #numbered(kind: Kind, key: string): string {
    for (let number = 2; ; number += 1) {
      const numbered = `${key} (${number})`;
      if (!this.kinds[kind].byId.has(idOfKey(numbered))) return numbered;
    }
  }

  /** The field that keeps a column which no rule uses: `_` and its name, with a number if another of the kind has that. */
  keptField(kind: Kind, source: Source, column: string): string {
    const kept = this.#keptFields[kind];
    const known = kept.get(`${source.name} ${column}`);
    if (known !== undefined) return known;
    const taken = [...asideFields(kind, this.#map), ...kept.values()];
    let field = `_${column}`;
    for (let number = 2; taken.includes(field); number += 1) field = `_${column} (${number})`;
    kept.set(`${source.name} ${column}`, field);
    return field;
  }

  /** A column that is kept, with its field if that has another name. */
  describeKept(source: Source, column: string): string {
    const fields = KINDS.flatMap((kind) => this.#keptFields[kind].get(`${source.name} ${column}`) ?? []);
    const others = fields.filter((field) => field !== `_${column}`);
    return others.length > 0 ? `${column} (in ${others.join(', ')})` : column;
  }

  #refuse({ source }: Rule, { at }: SourceRow, reason: string): undefined {
    this.#faults.add({ ...source.place(at), reason });
  }

  /** Adds texts to a field of a record: a list grows, of a single value the first is kept. */
  fill(record: MadeRecord, field: string, isList: boolean, given: FieldTexts): void {
    const found = record.fields.get(field);
    if (!found) {
      record.fields.set(field, given);
      return;
    }
    const others = given.texts.filter((text) => !found.texts.includes(text));
    if (isList) found.texts.push(...new Set(others));
    const [kept = ''] = found.texts;
    const [other] = others;
    if (isList || other === undefined) return;
    this.differences.add(record.kind, field, 1, () => {
      const first = quoted(kept, record.source, record.row);
      return `${quoted(other, given.from.source, given.row)} from ${first}`;
    });
  }
}

/** The fields that a rule reads from a row. */
function fieldsOf({ fields }: Rule, { at: row }: SourceRow, read: ReadColumn): MadeRecord['fields'] {
  const found: MadeRecord['fields'] = new Map();
  for (const { name, value, from } of fields) {
    const texts = value(read);
    if (texts.length > 0)
      found.set(name, { texts: texts.length > 1 ? [...new Set(texts)] : texts, from, row });
  }
  return found;
}

/** Keeps the cells of a source that no rule uses, in a field of the record of their row: `_` and the name of the column. */
function keepTheRest(source: Source, rows: ReadonlyMap<SourceRow, RowUse>, maker: RecordMaker) {
  const used = new Set<number>();
  const kept = new Set<number>();
  const filled = new Set<number>();
  const origins = source.columns.map((_, column) => ({ source, column }));
  let unused = 0;
  for (const row of source.rows) {
    const use = rows.get(row);
    if (!use) unused += 1;
    for (const [column, from] of origins.entries()) {
      const text = row.cells[column] ?? '';
      if (text === '') continue;
      filled.add(column);
      if (!use || source.dropped.has(column)) continue;
      // The text of an id that is not exactly the number of the record stays in no other column.
      const isId = use.rules.some(
        ({ keys, isOfRow }) =>
          keys.has(column) && String(isOfRow ? use.home.record.id : idOfKey(text)) === text,
      );
      const isUsed = isId || use.rules.some((rule) => rule.used.has(column));
      (isUsed ? used : kept).add(column);
      if (isUsed || use.rules.some(({ columns }) => columns.has(column))) continue;
      const texts = { texts: [text], from, row: row.at };
      const { record } = use.home;
      maker.fill(record, maker.keptField(record.kind, source, source.columns[column] ?? ''), true, texts);
    }
  }
  const names = (has: (column: number) => boolean) => source.columns.filter((_, column) => has(column));
  return {
    /** Number of rows from which no record was made. */
    unused,
    used: names((column) => used.has(column)),
    kept: names((column) => kept.has(column) && !used.has(column)).map((column) =>
      maker.describeKept(source, column),
    ),
    dropped: names((column) => source.dropped.has(column)),
    empty: names((column) => !filled.has(column) && !source.dropped.has(column)),
  };
}

function compileRules(sources: ReadonlyMap<string, Source>, { map, at }: OpenMap, faults: FaultList): Rule[] {
  return KINDS.flatMap((kind) =>
    (map[COLLECTIONS[kind]] ?? []).flatMap((rule, index) => {
      const source = sources.get(rule.from);
      if (!source) return [];
      const find = (column: string, path: readonly PropertyKey[]) =>
        findColumn(source, column, at(path), faults);
      return [compileRule(kind, rule, source, [COLLECTIONS[kind], index], find)];
    }),
  );
}

/** @param find the index of a column; a missing one is a fault of the map at a path */
function compileRule(
  kind: Kind,
  rule: RecordRule,
  source: Source,
  path: readonly PropertyKey[],
  find: (column: string, path: readonly PropertyKey[]) => number,
) {
  const columnsIn = (value: Value, where: readonly PropertyKey[]) =>
    columnsOf(value, where).map(({ column, path }) => find(column, path));
  const tests = (step: 'only' | 'skip') =>
    Object.entries(rule[step] ?? {}).map(([column, texts]) => {
      const place = find(column, [...path, step, column]);
      return ({ cells }: SourceRow) => texts.includes(cells[place] ?? '');
    });
  const [only, skip] = [tests('only'), tests('skip')];
  const isOfRow = rule.id !== undefined;
  const key = rule.id ?? rule.each ?? {};
  const keyColumns = columnsIn(key, [...path, isOfRow ? 'id' : 'each']);
  const fields = Object.entries(rule.fields).map(([name, value]) => {
    const where = [...path, 'fields', name];
    const read = columnsIn(value, where);
    const from = {
      source,
      column: read.length > 1 ? undefined : read[0],
      map: { path: where, keeps: value.otherwise === 'keep', isName: value.name === 'title' },
    };
    return { name, value: compileValue(value), from, read };
  });
  return {
    kind,
    source,
    takes: (row: SourceRow) => only.every((test) => test(row)) && !skip.some((test) => test(row)),
    key: compileValue(key),
    /** Whether every row is a record, otherwise every distinct value. */
    isOfRow,
    /** Whether the second row with an id gets a number after it. */
    isNumbered: rule.repeated === 'numbered',
    /** The column whose values are taken one by one, and the separator if they are paths of terms. */
    each: isOfRow ? undefined : key.column,
    path: isOfRow ? undefined : key.path,
    fields,
    /** The column of its key, if it is one, those of its fields, and of those whose name does not begin with `_`. */
    keys: new Set(key.column === undefined ? [] : keyColumns),
    columns: new Set(fields.flatMap(({ read }) => read)),
    used: new Set(fields.flatMap(({ name, read }) => (name.startsWith('_') ? [] : read))),
  };
}
