import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import type { FaultList } from '../publish/bundle/faults.ts';
import { type FieldValue, isListField, type RecordRule } from './import-map.ts';
import {
  type FieldOrigin,
  type FieldTexts,
  KindRecords,
  MadeRecord,
  type RecordFields,
} from './kind-records.ts';
import { noColumn, type Source, type SourceRow } from './open-sources.ts';
import type { OpenMap } from './read-map.ts';
import { columnsOf, compileValue, type ReadColumn, type RowValue } from './row-values.ts';

/** A rule of the map, compiled for its source. */
interface Rule {
  kind: Kind;
  source: Source;
  takes(row: SourceRow): boolean;
  key: RowValue;
  /** Whether every row is a record, otherwise every distinct value. */
  isOfRow: boolean;
  /** The column whose values are taken one by one. */
  each: number | undefined;
  fields: readonly Field[];
  /** The columns of its key. */
  keys: ReadonlySet<number>;
  /** The columns of its fields, and of those whose name does not begin with `_`. */
  columns: ReadonlySet<number>;
  used: ReadonlySet<number>;
}

interface Field {
  name: string;
  value: RowValue;
  from: FieldOrigin;
}

/** Values of a field that differ among the rows of one record; the first is kept. */
export interface Difference {
  kind: Kind;
  field: string;
  /** Number of rows with another value. */
  count: number;
  record: MadeRecord;
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

/** The record that keeps the cells of a row that no rule uses: rather one of the row alone than one that rows share. */
interface Home {
  record: MadeRecord;
  isOfRow: boolean;
}

/** The records of an import. */
export interface MadeRecords {
  kinds: Readonly<Record<Kind, KindRecords>>;
  differences: Difference[];
  uses: Map<Source, SourceUse>;
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
  const maker = new RecordMaker(faults);
  const taken = new Map<SourceRow, Rule[]>();
  const homes = new Map<SourceRow, Home>();
  for (const rule of rules) {
    maker.begin(rule);
    for (const row of rule.source.rows) {
      if (!rule.takes(row)) continue;
      const records = maker.make(rule, row);
      const [record] = records;
      if (!record) continue;
      taken.set(row, [...(taken.get(row) ?? []), rule]);
      const home = homes.get(row);
      if (!home || (rule.isOfRow && !home.isOfRow)) homes.set(row, { record, isOfRow: rule.isOfRow });
    }
  }
  const uses = new Map<Source, SourceUse>();
  for (const source of sources.values()) uses.set(source, keepTheRest(source, taken, homes, maker));
  for (const kind of KINDS) maker.kinds[kind].forgetNames();
  return { kinds: maker.kinds, differences: [...maker.differences.values()], uses };
}

class RecordMaker {
  readonly kinds: Readonly<Record<Kind, KindRecords>> = {
    person: new KindRecords(),
    subject: new KindRecords(),
    location: new KindRecords(),
    event: new KindRecords(),
  };
  readonly differences = new Map<string, Difference>();
  readonly #faults: FaultList;

  constructor(faults: FaultList) {
    this.#faults = faults;
  }

  /** Prepares for the rows of a rule: its values may name records of earlier rules of its kind. */
  begin({ kind }: Rule): void {
    this.kinds[kind].forgetNames();
  }

  /** The records that a rule makes, or adds to, from a row. */
  make(rule: Rule, row: SourceRow): MadeRecord[] {
    const read = reading(rule.source, row);
    const keys = rule.key(read);
    if (rule.isOfRow) {
      if (keys.length === 0) {
        const reason = `has no id for the record of ${COLLECTIONS[rule.kind]}; fill it, or skip the row in the map`;
        this.#faults.add({ ...rule.source.place(row.at), reason });
        return [];
      }
      const record = this.#newRecord(rule, row, keys.join(' '), () => fieldsOf(rule, row, read));
      return record ? [record] : [];
    }
    return keys.flatMap((key) => {
      const { each } = rule;
      const alone: ReadColumn = (column) =>
        rule.source.columns.indexOf(column) === each ? key : read(column);
      return this.#ofValue(rule, row, key, each === undefined ? read : alone);
    });
  }

  /** The record of a distinct value: a new one, or an earlier one to which the row adds. */
  #ofValue(rule: Rule, row: SourceRow, key: string, read: ReadColumn): MadeRecord[] {
    const [known, second] = this.kinds[rule.kind].referredTo(key);
    if (second) {
      const reason = `"${key}" is the name of several ${COLLECTIONS[rule.kind]}; expected the id of one of them`;
      this.#faults.add({ ...rule.source.place(row.at), reason });
      return [];
    }
    const record = known ?? this.#newRecord(rule, row, key, () => new Map());
    if (!record) return [];
    for (const [name, texts] of fieldsOf(rule, row, read)) {
      this.fill(record, name, name.startsWith('_') || isListField(rule.kind, name), texts);
    }
    return [record];
  }

