import { createHash } from 'node:crypto';
import { deriveUuid, isUsableName, referenceNames } from '@archiefkast/formats';
import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import type { FaultList } from '../publish/bundle/faults.ts';
import { isListField, type RecordRule, type Value } from './import-map.ts';
import { noColumn, type Source, type SourceRow } from './open-sources.ts';
import type { OpenMap } from './read-map.ts';
import { columnsOf, compileValue, type ReadColumn, type RowValue } from './row-values.ts';

/** Where the texts of a field come from. */
interface FieldOrigin {
  source: Source;
  /** The column, if it is one only. */
  column: number | undefined;
  /** The field in the map; undefined for a column that is kept without being in the map. */
  map?: { path: readonly PropertyKey[]; keeps: boolean };
}

/** The texts of a field, and the row of the first of them. */
export interface FieldTexts {
  texts: string[];
  from: FieldOrigin;
  row: number;
}

/** A record made by an import. */
export interface MadeRecord {
  kind: Kind;
  /** The text that identifies it in the source. */
  key: string;
  id: number;
  uuid: string;
  /** The row that it was first made from. */
  source: Source;
  row: number;
  fields: Map<string, FieldTexts>;
}

/** Values of a field that differ among the rows of one record; the first is kept. */
export interface Difference {
  kind: Kind;
  field: string;
  /** Number of rows with another value. */
  count: number;
  record: MadeRecord;
  kept: string;
  /** The first other value, and its row. */
  other: string;
  source: Source;
  row: number;
}

/** How the rows of a source were used. */
export interface SourceUse {
  rows: number;
  /** Rows from which no record was made. */
  unused: number;
  /** Columns that the map uses, keeps, drops, and that have no text, by name. */
  used: string[];
  kept: string[];
  dropped: string[];
  empty: string[];
}

/** The records of an import. */
export interface MadeRecords {
  kinds: Readonly<Record<Kind, KindRecords>>;
  differences: ReadonlyMap<string, Difference>;
  uses: Map<Source, SourceUse>;
}

/**
 * The id for a text that identifies a record: a whole number stays as it is, anything else gets the first 48 bits of
 * its SHA-256, which spreadsheets store exactly.
 */
export function idOfKey(key: string): number {
  const number = /^\d{1,16}$/.test(key) ? Number(key) : undefined;
  if (number !== undefined && Number.isSafeInteger(number)) return number;
  return createHash('sha256').update(folded(key)).digest().readUIntBE(0, 6);
}

/** The form in which keys and names are compared: composed characters, and single spaces. */
function folded(text: string): string {
  // Most texts are in this form, and stay the same string.
  return text.normalize('NFC').replaceAll(/\s{2,}|[^\S ]/g, ' ');
}

/** The row that a record was first made from: `persons.csv:14`. */
export function describeRow({ source, row }: Pick<MadeRecord, 'source' | 'row'>): string {
  const { file, line, cell } = source.place(row);
  return cell === undefined ? `${file}:${line}` : `${file}: ${cell}`;
}

/** The records of a kind: by id in order, by key and by name. */
export class KindRecords {
  readonly byId = new Map<number, MadeRecord>();
  readonly #kind: Kind;
  readonly #byKey = new Map<string, MadeRecord>();
  /** The record with a name, or that several have it. */
  #byName = new Map<string, MadeRecord | 'several'>();
  /** Names by their small letters. */
  #near: Map<string, string> | undefined;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  add(record: MadeRecord): void {
    this.byId.set(record.id, record);
    this.#byKey.set(folded(record.key), record);
  }

  /** Reads the names of the records, by which texts can refer to them from now on. */
  readNames(): void {
    this.#byName = new Map();
    for (const record of this.byId.values()) {
      for (const name of new Set([...namesOf(record)].map(folded))) {
        this.#byName.set(name, this.#byName.has(name) ? 'several' : record);
      }
    }
  }

  /** The record that a text refers to: the one with this key, otherwise that with this name. */
  find(text: string): MadeRecord | 'several' | undefined {
    const key = folded(text);
    return this.#byKey.get(key) ?? this.#byName.get(key);
  }

  /** Why a text refers to no record. */
  faultOf(text: string): string {
    const [kind, collection] = [this.#kind, COLLECTIONS[this.#kind]];
    if (this.find(text))
      return `"${text}" is the name of several ${collection}; expected the id of one of them`;
    this.#near ??= new Map(this.#byName.keys().map((name) => [name.toLowerCase(), name]));
    const turned = text.replace(/^([^,]+),\s*([^,]+)$/, '$2 $1');
    const near = this.#near.get(folded(text).toLowerCase()) ?? this.#near.get(folded(turned).toLowerCase());
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    return `refers to the ${kind} "${text}", which is not in ${collection}${hint}`;
  }

  /** The text by which tables refer to a record: a name that no other has, or else its id. */
  labelOf(record: MadeRecord): string {
    const isItsOwn = (name: string) => isUsableName(name) && this.#byName.get(folded(name)) === record;
    return [...namesOf(record)].find(isItsOwn) ?? String(record.id);
  }
}

/** The names of a record, the usual one first. */
function namesOf({ kind, fields }: MadeRecord): Set<string> {
  return referenceNames(kind, (field) => fields.get(field)?.texts[0] ?? '');
}

