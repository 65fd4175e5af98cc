import { describeOrigin } from '@archiefkast/bundle';
import { type ColumnConcept, type Concept, conceptOf, datePartOf, headerWords } from '@archiefkast/formats';
import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import { COORDINATES, readRd } from '../coordinates.ts';
import { fieldNames, type RecordRule, type Value } from '../import-map.ts';
import { idOfKey } from '../kind-records.ts';
import { DITTO } from '../read-source.ts';
import type { Source, SourceRow } from '../source.ts';
import { examplesOf, readerOf } from './draft-values.ts';
import type { DraftTable } from './read-draft-tables.ts';

/** A column that is not empty, and what its header says that it is about. */
export interface DraftColumn extends Partial<Omit<ColumnConcept, 'concept'>> {
  name: string;
  texts: readonly string[];
  concept?: Concept | undefined;
  /** What a field gets of it, if it is more than its text. */
  value?: Value;
}

/** What identifies the records of a table: `id` of every row, or `each` distinct value. */
export interface DraftKey extends Pick<RecordRule, 'repeated'> {
  step: 'id' | 'each';
  value: Value;
  why: string;
}

/** A table: what its rows are, what its columns are about (the most usual headers first), what identifies its records. */
export type DescribedTable = ReturnType<typeof describeTable>;

/** What a column is about that names records of a kind. */
const NAMING = {
  person: 'persons',
  subject: 'subjects',
  location: 'place',
  event: 'events',
} as const satisfies Record<Kind, Concept>;

/** The concepts that speak for a kind: fields that no other kind has, and the place of an event. */
const EVIDENCE = forKinds((kind): readonly string[] => [
  ...fieldNames(kind).filter((field) =>
    KINDS.every((other) => other === kind || !fieldNames(other).includes(field)),
  ),
  ...(kind === 'event' ? ['place'] : []),
]);

/** Describes a table by its name, its headers and its texts. */
export function describeTable(table: DraftTable) {
  const { source, words } = table;
  const single = source.columns
    .map((name, index): DraftColumn => {
      const texts = source.rows.flatMap(({ cells }) => cells[index] || []);
      return { name, texts, ...conceptOf(name.replace(/ \(\d+\)$/, '')) };
    })
    .filter(({ texts }) => texts.length > 0)
    // The most usual names come first, and before them those that name the language of their texts.
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const headed = joinPoints(joinDates(single));
  const { kind, why } = kindOf(headed, words);
  const has = (wanted: Concept) =>
    headed.some(({ concept, owner = kind }) => owner === kind && concept === wanted);
  const wordsOf = ({ texts }: DraftColumn) => texts.flatMap((text) => text.split(' '));
  const parts = headed.filter(({ concept = '' }) => /^(?:first_name|infix)$/.test(concept)).flatMap(wordsOf);
  // Beside the other parts of a name, that which has none of them is the last.
  const hasLast = has('last_name') || parts.length === 0;
  const isLast = (column: DraftColumn) => !hasLast && !wordsOf(column).some((word) => parts.includes(word));
  // The name of another kind of record names what a row refers to; other properties of it are not of the row.
  const conceptIn = (column: DraftColumn): Concept | undefined => {
    const { concept, owner = kind } = column;
    if (owner !== kind) return concept === 'name' ? NAMING[owner] : undefined;
    if (concept === 'name' && kind === 'person' && isLast(column)) return 'last_name';
    if (concept === 'city' && kind === 'event' && !has('place')) return 'place';
    if (concept !== NAMING[kind]) return concept;
    if (!has('name') && !has('last_name')) return 'name';
    return kind === 'location' ? 'city' : undefined;
  };
  const columns = headed.map((column) => ({ ...column, concept: conceptIn(column) }));
  const key = keyOf(table, columns, nameValue(kind, columns));
  return { ...table, kind, why, columns, key };
}

/** A date in several columns is one: its month and its day join the column of its year. */
function joinDates(columns: readonly DraftColumn[]): DraftColumn[] {
  const parts = columns.flatMap(({ name, texts }) => {
    const part = datePartOf(name);
    return part && texts.every((text) => /^(?:\d{1,2}|\p{L}{3,}\.?)$/u.test(text)) ? [{ name, ...part }] : [];
  });
  const joined = columns.map((column): DraftColumn => {
    const own = parts.filter(({ year }) => year === headerWords(column.name).join(''));
    const [month, day] = [false, true].map((wanted) => own.find(({ isDay }) => isDay === wanted)?.name);
    return month === undefined ? column : { ...column, value: { year: column.name, month, day } };
  });
  return joined.filter(
    ({ name }) => !joined.some(({ value }) => value?.month === name || value?.day === name),
  );
}

/** A column with points, and two with x and y of the grid of the Netherlands, have a latitude and a longitude. */
function joinPoints(columns: readonly DraftColumn[]): DraftColumn[] {
  const axis = (name: RegExp) => columns.find((column) => name.test(headerWords(column.name).join('')));
  const [x, y] = [axis(/^(?:rd)?x(?:rd|co[a-z]*)?$/), axis(/^(?:rd)?y(?:rd|co[a-z]*)?$/)];
  const isGrid = x && y && x.texts.every((text, row) => readRd(`${text} ${y.texts[row]}`, 'latitude'));
  return columns.flatMap((column): DraftColumn | DraftColumn[] => {
    const { name, concept, texts } = column;
    if (isGrid && column === y) return [];
    const isPoint = isGrid && column === x;
    if (!isPoint && concept !== 'point') return column;
    const from = isPoint ? { join: [{ column: x.name }, { column: y.name }] } : { column: name };
    const step = isPoint || texts.some((text) => readRd(text, 'latitude')) ? 'rd' : 'degrees';
    return COORDINATES.map((part) => ({ ...column, concept: part, value: { ...from, [step]: part } }));
  });
}

