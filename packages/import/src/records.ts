import { describeOrigin, type FaultList } from '@archiefkast/bundle';
import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import { ArrivedCells } from './arrived-cells.ts';
import { CellText } from './cell-text.ts';
import { columnOfField } from './field-check.ts';
import { type ImportMap, isListField, type RecordRule, type Value } from './import-map.ts';
import {
  type FieldOrigin,
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
  uses: Map<Source, ReturnType<typeof describeUse>>;
}

/** A rule of the map, compiled for its source. */
type Rule = ReturnType<typeof compileRule>;

/** The record that keeps the other cells of a row: rather one of the row alone than one that rows share. */
interface Home {
  record: MadeRecord;
  isOfRow: boolean;
}

/** A field that is read from a row. */
interface ReadField {
  name: string;
  texts: readonly CellText[];
  from: FieldOrigin;
  /** Whether it has several texts. */
  isList: boolean;
  /** The kind of the records that its texts refer to. */
  target?: Kind | undefined;
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
  const homes = new Map<SourceRow, Home>();
  for (const rule of rules) {
    const { isOfRow } = rule;
    // Its values may name records of earlier rules of its kind.
    if (!isOfRow) maker.kinds[rule.kind].readNames();
    for (const row of rule.source.rows) {
      const record = rule.takes(row) && maker.make(rule, row);
      if (!record) continue;
      const home = homes.get(row);
      if (!home || (isOfRow && !home.isOfRow)) homes.set(row, { record, isOfRow });
    }
  }
  const all = [...sources.values()];
  // A reference has arrived if its text is that of a record: those that columns without references leave over are kept first.
  for (const source of all) {
    const refer = new Set(rules.flatMap((rule) => (rule.source === source ? rule.referring : [])));
    maker.keepTheRest(source, homes, (column) => !refer.has(column));
  }
  for (const kind of KINDS) maker.kinds[kind].readNames();
  maker.takeReferences();
  for (const source of all) maker.keepTheRest(source, homes, () => true);
  const uses = new Map(all.map((source) => [source, describeUse(source, homes, maker)]));
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
  /** The columns of each source of which a text is in a field, and the cells that are kept beside the fields. */
  readonly used = new Map<Source, Set<number>>();
  readonly kept = new Map<Source, Map<number, SourceRow[]>>();
  readonly #arrived = new ArrivedCells();
  /** Texts of fields that refer to records. */
  readonly #references: { kind: Kind; row: SourceRow; text: CellText; source: Source }[] = [];
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
    const read: ReadColumn = (column) => {
      const index = source.columns.indexOf(column);
      return CellText.ofCell(row.cells[index] ?? '', index);
    };
    const keys = rule.key(read);
    if (isOfRow && keys.length === 0) {
      const collection = COLLECTIONS[rule.kind];
      return this.#refuse(
        rule,
        row,
        `has no id for the record of ${collection}; fill it, or skip the row in the map`,
      );
    }
    const made = (isOfRow ? [CellText.join(keys, ' ')] : keys).map((key) =>
      this.#ofTerms(rule, row, key, read),
    );
    return made.find((record) => record !== undefined);
  }

  /** The record of a key; of a path of terms the last, with those of the terms before it: each is the parent of the next. */
  #ofTerms(rule: Rule, row: SourceRow, key: CellText, read: ReadColumn): MadeRecord | undefined {
    const { source, each, path } = rule;
    const terms = path === undefined ? [key] : termsOf(key, path);
    let parent: MadeRecord | undefined;
    for (const [index, term] of terms.entries()) {
      const isLast = index === terms.length - 1;
      const readTerm: ReadColumn = (column) =>
        column === each ? term : isLast ? read(column) : new CellText('');
      const fields = fieldsOf(rule, readTerm);
      if (parent && !fields.some(({ name }) => name === 'parent')) {
        const texts = [new CellText(parent.key)];
        fields.push({ name: 'parent', texts, from: { source, column: undefined }, isList: false });
      }
      const own = CellText.join(terms.slice(0, index + 1), path ?? '');
      const record = this.#ofKey(rule, row, own.text, fields);
      if (!record) return undefined;
      if (String(record.id) === own.text) this.#arrive(source, row, own);
      for (const field of fields) this.#fill(record, field, source, row);
      parent = record;
    }
    return parent;
  }

  /** The record with a key: a new one, or an earlier one of a distinct value. @param fields what the row adds to it */
  #ofKey(rule: Rule, row: SourceRow, key: string, fields: readonly ReadField[]): MadeRecord | undefined {
    const { kind, source } = rule;
    const records = this.kinds[kind];
    const known = rule.isOfRow ? undefined : records.find(key);
    if (known === 'several') {
      const reason = `"${key}" is the name of several ${COLLECTIONS[kind]}; expected the id of one of them`;
      return this.#refuse(rule, row, reason);
    }
    if (known && known.source !== source && /^\d+$/.test(key)) {
      const texts = new Map(
        fields.map(({ name, texts }) => [name, { texts: texts.map(({ text }) => text) }]),
      );
      const [own, other] = [namesOf({ kind, fields: texts }), namesOf(known)];
      if (own.size > 0 && other.size > 0 && [...own].every((name) => !other.has(name))) {
        const [[name], [first]] = [[...own], [...other]];
        const reason = `"${name}" has the id "${key}" of "${first}" (${placeOf(known)}); ${apart(rule, 'each')}; if they are one, leave the name out of this rule`;
        return this.#refuse(rule, row, reason);
      }
    }
    if (known) return known;
    const id = idOfKey(key);
    const other = records.byId.get(id);
    if (!other) {
      const record: MadeRecord = { kind, key, id, source, row: row.at, fields: new Map() };
      records.add(record);
      return record;
    }
    const isSame = other.key === key;
    if (rule.isNumbered) return this.#ofKey(rule, row, this.#numbered(kind, key), fields);
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
  #keptField(kind: Kind, source: Source, column: string): string {
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
  #fill({ kind, fields, ...record }: MadeRecord, field: ReadField, source: Source, row: SourceRow): void {
    const { name, texts, from, isList, target } = field;
    const found = fields.get(name) ?? { texts: [], from, row: row.at };
    fields.set(name, found);
    for (const given of texts) {
      const { text } = given;
      const [kept] = found.texts;
      if (found.texts.includes(text) || isList || kept === undefined) {
        if (!found.texts.includes(text)) found.texts.push(text);
        if (target) this.#references.push({ kind: target, row, text: given, source });
        else this.#arrive(name.startsWith('_') ? undefined : source, row, given);
      } else {
        this.differences.add(kind, name, 1, () => {
          const first = quoted(kept, record.source, record.row);
          return `${quoted(text, source, row.at)} from ${first}`;
        });
      }
    }
  }

  /** Notes that a text is in a table. @param source in a field of which its columns are used by that */
  #arrive(source: Source | undefined, row: SourceRow, text: CellText): void {
    this.#arrived.add(row, text);
    if (!source) return;
    const used = this.used.get(source) ?? new Set();
    this.used.set(source, used);
    for (const { column } of text.parts) used.add(column);
  }

  /** Notes which references are in a table: as the text by which tables refer to the record, or as a text or the id of it. */
  takeReferences(): void {
    for (const { kind, row, text, source } of this.#references) {
      const record = this.kinds[kind].find(text.text);
      const above = typeof record === 'object' ? record.fields.get('parent')?.texts[0] : undefined;
      const isThere =
        typeof record !== 'object' ||
        String(record.id) === text.text ||
        // The terms of a path are subjects, each in the one before it.
        (record.key === text.text && above !== undefined && text.text.startsWith(above)) ||
        [...record.fields].some(
          ([field, { texts }]) => texts.includes(text.text) && !columnOfField(kind, field)?.target,
        );
      if (isThere) this.#arrive(source, row, text);
    }
  }

  /**
   * Keeps the cells of columns of a source that are in no table, or in parts only, in a field of the record of their row: `_` and
   * the name of the column.
   */
  keepTheRest(source: Source, homes: ReadonlyMap<SourceRow, Home>, has: (column: number) => boolean): void {
    const kept = this.kept.get(source) ?? new Map<number, SourceRow[]>();
    this.kept.set(source, kept);
    for (const [column, header] of source.columns.entries()) {
      if (source.dropped.has(column) || !has(column)) continue;
      const rows = kept.get(column) ?? [];
      kept.set(column, rows);
      for (const row of source.rows) {
        const record = homes.get(row)?.record;
        if (!record || this.#arrived.isWhole(row, column)) continue;
        const texts = [CellText.ofCell(row.cells[column] ?? '', column)];
        const name = this.#keptField(record.kind, source, header);
        this.#fill(record, { name, texts, from: { source, column }, isList: true }, source, row);
        rows.push(row);
      }
    }
  }
}

