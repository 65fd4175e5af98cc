import { describeOrigin } from '@archiefkast/bundle';
import { type ColumnConcept, type Concept, conceptOf, headerWords } from '@archiefkast/formats';
import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import { COORDINATES, readRd } from '../coordinates.ts';
import { fieldNames, type RecordRule, type Value } from '../import-map.ts';
import { idOfKey } from '../kind-records.ts';
import { DITTO, type Source, type SourceRow } from '../open-sources.ts';
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
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const headed = joinPoints(joinDates(single));
  const { kind, why } = kindOf(headed, words);
  const hasName = headed.some(
    ({ concept = '', owner = kind }) => owner === kind && /^(?:name|last_name)$/.test(concept),
  );
  const hasPlace = headed.some(({ concept }) => concept === 'place');
  // The name of another kind of record names what a row refers to; other properties of it are not of the row.
  const conceptIn = ({ concept, owner = kind }: DraftColumn): Concept | undefined => {
    if (owner !== kind) return concept === 'name' ? NAMING[owner] : undefined;
    if (concept === 'city' && kind === 'event' && !hasPlace) return 'place';
    if (concept !== NAMING[kind]) return concept;
    if (!hasName) return 'name';
    return kind === 'location' ? 'city' : undefined;
  };
  const columns = headed.map((column) => ({ ...column, concept: conceptIn(column) }));
  const key = keyOf(table, columns, nameValue(kind, columns));
  return { ...table, kind, why, columns, key };
}

/** Columns with the month and the day of a date join that of its year: `birth_month` joins `birth_year`, `dag` joins `jaar`. */
function joinDates(columns: readonly DraftColumn[]): DraftColumn[] {
  const spelled = (name: string) => headerWords(name).join('');
  const parts = columns.filter(({ texts }) =>
    texts.every((text) => /^(?:\d{1,2}|\p{L}{3,}\.?)$/u.test(text)),
  );
  const partOf = ({ name }: DraftColumn, part: RegExp) =>
    parts.find(
      (other) =>
        spelled(other.name).replace(part, (word) => (/month|day/.test(word) ? 'year' : 'jaar')) ===
          spelled(name) && other.name !== name,
    )?.name;
  const joined = columns.map((column): DraftColumn => {
    const [month, day] = [partOf(column, /month|maand|mnd/), partOf(column, /day|dag/)];
    return month === undefined ? column : { ...column, value: { year: column.name, month, day } };
  });
  const used = joined.flatMap(({ value }) => [value?.month, value?.day]);
  return joined.filter(({ name }) => !used.includes(name));
}

/** A column with points becomes one of latitudes and one of longitudes; columns with x and y of the grid of the Netherlands too. */
function joinPoints(columns: readonly DraftColumn[]): DraftColumn[] {
  const [x, y] = ['x', 'y'].map((axis) =>
    columns.find(({ name }) =>
      new RegExp(`^(?:rd)?${axis}(?:rd|co[a-z]*)?$`).test(headerWords(name).join('')),
    ),
  );
  const isGrid =
    x && y && x.texts.every((text, index) => readRd(`${text} ${y.texts[index]}`, 'latitude') !== undefined);
  return columns.flatMap((column): DraftColumn | DraftColumn[] => {
    const { name, concept, texts } = column;
    if (isGrid && (column === x || column === y)) {
      const part = column === x ? 'longitude' : 'latitude';
      return {
        ...column,
        concept: part,
        value: { join: [{ column: x.name }, { column: y.name }], rd: part },
      };
    }
    if (concept !== 'point') return column;
    const step = texts.some((text) => readRd(text, 'latitude')) ? 'rd' : 'degrees';
    return COORDINATES.map((part) => ({ ...column, concept: part, value: { column: name, [step]: part } }));
  });
}

/** Columns of the most usual names come first, and before them those that name the language of their texts. */
function rankOf({ rank = 1_000, textLanguage }: DraftColumn): number {
  return textLanguage ? rank - 1_000 : rank;
}

