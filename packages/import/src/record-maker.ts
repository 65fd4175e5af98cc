import { describeOrigin, type FaultList } from '@archiefkast/bundle';
import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import { ArrivedCells } from './arrived-cells.ts';
import { CellText } from './cell-text.ts';
import { columnOfField } from './field-check.ts';
import { type ImportMap, movedField } from './import-map.ts';
import { idOfKey, KindRecords, type MadeRecord, namesOf, quoted, Tally } from './kind-records.ts';
import type { OpenMap } from './read-map.ts';
import { type ReadColumn, termsOf } from './row-values.ts';
import { fieldsOf, type ReadField, type Rule } from './rules.ts';
import type { Source, SourceRow } from './source.ts';

/** The record that keeps the other cells of a row: rather one of the row alone than one that rows share. */
export interface Home {
  record: MadeRecord;
  isOfRow: boolean;
}

/** Makes records of rows, and keeps what of their cells is in no field. */
export class RecordMaker {
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