const rankOf = ({ rank = 1_000, textLanguage }: DraftColumn) => (textLanguage ? rank - 1_000 : rank);

/** The value that names a record: one column, or its parts. */
export function nameValue(kind: Kind, columns: readonly DraftColumn[]): Value | undefined {
  const about = (wanted: Concept) => columns.find(({ concept }) => concept === wanted);
  const name = about('name');
  if (name || kind !== 'person') return name && { column: name.name };
  const parts = (['first_name', 'infix', 'last_name', 'suffix'] as const).flatMap((one) => about(one) ?? []);
  return parts.length > 0 ? { join: parts.map(({ name }) => ({ column: name })) } : undefined;
}

function kindOf(columns: readonly DraftColumn[], words: readonly string[]): { kind: Kind; why: string } {
  const scores = (['person', 'event', 'location', 'subject'] as const).map((kind) => {
    const named = words.filter((word) => conceptOf(word)?.concept === NAMING[kind]);
    const found = columns.filter(
      ({ concept = '', owner = kind }, index) =>
        owner === kind &&
        EVIDENCE[kind].includes(concept) &&
        columns.findIndex((other) => other.concept === concept) === index,
    );
    // The name of a file or sheet counts for more than that of a column.
    const score = found.length + (named.length > 0 ? 2 : 0);
    return { kind, score, signs: [...new Set([...named, ...found.map(({ name }) => name)])].join(', ') };
  });
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  if (!best || best.score === 0) {
    return { kind: 'event', why: 'IS A ROW AN EVENT? nothing says what it is; otherwise move this rule' };
  }
  return { kind: best.kind, why: `${COLLECTIONS[best.kind]}, because of ${best.signs}` };
}

/**
 * Finds what identifies the records: the first column of ids that differs in all rows; else the first that nearly does, where what
 * is wrong with it is told by line; without ids, a name or any other column that differs.
 */
function keyOf({ source }: DraftTable, columns: readonly DraftColumn[], name: Value | undefined): DraftKey {
  const { rows } = source;
  const named = name && readerOf(source, name);
  const ids = columns
    .filter(({ concept }) => concept === 'id')
    .map(({ name: column }) => lookAt(source, { column }, named));
  const whole = ids.find(isUnique);
  if (whole) return { step: 'id', value: whole.value, why: 'its header says id, and it differs in all rows' };
  const filled = source.columns.filter((_, index) => rows.some(({ cells }) => cells[index]));
  const all: Value = { join: filled.map((column) => ({ column })) };
  const isClose = ({ missing, twice }: (typeof ids)[number]) =>
    Math.max(missing.length, twice.length) * 2 <= rows.length;
  const best = ids.find(({ missing, isOne }) => missing.length === 0 && isOne) ?? ids.find(isClose) ?? ids[0];
  const told = best ? `MEND THE ID? ${problemsOf(best, source)}` : 'no header says id';
  if (best?.missing.length === 0 && best.isOne)
    return { step: 'each', value: best.value, why: `one id and name are one record: ${best.twice[0]}` };
  if (best && isClose(best)) {
    const stand = name && named && best.missing.every((row) => named(row).length > 0) ? name : all;
    const value = best.missing.length > 0 ? { first: [best.value, stand] } : best.value;
    return { step: 'id', value, repeated: 'numbered', why: told };
  }
  const candidates = [...(name ? [name] : []), ...source.columns.map((column): Value => ({ column }))];
  const unique = candidates.find((value) => isUnique(lookAt(source, value)));
  if (!unique) return { step: 'each', value: all, why: `${told}: rows with the same texts are one record` };
  return { step: 'id', value: unique, why: `${told}: this differs in all rows` };
}

/** What is wrong with a column of ids. */
function problemsOf({ value, missing, twice }: ReturnType<typeof lookAt>, { rows, place }: Source): string {
  const [first, ...more] = twice;
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  if (first !== undefined) return `"${value.column}" has ${first}${others}`;
  const gap = `${missing.length} of ${rows.length} rows, such as ${describeOrigin(place(missing[0]?.at))}`;
  return `"${value.column}" is empty in ${gap} (fill: in the source repeats the id above)`;
}

/**
 * The rows that have no text of a value, pairs of rows whose records would have one id, and whether each pair has the same text
 * and name.
 */
function lookAt(source: Source, value: Value, named?: ReturnType<typeof readerOf>) {
  const seen = new Map<number, { text: string; row: SourceRow }>();
  const missing: SourceRow[] = [];
  const twice: string[] = [];
  let isOne = named !== undefined;
  const read = readerOf(source, value);
  for (const row of source.rows) {
    const [text] = read(row);
    const other = text === undefined ? undefined : seen.get(idOfKey(text));
    if (text === undefined || DITTO.test(text)) missing.push(row);
    else if (other) {
      const places = [other.row, row].map(({ at }) => describeOrigin(source.place(at))).join(' and ');
      twice.push(`${examplesOf([other.text, text])} in ${places}`);
      isOne &&= other.text === text && named?.(other.row).join() === named?.(row).join();
    } else seen.set(idOfKey(text), { text, row });
  }
  return { value, missing, twice, isOne };
}

function isUnique({ missing, twice }: Pick<ReturnType<typeof lookAt>, 'missing' | 'twice'>): boolean {
  return missing.length === 0 && twice.length === 0;
}
