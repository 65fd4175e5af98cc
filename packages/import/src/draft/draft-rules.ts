import { MULTILINGUAL } from '@archiefkast/bundle';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { KIND_FACTS } from '@archiefkast/types/internal';
import { columnOfField, withoutFormat } from '../field-check.ts';
import { type FieldValue, fieldNames, isListField } from '../import-map.ts';
import { idOfKey } from '../kind-records.ts';
import { NAME_PARTS, personName } from '../person-names.ts';
import { columnsOf } from '../row-values.ts';
import type { Source } from '../source.ts';
import {
  type DescribedTable,
  type DraftColumn,
  type DraftKey,
  describeTable,
  nameValue,
} from './describe-table.ts';
import { type DraftValue, draftValue, examplesOf, listSeparator, textsIn } from './draft-values.ts';
import type { DraftTable } from './read-draft-tables.ts';

export interface DraftRule {
  kind: Kind;
  source: Source;
  why: string;
  key: DraftKey;
  fields: Map<string, DraftValue>;
  /** The columns that no field has, each with the reason. */
  left: Map<DraftColumn, string>;
}

const HTML = /<(?:p|br|a|i|em|b|strong|ul|ol|div)\b/i;

/** Drafts the rules of all kinds for tables. */
export function draftRules(tables: readonly DraftTable[]): DraftRule[] {
  // Records of rows come first, so that values can be found among them.
  const described = tables
    .map(describeTable)
    .toSorted((a, b) => Number(a.key.step === 'each') - Number(b.key.step === 'each'));
  for (const kind of KINDS) keepApart(described.filter((table) => table.kind === kind));
  const given = new Set(described.map(({ kind }) => kind));
  return described.flatMap((table) => rulesOf(table, given));
}

/**
 * Puts the name of its source before what identifies the records of a table, if records of an earlier table of its kind may be
 * identified by the same.
 */
function keepApart(tables: readonly DescribedTable[]): void {
  const seen = new Map<number, string>();
  for (const table of tables) {
    const { source, key } = table;
    const same = textsIn(source, key.value).find((text) => seen.has(idOfKey(text)));
    const [first] = seen.values();
    if (first !== undefined && (same !== undefined || key.step === 'each')) {
      const what = same === undefined ? 'ARE THESE OTHER RECORDS' : `IS ${examplesOf([same])} ANOTHER RECORD`;
      const other = same === undefined ? first : seen.get(idOfKey(same));
      const why = `${what} THAN IN ${other}? otherwise write each: and the column; references mean that of ${other}; ${key.why}`;
      table.key = { ...key, value: { join: [{ constant: source.name }, key.value] }, why };
    }
    for (const text of textsIn(source, table.key.value)) seen.set(idOfKey(text), source.name);
  }
}

/** A value that is drafted for a field, with the column that it was found by. */
type DraftField = DraftValue & { column?: DraftColumn | undefined };

/** The rules of a table: of its rows, and of the records that its columns name, of which no table is given. */
function rulesOf(table: DescribedTable, given: ReadonlySet<Kind>): DraftRule[] {
  const { kind, source, columns, key } = table;
  const fields = new Map<string, DraftField>();
  const left = new Map<DraftColumn, string>();
  const more: DraftRule[] = [];
  const keyColumns = columnsOf(key.value, []).map(({ column }) => column);
  const isNumber = textsIn(source, key.value).every((text) => /^\d+$/.test(text));
  for (const column of columns) {
    const { name, concept, textLanguage } = column;
    if (keyColumns.includes(name) && (isNumber || concept === 'id')) continue;
    const field = fieldOf(table, column);
    if (!field) {
      left.set(column, whyNone(kind, concept));
      continue;
    }
    const says = `its header says ${concept ?? field}`;
    const [, known] = [...fields].find(([other]) => withoutFormat(other) === withoutFormat(field)) ?? [];
    const target = columnOfField(kind, field)?.target;
    if (known && !(target && isListField(kind, field))) {
      left.set(column, `${says}, but "${known.column?.name}" is more usual`);
      continue;
    }
    const drafted = target
      ? reference(table, field, target, column, given, more)
      : draftValue(source, kind, field, column.value ?? { column: name });
    if ('fault' in drafted) {
      left.set(column, drafted.fault);
      continue;
    }
    const isText = concept === 'summary' || concept === 'text';
    const note = isText && !textLanguage ? '; IN THE LANGUAGE of its name' : '';
    const why = `${says}${target ? '' : '; '}${drafted.why}${note}`;
    fields.set(field, known ? together(known, drafted.value, why) : { ...drafted, why, column });
  }
  completeNames(table, fields);
  const order = fieldNames(kind);
  const sorted = [...fields].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return [{ kind, source, why: table.why, key, fields: new Map(sorted), left }, ...more];
}

/** The references of several columns as one list, at a separator that no text has that is not split at it. */
function together(
  { value, ...field }: DraftField,
  { otherwise, ...next }: FieldValue,
  why: string,
): DraftField {
  const { otherwise: _, ...first } = value;
  const join = [...(value.join ?? [first]), next];
  return { ...field, value: { join, with: '|', list: '|', otherwise }, why: `${field.why}; ${why}` };
}

