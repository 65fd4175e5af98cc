import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { columnOfField } from '../field-check.ts';
import { fieldNames, isListField, type Value } from '../import-map.ts';
import { idOfKey } from '../kind-records.ts';
import type { Source } from '../open-sources.ts';
import { NAME_PARTS, personName } from '../person-names.ts';
import { columnsOf } from '../row-values.ts';
import {
  type DescribedTable,
  type DraftColumn,
  type DraftKey,
  describeTable,
  nameValue,
} from './describe-table.ts';
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

/** The rules of a table: of its rows, and of the records that its columns name, of which no table is given. */
function rulesOf(table: DescribedTable, given: ReadonlySet<Kind>): DraftRule[] {
  const { kind, source, columns, key } = table;
  const fields = new Map<string, DraftValue & { column?: DraftColumn | undefined }>();
  const taken = new Set<DraftColumn>();
  const refused = new Map<DraftColumn, string>();
  const more: DraftRule[] = [];
  const keyColumns = columnsOf(key.value, []).map(({ column }) => column);
  const isNumber = textsIn(source, key.value).every((text) => /^\d+$/.test(text));
  for (const column of columns) {
    if (keyColumns.includes(column.name) && (isNumber || column.concept === 'id')) taken.add(column);
  }
  for (const field of fieldNames(kind)) {
    // Other columns of an image say nothing without its address.
    if (/^image_(?!url)/.test(field) && !fields.has('image_url')) continue;
    const [base = field] = field.split(/_(?:text|markdown)$/);
    for (const column of candidates(table, field)) {
      if (taken.has(column) || [base, `${base}_text`].some((other) => fields.has(other))) continue;
      const target = columnOfField(kind, field)?.target;
      const drafted = target
        ? reference(table, field, target, column, given, more)
        : draftValue(source, kind, field, { column: column.name });
      if ('fault' in drafted) {
        refused.set(column, drafted.fault);
        continue;
      }
      const isText = column.concept === 'summary' || column.concept === 'text';
      const note = isText && !column.textLanguage ? '; IN THE LANGUAGE of its name' : '';
      const why = `its header says ${column.concept ?? field}${target ? '' : '; '}${drafted.why}${note}`;
      fields.set(field, { value: drafted.value, why, column });
      taken.add(column);
    }
  }
  addNames(table, fields, taken);
  const left = new Map<DraftColumn, string>();
  for (const column of columns) {
    if (!taken.has(column)) left.set(column, refused.get(column) ?? whyLeft(column, kind, taken));
  }
  if (fields.size === 0) {
    const name = [...left.keys()][0]?.name ?? keyColumns[0] ?? '';
    fields.set(`_${name}`, { value: { column: name }, why: 'A RULE NEEDS A FIELD' });
  }
  for (const drafted of fields.values()) {
    const { column } = drafted;
    const others = [...left.keys()].filter(({ concept }) => concept && column?.concept === concept);
    if (others.length > 0)
      drafted.why += `; not ${others.map(({ name }) => `"${name}"`).join(', ')}: see below`;
  }
  const order = fieldNames(kind);
  const sorted = [...fields].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return [{ kind, source, why: table.why, key, fields: new Map(sorted), left }, ...more];
}

/** The columns that a field may be taken from, the most usual first. */
function candidates({ kind, columns }: DescribedTable, field: string): DraftColumn[] {
  const [, base = field, wanted, form] = /^(.*?)_(nl|en)(_text|_markdown)?$/.exec(field) ?? [];
  const of = (concept: string) => columns.filter((column) => column.concept === concept);
  if (base === 'title' || base === 'name') {
    const inIt = of('name').filter(({ textLanguage }) => textLanguage === wanted);
    return wanted === 'nl' ? [...inIt, ...of('name').filter(({ textLanguage }) => !textLanguage)] : inIt;
  }
  if (base === 'summary' || base === (kind === 'subject' ? 'description' : 'content')) {
    const isWanted = ({ language, textLanguage = language, texts }: DraftColumn) =>
      textLanguage === wanted &&
      form === (base === 'summary' || texts.some((text) => HTML.test(text)) ? undefined : '_text');
    return of(base === 'summary' ? 'summary' : 'text').filter(isWanted);
  }
  const target = columnOfField(kind, field)?.target;
  const concepts = field === 'location' ? ['place', 'city'] : [field];
  return [...concepts.flatMap(of), ...columns.filter(({ name }) => name === field && !target)];
}