/** The value that names a record: one column, or its parts. */
export function nameValue(kind: Kind, columns: readonly DraftColumn[]): Value | undefined {
  const about = (wanted: Concept) => columns.find(({ concept }) => concept === wanted);
  const name = about('name');
  if (name || kind !== 'person') return name && { column: name.name };
  const parts = (['first_name', 'infix', 'last_name'] as const).flatMap((part) => about(part) ?? []);
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
    return { kind, score, signs: [...new Set(named), ...found.map(({ name }) => name)].join(', ') };
  });
  const [best, second] = scores.toSorted((a, b) => b.score - a.score);
  if (!best || best.score === 0) {
    return { kind: 'event', why: 'IS A ROW AN EVENT? nothing says what it is; otherwise move this rule' };
  }
  const not = second && second.score > 0 ? `; less likely ${COLLECTIONS[second.kind]}: ${second.signs}` : '';
  return { kind: best.kind, why: `${COLLECTIONS[best.kind]}, because of ${best.signs}${not}` };
}

/**
 * Finds what identifies the records: the first column of ids that differs in all rows; else, of ids that nearly do, the
 * first, where what is wrong with it is told by line; without ids, a name or any other column that differs.
 */
function keyOf({ source }: DraftTable, columns: readonly DraftColumn[], name: Value | undefined): DraftKey {
  const { rows } = source;
  const named = name && readerOf(source, name);
  const ids = columns
    .filter(({ concept }) => concept === 'id')
    .map(({ name: column }) => ({ column, ...lookAt(source, { column }, named) }));
  const whole = ids.find(isUnique);
  if (whole) {
    const others = ids.filter((each) => each !== whole).map(({ column }) => `"${column}"`);
    const not = others.length > 0 ? `; not ${others.join(', ')}` : '';
    return { step: 'id', value: whole.value, why: `its header says id, and it differs in all rows${not}` };
  }
  const all: Value = {
    join: source.columns
      .filter((each) => columns.some((one) => one.name === each))
      .map((column) => ({ column })),
  };
  const told = ids.flatMap(({ column, missing, twice }) => {
    const [[first], [row]] = [twice, missing];
    const more = twice.length > 1 ? `, and ${twice.length - 1} more` : '';
    const gap =
      row && `in ${missing.length} of ${rows.length} rows, such as ${describeOrigin(source.place(row.at))}`;
    return [
      ...(first ? [`"${column}" has ${first}${more}`] : []),
      ...(gap ? [`"${column}" is empty ${gap} (fill: in the source repeats the id above)`] : []),
    ];
  });
  for (const { value, missing, twice, isOne } of ids) {
    if (missing.length === 0 && isOne) {
      const why = `rows with the same id and name are one record: ${twice[0]}`;
      return { step: 'each', value, why };
    }
    if (Math.max(missing.length, twice.length) * 2 > rows.length) continue;
    const stand = name && named && missing.every((row) => named(row).length > 0) ? name : all;
    if (twice.length > 0) told.push('the second gets a number');
    if (missing.length > 0) told.push('the name stands for what is empty');
    const first = missing.length > 0 ? { first: [value, stand] } : value;
    return { step: 'id', value: first, repeated: 'numbered', why: `MEND THE ID? ${told.join('; ')}` };
  }
  const why = told.length > 0 ? `MEND THE ID? ${told.join('; ')}; so` : 'no header says id:';
  const candidates = [...(name ? [name] : []), ...source.columns.map((column): Value => ({ column }))];
  const unique = candidates.find((value) => isUnique(lookAt(source, value)));
  if (!unique) return { step: 'each', value: all, why: `${why} rows with the same texts are one record` };
  const what = unique === name ? 'the name' : 'the first column that';
  return { step: 'id', value: unique, why: `${why} ${what} differs in all rows` };
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