/** The field of a kind that a column is for; undefined if there is none. */
function fieldOf({ kind, columns }: DescribedTable, column: DraftColumn): string | undefined {
  const { name, concept = name, language, textLanguage = language, texts } = column;
  const names = fieldNames(kind);
  if (concept === 'name') return MULTILINGUAL[kind].name[column.textLanguage ?? 'nl'];
  if (concept === 'summary') return `summary_${textLanguage}`;
  if (concept === 'text') {
    const isHtml = texts.every((text) => HTML.test(text));
    return `${KIND_FACTS[kind].text}_${textLanguage}${isHtml ? '' : '_text'}`;
  }
  if (concept === 'place' && kind === 'event') return 'location';
  // Other columns of an image say nothing without its address.
  const isFree = !/^image_(?!url)/.test(concept) || columns.some((one) => one.concept === 'image_url');
  const isNamed = column.concept !== undefined || !columnOfField(kind, name)?.target;
  return names.includes(concept) && isFree && isNamed ? concept : undefined;
}

function whyNone(kind: Kind, concept: string | undefined): string {
  if (concept === undefined) return 'no known header';
  if (concept === 'id') return 'its header says id: see the id of the rule';
  const none = `${COLLECTIONS[kind]} have no such field${concept.startsWith('image') ? ' without image_url' : ''}`;
  return `its header says ${concept}, but ${none}`;
}

/** Completes the names: of parts, the same in both languages, and those of persons apart. */
function completeNames(
  { kind, source, columns }: Pick<DescribedTable, 'kind' | 'source' | 'columns'>,
  fields: Map<string, DraftField>,
): void {
  const { nl: dutch, en: english } = MULTILINGUAL[kind].name;
  const parts = nameValue(kind, columns);
  const drafted = parts?.join && draftValue(source, kind, dutch, parts);
  if (drafted && !('fault' in drafted)) fields.set(dutch, { ...drafted, why: 'the parts of the name' });
  if (kind === 'person') takeApart(fields);
  const last = fields.get('last_name');
  const column = last?.column?.name;
  if (column && !fields.has('infix') && last.column?.texts.some((text) => personName(text)?.infix)) {
    const { otherwise } = last.value;
    const own = { first: [{ column, name: 'last_name' as const }, { column }], otherwise };
    fields.set('infix', { value: { column, name: 'infix', otherwise }, why: `taken from "${column}"` });
    fields.set('last_name', { ...last, value: own, why: `${last.why}; without the infix` });
  }
  const first = fields.get(dutch);
  if (first && !first.column?.textLanguage && !fields.has(english))
    fields.set(english, { ...first, why: 'the same in both languages' });
}

/** Takes the names of persons in a column apart, most of which are "Last, First": the name is turned, and its parts are added. */
function takeApart(fields: Map<string, DraftField>): void {
  const given = fields.get('title_nl');
  if (!given?.column) return;
  const { name: column, texts } = given.column;
  const reversed = texts.filter((text) => /^[^,]+, [^,]+/.test(text));
  if (reversed.length * 2 <= texts.length) return;
  const turned = `LAST NAME FIRST in ${examplesOf(reversed)}: turned, but for what may be no person`;
  for (const name of NAME_PARTS) {
    const isTitle = name === 'title';
    if (!isTitle && fields.has(name)) continue;
    const value = { column, name, otherwise: given.value.otherwise };
    const why = isTitle ? `${given.why}; ${turned}` : 'taken from the name';
    fields.set(isTitle ? 'title_nl' : name, { ...given, value, why });
  }
}

/** References to records of tables, or to records made of the distinct texts of the column, for which a rule is added. */
function reference(
  { kind, source }: DescribedTable,
  field: string,
  target: Kind,
  { name: column }: DraftColumn,
  given: ReadonlySet<Kind>,
  more: DraftRule[],
): DraftValue | { fault: string } {
  const list = isListField(kind, field) ? listSeparator(source, column, target === 'subject') : undefined;
  const value = list === undefined ? { column } : { column, list };
  const split = list === undefined ? '' : `, split at "${list}"`;
  if (given.has(target)) {
    const kept = `the ids or names of ${COLLECTIONS[target]}; others are kept in _${field}`;
    return { value: { ...value, otherwise: 'keep' }, why: `${split}; ${kept}` };
  }
  const { nl: dutch } = MULTILINGUAL[target].name;
  const drafted = draftValue(source, target, dutch, value);
  if ('fault' in drafted) return drafted;
  const texts = [...new Set(textsIn(source, value))];
  if (new Set(texts.map(idOfKey)).size < texts.length) return { fault: 'two texts of it are one number' };
  const paths = target === 'subject' ? texts.filter((text) => /\S(?: > | -- |\/)\S/.test(text)) : [];
  const note = paths.length > 0 ? `; ARE ${examplesOf(paths)} PATHS OF TERMS? path: and the separator` : '';
  const name = { column, otherwise: drafted.value.otherwise };
  const named = { value: name, why: drafted.why + note, column: { name: column, texts } };
  const fields = new Map<string, DraftField>([[dutch, named]]);
  completeNames({ kind: target, source, columns: [] }, fields);
  const key: DraftKey = { step: 'each', value, why: 'every text is one record' };
  const why = `${COLLECTIONS[target]} that "${column}" names`;
  more.push({ kind: target, source, why, key, fields, left: new Map() });
  return { value, why: `${split}; the ${COLLECTIONS[target]} made of it` };
}