/** Completes the names: of parts, the same in both languages, and those of persons apart. */
function addNames(
  { kind, source, columns }: DescribedTable,
  fields: Map<string, DraftValue & { column?: DraftColumn | undefined }>,
  taken: ReadonlySet<DraftColumn>,
): void {
  const [dutch, english] = namesOf(kind);
  const hasName = columns.some(({ concept }) => concept === 'name');
  const parts = hasName ? undefined : nameValue(kind, columns);
  const drafted = parts && draftValue(source, kind, dutch, parts);
  if (drafted && !('fault' in drafted)) fields.set(dutch, { ...drafted, why: 'the parts of the name' });
  if (kind === 'person') {
    for (const [field, column] of [
      [dutch, fields.get(dutch)?.column],
      ['last_name', fields.get('last_name')?.column],
    ] as const) {
      if (!column) continue;
      const apart = field === dutch ? namesApart(column.name, column.texts) : infixApart(column, fields);
      takeApart(fields, field, apart, column);
    }
  }
  const first = fields.get(dutch);
  const isInOne = [...taken].some(({ concept, textLanguage }) => concept === 'name' && textLanguage);
  if (first && !isInOne) fields.set(english, { ...first, why: 'the same in both languages' });
}

/** Adds the parts of a name to the fields, and says of the field itself why it is changed. */
function takeApart(
  fields: Map<string, DraftValue & { column?: DraftColumn | undefined }>,
  field: string,
  apart: readonly [string, DraftValue][],
  column?: DraftColumn,
): void {
  const given = fields.get(field);
  for (const [part, { value, why }] of apart) {
    const isOwn = part === field;
    if (!isOwn && fields.has(part)) continue;
    const both = isOwn && given ? `${given.why}; ${why}` : why;
    fields.set(part, { value: { ...value, otherwise: given?.value.otherwise }, why: both, column });
  }
}

/** The names of persons, most of which are "Last, First", taken apart. */
function namesApart(column: string, texts: readonly string[]): [string, DraftValue][] {
  const reversed = texts.filter((name) => /^[^,]+, [^,]+/.test(name));
  if (reversed.length * 2 <= texts.length) return [];
  const why = `LAST NAME FIRST in ${examplesOf(reversed)}: turned, but for what may be no person`;
  return NAME_PARTS.map((name) => [
    name === 'title' ? 'title_nl' : name,
    { value: { column, name }, why: name === 'title' ? why : 'taken from the name' },
  ]);
}

/** Last names that begin with an infix, taken apart. */
function infixApart(
  { name, texts }: DraftColumn,
  fields: ReadonlyMap<string, DraftValue>,
): [string, DraftValue][] {
  if (fields.has('infix') || !texts.some((text) => personName(text)?.infix)) return [];
  const apart: Value = { first: [{ column: name, name: 'last_name' }, { column: name }] };
  return [
    ['infix', { value: { column: name, name: 'infix' }, why: `taken from "${name}"` }],
    ['last_name', { value: apart, why: 'without the infix' }],
  ];
}

function whyLeft({ concept }: DraftColumn, kind: Kind, taken: ReadonlySet<DraftColumn>): string {
  if (concept === undefined) return 'no known header';
  if (concept === 'id') return 'its header says id: see the id of the rule';
  const other = [...taken].find((each) => each.concept === concept);
  const none = `${COLLECTIONS[kind]} have no such field${concept.startsWith('image') ? ' without image_url' : ''}`;
  return `its header says ${concept}, but ${other ? `"${other.name}" is more usual` : none}`;
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
  const [dutch, english] = namesOf(target);
  const drafted = draftValue(source, target, dutch, value);
  if ('fault' in drafted) return drafted;
  const texts = [...new Set(textsIn(source, value))];
  if (new Set(texts.map(idOfKey)).size < texts.length) return { fault: 'two texts of it are one number' };
  const paths = target === 'subject' ? texts.filter((text) => /\S(?: > | -- |\/)\S/.test(text)) : [];
  const note = paths.length > 0 ? `; ARE ${examplesOf(paths)} PATHS OF TERMS? path: and the separator` : '';
  const name = { value: { column, otherwise: drafted.value.otherwise }, why: drafted.why + note };
  const fields = new Map<string, DraftValue>([[dutch, name]]);
  if (target === 'person') takeApart(fields, dutch, namesApart(column, texts));
  fields.set(english, { ...(fields.get(dutch) ?? name), why: 'the same in both languages' });
  const key: DraftKey = { step: 'each', value, why: 'every text is one record' };
  const why = `${COLLECTIONS[target]} that "${column}" names`;
  more.push({ kind: target, source, why, key, fields, left: new Map() });
  return { value, why: `${split}; the ${COLLECTIONS[target]} made of it` };
}

/** The fields of a name in Dutch and English. */
function namesOf(kind: Kind): readonly [string, string] {
  return kind === 'person' ? ['title_nl', 'title_en'] : ['name_nl', 'name_en'];
}