/** A rule of the map, compiled for its source. */
interface Rule {
  kind: Kind;
  source: Source;
  takes(row: SourceRow): boolean;
  key: RowValue;
  /** Whether every row is a record, otherwise every distinct value. */
  isOfRow: boolean;
  /** The column whose values are taken one by one. */
  each: string | undefined;
  fields: readonly { name: string; value: RowValue; from: FieldOrigin }[];
  /** The columns of its key, of its fields, and of those whose name does not begin with `_`. */
  keys: ReadonlySet<number>;
  columns: ReadonlySet<number>;
  used: ReadonlySet<number>;
}

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
  const uses = new Map<Source, SourceUse>();
  for (const source of sources.values()) uses.set(source, keepTheRest(source, rows, maker));
  for (const kind of KINDS) maker.kinds[kind].readNames();
  return { kinds: maker.kinds, differences: maker.differences, uses };
}

class RecordMaker {
  readonly kinds = forKinds((kind) => new KindRecords(kind));
  readonly differences = new Map<string, Difference>();
  readonly #archive: string;
  readonly #faults: FaultList;

  constructor({ map }: OpenMap, faults: FaultList) {
    this.#archive = map.archive['uuid'] ?? '';
    this.#faults = faults;
  }

  /** Makes the records of a row by a rule, or adds to known ones; returns the first. */
  make(rule: Rule, row: SourceRow): MadeRecord | undefined {
    const { source, each, isOfRow } = rule;
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
    const made = (isOfRow ? [keys.join(' ')] : keys).map((key) =>
      this.#ofKey(rule, row, key, (column) => (column === each ? key : read(column))),
    );
    return made.find((record) => record !== undefined);
  }

  /** The record with a key: a new one, or an earlier one of a distinct value, to which the row adds. */
  #ofKey(rule: Rule, row: SourceRow, key: string, read: ReadColumn): MadeRecord | undefined {
    const { kind, source } = rule;
    const records = this.kinds[kind];
    const fields = fieldsOf(rule, row, read);
    const known = rule.isOfRow ? undefined : records.find(key);
    if (known === 'several') return this.#refuse(rule, row, records.faultOf(key));
    if (known) {
      for (const [name, texts] of fields) {
        this.fill(known, name, name.startsWith('_') || isListField(kind, name), texts);
      }
      return known;
    }
    const id = idOfKey(key);
    const other = records.byId.get(id);
    if (!other) {
      const uuid = deriveUuid(this.#archive, `${kind}/${id}`);
      const record = { kind, key, id, uuid, source, row: row.at, fields };
      records.add(record);
      return record;
    }
    const where = describeRow(other);
    const reason =
      other.key === key
        ? `has the id "${key}" a second time; the first is ${where}. To make one record of both rows, write each instead of id`
        : `"${key}" and "${other.key}" (${where}) both get the id ${id}; expected ids that differ`;
    return this.#refuse(rule, row, reason);
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
    const { kind } = record;
    const first = { kind, field, count: 0, record, kept, other, source: given.from.source, row: given.row };
    const difference = this.differences.get(`${kind} ${field}`) ?? first;
    difference.count += 1;
    this.differences.set(`${kind} ${field}`, difference);
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
function keepTheRest(source: Source, rows: ReadonlyMap<SourceRow, RowUse>, maker: RecordMaker): SourceUse {
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
      // An id that is not a number stays in no other column: the record has its hash.
      const isId = /^\d+$/.test(text) && use.rules.some(({ keys }) => keys.has(column));
      const isUsed = isId || use.rules.some((rule) => rule.used.has(column));
      (isUsed ? used : kept).add(column);
      if (isUsed || use.rules.some(({ columns }) => columns.has(column))) continue;
      const texts = { texts: [text], from, row: row.at };
      maker.fill(use.home.record, `_${source.columns[column] ?? ''}`, true, texts);
    }
  }
  const names = (has: (column: number) => boolean) => source.columns.filter((_, column) => has(column));
  return {
    rows: source.rows.length,
    unused,
    used: names((column) => used.has(column)),
    kept: names((column) => kept.has(column) && !used.has(column)),
    dropped: names((column) => source.dropped.has(column)),
    empty: names((column) => !filled.has(column) && !source.dropped.has(column)),
  };
}

function compileRules(sources: ReadonlyMap<string, Source>, { map, at }: OpenMap, faults: FaultList): Rule[] {
  return KINDS.flatMap((kind) =>
    (map[COLLECTIONS[kind]] ?? []).flatMap((rule, index) => {
      const source = sources.get(rule.from);
      if (!source) return [];
      const { title, columns } = source;
      const find = (column: string, path: readonly PropertyKey[]) => {
        const found = columns.indexOf(column);
        if (found < 0) faults.add({ ...at(path), reason: noColumn(title, column, columns) });
        return found;
      };
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
): Rule {
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
  const fields = Object.entries(rule.fields).map(([name, value]) => {
    const where = [...path, 'fields', name];
    const read = columnsIn(value, where);
    const from = {
      source,
      column: read.length > 1 ? undefined : read[0],
      map: { path: where, keeps: value.otherwise === 'keep' },
    };
    return { name, value: compileValue(value), from, read };
  });
  return {
    kind,
    source,
    takes: (row) => only.every((test) => test(row)) && !skip.some((test) => test(row)),
    key: compileValue(key),
    isOfRow,
    each: isOfRow ? undefined : key.column,
    fields,
    keys: new Set(columnsIn(key, [...path, isOfRow ? 'id' : 'each'])),
    columns: new Set(fields.flatMap(({ read }) => read)),
    used: new Set(fields.flatMap(({ name, read }) => (name.startsWith('_') ? [] : read))),
  };
}