  /** A new record; undefined, with a fault, if another has its id. */
  #newRecord(
    { kind, source }: Rule,
    row: SourceRow,
    key: string,
    read: () => RecordFields,
  ): MadeRecord | undefined {
    const record = new MadeRecord(kind, key, source, row.at, read);
    const other = this.kinds[kind].add(record);
    if (!other) return record;
    const where = describeRow(other);
    const reason =
      other.key === key
        ? `has the id "${key}" a second time; the first is ${where}. To make one record of both rows, write each instead of id`
        : `"${key}" and "${other.key}" (${where}) both get the id ${record.id}; expected ids that differ`;
    this.#faults.add({ ...source.place(row.at), reason });
    return undefined;
  }

  /** Adds texts to a field of a record: a list grows, of a single value the first is kept. */
  fill(record: MadeRecord, field: string, isList: boolean, given: FieldTexts): void {
    const own = record.own();
    const found = own.get(field);
    if (!found) {
      own.set(field, given);
      return;
    }
    const others = given.texts.filter((text) => !found.texts.includes(text));
    if (isList) found.texts.push(...new Set(others));
    const [other] = others;
    if (isList || other === undefined) return;
    const { kind } = record;
    const difference = this.differences.get(`${kind} ${field}`);
    if (difference) difference.count += 1;
    else {
      const { from, row } = given;
      const { source } = from;
      this.differences.set(`${kind} ${field}`, { kind, field, count: 1, record, other, source, row });
    }
  }
}

/** The row that a record was first made from: `persons.csv:14`. */
export function describeRow({ source, row }: Pick<MadeRecord, 'source' | 'row'>): string {
  const { file, line, cell } = source.place(row);
  return cell === undefined ? `${file}:${line}` : `${file}: ${cell}`;
}

/** The fields that a rule reads from a row. */
function fieldsOf({ fields }: Rule, { at }: SourceRow, read: ReadColumn): RecordFields {
  const found: RecordFields = new Map();
  for (const { name, value, from } of fields) {
    const texts = value(read);
    if (texts.length > 0)
      found.set(name, { texts: texts.length > 1 ? [...new Set(texts)] : texts, from, row: at });
  }
  return found;
}

/** Reads the columns of a row by name. */
function reading({ columns }: Source, { cells }: SourceRow): ReadColumn {
  return (column) => cells[columns.indexOf(column)] ?? '';
}

/**
 * Keeps the cells of a source that no rule uses, in a field of the record of their row: `_` and the name of the column.
 */
function keepTheRest(
  source: Source,
  taken: ReadonlyMap<SourceRow, readonly Rule[]>,
  homes: ReadonlyMap<SourceRow, Home>,
  maker: RecordMaker,
): SourceUse {
  const used = new Set<number>();
  const kept = new Set<number>();
  const filled = new Set<number>();
  let unused = 0;
  for (const row of source.rows) {
    for (const [column, text] of row.cells.entries()) if (text !== '') filled.add(column);
    const record = homes.get(row)?.record;
    if (!record) {
      unused += 1;
      continue;
    }
    const rules = taken.get(row) ?? [];
    for (const [column, text] of row.cells.entries()) {
      if (text === '' || source.dropped.has(column)) continue;
      // An id that is not a number stays in no other column: the record has its hash.
      const isId = /^\d+$/.test(text) && rules.some(({ keys }) => keys.has(column));
      const isUsed = isId || rules.some((rule) => rule.used.has(column));
      (isUsed ? used : kept).add(column);
      if (isUsed || rules.some(({ columns }) => columns.has(column))) continue;
      maker.fill(record, `_${source.columns[column] ?? ''}`, true, {
        texts: [text],
        from: { source, column, path: undefined },
        row: row.at,
      });
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
      const path = [COLLECTIONS[kind], index];
      const missing = (column: string, where: readonly PropertyKey[]) =>
        faults.add({ ...at(where), reason: noColumn(source?.title ?? '', column, source?.columns ?? []) });
      return source ? [compileRule(kind, rule, source, path, missing)] : [];
    }),
  );
}

function compileRule(
  kind: Kind,
  rule: RecordRule,
  source: Source,
  path: readonly PropertyKey[],
  missing: (column: string, path: readonly PropertyKey[]) => void,
): Rule {
  const columns = new Set<number>();
  const used = new Set<number>();
  const find = (column: string, where: readonly PropertyKey[]) => {
    const found = source.columns.indexOf(column);
    if (found < 0) missing(column, where);
    return found;
  };
  const columnsIn = (value: FieldValue, where: readonly PropertyKey[]) =>
    columnsOf(value, where).map(({ column, path }) => find(column, path));
  const tests = (given: RecordRule['only'], step: string) =>
    Object.entries(given ?? {}).map(([column, texts]) => {
      const place = find(column, [...path, step, column]);
      return ({ cells }: SourceRow) => texts.includes(cells[place] ?? '');
    });
  const [only, skip] = [tests(rule.only, 'only'), tests(rule.skip, 'skip')];
  const key = rule.id ?? rule.each ?? {};
  const isOfRow = rule.id !== undefined;
  const keys = columnsIn(key, [...path, isOfRow ? 'id' : 'each']);
  const fields = Object.entries(rule.fields).map(([name, value]): Field => {
    const where = [...path, 'fields', name];
    const read = columnsIn(value, where);
    for (const column of read) columns.add(column);
    if (!name.startsWith('_')) for (const column of read) used.add(column);
    const [column, second] = read;
    const from = { source, column: second === undefined ? column : undefined, path: where };
    return { name, value: compileValue(value), from };
  });
  return {
    kind,
    source,
    takes: (row) => only.every((test) => test(row)) && !skip.some((test) => test(row)),
    key: compileValue(key),
    isOfRow,
    each: !isOfRow && key.column !== undefined ? keys[0] : undefined,
    keys: new Set(keys),
    fields,
    columns,
    used,
  };
}