/** The fields that a rule reads from a row. */
function fieldsOf({ fields }: Rule, read: ReadColumn): ReadField[] {
  return fields.flatMap(({ value, ...field }) => {
    const texts = value(read);
    return texts.length > 0 ? [{ ...field, texts }] : [];
  });
}

/** What became of the rows and columns of a source. */
function describeUse(source: Source, homes: ReadonlyMap<SourceRow, Home>, maker: RecordMaker) {
  const { columns, rows, dropped } = source;
  const [used = new Set(), kept] = [maker.used.get(source), maker.kept.get(source)];
  const unused = rows.filter((row) => !homes.has(row));
  const cellsIn = (some: readonly SourceRow[], column: number) =>
    some.filter(({ cells }) => (cells[column] ?? '') !== '').length;
  const counts = columns.map((_, column) => cellsIn(rows, column));
  const without = columns.map((_, column) => cellsIn(unused, column));
  const places = [...columns.keys()];
  const sum = (some: readonly number[]) => some.reduce((total, each) => total + each, 0);
  const droppedHere = places.filter((column) => dropped.has(column));
  const isKept = (column: number) =>
    !dropped.has(column) && !used.has(column) && counts[column] !== without[column];
  const namesOf = (some: readonly number[]) => some.map((column) => columns[column] ?? '');
  return {
    /** Number of rows from which no record was made, and of their cells that are not empty. */
    unused: {
      rows: unused.length,
      cells: sum(places.map((column) => (dropped.has(column) ? 0 : (without[column] ?? 0)))),
    },
    used: namesOf(places.filter((column) => used.has(column))),
    kept: namesOf(places.filter(isKept)).map((column) => maker.describeKept(source, column)),
    /** Columns in use of which some texts are not wholly in a field, so that they are kept too. */
    left: places.flatMap((column) => {
      const [first, ...more] = kept?.get(column) ?? [];
      if (!first || !used.has(column)) return [];
      const example = quoted(first.cells[column] ?? '', source, first.at);
      return [{ column: maker.describeKept(source, columns[column] ?? ''), count: more.length + 1, example }];
    }),
    dropped: { columns: namesOf(droppedHere), cells: sum(droppedHere.map((column) => counts[column] ?? 0)) },
    empty: namesOf(places.filter((column) => counts[column] === 0 && !dropped.has(column))),
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
    const { target, type } = columnOfField(kind, name) ?? {};
    const isList = name.startsWith('_') || isListField(kind, name);
    const from = {
      source,
      column: read.length > 1 ? undefined : read[0],
      map: {
        path: where,
        keeps: value.otherwise === 'keep',
        isName: value.name === 'title',
        isMonth: value.date?.includes('YYYY-MM') === true,
      },
    };
    return { name, value: compileValue(value, type === 'date'), from, read, isList, target };
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
    /** The columns of its key, and of references. */
    keys: keyColumns,
    referring: fields.flatMap(({ read, target }) => (target ? read : [])),
  };
}
