import type { FaultList } from '@archiefkast/bundle';
import { KINDS, type Kind } from '@archiefkast/types';
import { type KindRecords, quoted, type Tally } from './kind-records.ts';
import type { OpenMap } from './read-map.ts';
import { type Home, RecordMaker } from './record-maker.ts';
import { compileRules } from './rules.ts';
import type { Source, SourceRow } from './source.ts';

/** The records of an import. */
export interface MadeRecords {
  kinds: Readonly<Record<Kind, KindRecords>>;
  /** Values of fields that differ among the rows of one record; the first is kept. */
  differences: Tally;
  /** What became of the rows and columns of each source. */
  uses: Map<Source, ReturnType<typeof describeUse>>;
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
