import type { FaultList } from '@archiefkast/bundle';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import type { CellText } from './cell-text.ts';
import { columnOfField } from './field-check.ts';
import { isListField, type RecordRule, type Value } from './import-map.ts';
import type { FieldOrigin } from './kind-records.ts';
import type { OpenMap } from './read-map.ts';
import { columnsOf, compileValue, type ReadColumn } from './row-values.ts';
import { findColumn, type Source, type SourceRow } from './source.ts';

/** A rule of the map, compiled for its source. */
export type Rule = ReturnType<typeof compileRule>;

/** A field that is read from a row. */
export interface ReadField {
  name: string;
  texts: readonly CellText[];
  from: FieldOrigin;
  /** Whether it has several texts. */
  isList: boolean;
  /** The kind of the records that its texts refer to. */
  target?: Kind | undefined;
}

/** Compiles the rules of all kinds. @param faults columns that are missing are added to it */
export function compileRules(
  sources: ReadonlyMap<string, Source>,
  { map, at }: OpenMap,
  faults: FaultList,
): Rule[] {
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

/** The fields that a rule reads from a row. */
export function fieldsOf({ fields }: Rule, read: ReadColumn): ReadField[] {
  return fields.flatMap(({ value, ...field }) => {
    const texts = value(read);
    return texts.length > 0 ? [{ ...field, texts }] : [];
  });
}
