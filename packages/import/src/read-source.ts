import { describeOrigin, type FaultList, type Origin } from '@archiefkast/bundle';
import type { SourceTable, TableRow } from '@archiefkast/bundle/tables';
import { conceptOf } from '@archiefkast/formats';
import { counted } from '@archiefkast/system';
import type { SourceDescription } from './import-map.ts';
import { cellOrigin, columnNames, type Source } from './source.ts';
import { type AsideOfSheet, noteAsides, noteQuotes, noteTurnedDates } from './source-notes.ts';

/** Marks that stand for the text of the cell above. */
export const DITTO = /^(?:"|''|,,|[\u3003\u2033\u201d\u201e]|-"-|id(?:em|\.)|do\.|d[io]to|ditto)$/i;

/**
 * Reads a table into memory.
 *
 * @param form how its cells are read; its columns are named in the row `header`, or else in the first that looks like one
 */
export async function readTable(
  name: string,
  { rows: readRows, place, title }: SourceTable,
  form: Omit<SourceDescription, 'file'>,
  faults: FaultList,
  onRow: () => void = () => {},
): Promise<Source | undefined> {
  const { header, columns: given = [], characters = {}, empty = [NOTHING], fill = [], drop = [] } = form;
  const read: TableRow[] = [];
  const wrong: { where: Origin; reason: string }[] = [];
  const asides: AsideOfSheet[] = [];
  const onFault = (where: Origin, reason: string) => wrong.push({ where, reason });
  for await (const row of readRows(onFault, (what, range) => asides.push({ what, range }))) {
    onRow();
    read.push(row);
  }
  const textsOf = ({ cells }: TableRow) =>
    cells.map((cell) => (typeof cell === 'string' ? replaceAll(cell, characters) : ''));
  const found = header ?? headerOf(read);
  const [first = 0, last = first] = found === 'none' ? [] : found.split('-').map(Number);
  const heads = read.filter(({ at }) => first > 0 && at >= first && at <= last);
  if (first > 0 && heads.length === 0) {
    faults.add({ ...place(), reason: `has no row ${first} with the names of the columns` });
    return undefined;
  }
  // Titles above the header, and groups of columns in it, may be merged.
  for (const { where, reason } of wrong) {
    const row = where.line ?? Number(/\d+$/.exec(where.cell ?? '')?.[0] ?? first);
    if (row > last || (row === first && first === last)) faults.add({ ...where, reason });
  }
  const names = joinHeads(heads.map(textsOf));
  const columns = columnNames([...given, ...names.slice(given.length)]);
  const isHead = (row: TableRow) =>
    heads.some((head) => textsOf(head).join('\0') === textsOf(row).join('\0'));
  const repeated = read.filter((row) => row.at > last && isHead(row));
  const below = read.filter((row) => row.at > last && !isHead(row));
  const isSheet = place(1).cell !== undefined;
  const [width, isOpen] = [columns.length, isSheet || columns.length === 0];
  for (const { at, cells } of below) {
    const isLonger = cells.slice(width).some((cell) => typeof cell !== 'string' || cell.trim() !== '');
    if (isLonger && !isOpen) {
      const reason = `has ${cells.length} cells, the header ${width}; put a text with a separator in quotes`;
      faults.add({ ...place(at), reason });
    }
    while (isOpen && columns.length < cells.length) columns.push(`column ${columns.length + 1}`);
  }
  const dropped = new Set(drop.map((column) => columns.indexOf(column)));
  const rows = below.map((row) => ({ at: row.at, cells: textsOf(row) }));
  const source: Source = { name, title, columns, rows, dropped, place, header: found, notes: [] };
  if (repeated[0]) {
    const where = describeOrigin(place(repeated[0].at));
    source.notes.push(`${repeated.length} left out as the header again, such as ${where}`);
  }
  const titles = read
    .filter(({ at }) => at < first)
    .flatMap((row) => textsOf(row).filter((text) => text !== ''));
  if (titles.length > 0)
    source.notes.push(`${counted(titles.length, 'cell')} above the header left out, such as "${titles[0]}"`);
  const changed = below.flatMap(({ cells }, row) =>
    cells.filter((cell, column) => typeof cell === 'string' && cell.trim() !== rows[row]?.cells[column]),
  );
  if (changed.length > 0) source.notes.push(`${counted(changed.length, 'cell')} changed by characters`);
  for (const { at, cells } of [...heads, ...below]) {
    for (const [column, cell] of cells.entries()) {
      if (typeof cell === 'string' || dropped.has(column)) continue;
      faults.add({ ...cellOrigin(source, at, column), reason: cell.fault });
    }
  }
  const short = isSheet ? [] : rows.filter(({ cells }) => cells.length < columns.length);
  if (short[0])
    source.notes.push(
      `${short.length} with fewer cells than columns, such as ${describeOrigin(place(short[0].at))}`,
    );
  noteAsides(source, asides);
  noteQuotes(source, form.quote);
  for (const text of empty) emptyCells(source, text);
  for (const column of fill) fillDown(source, column);
  for (const column of columns.keys()) noteTurnedDates(source, column);
  return source;
}

/** Gives empty cells of a column, and ditto marks, the text above. */
function fillDown({ columns, rows, notes }: Source, name: string): void {
  const column = columns.indexOf(name);
  let [above, count] = ['', 0];
  for (const { cells } of column < 0 ? [] : rows) {
    const text = cells[column] ?? '';
    if (text !== '' && !DITTO.test(text)) above = text;
    else if (above !== '') {
      cells[column] = above;
      count += 1;
    }
  }
  if (count > 0) notes.push(`${count} of the cells of ${name} filled from above`);
}

/** What databases write where there is no value. */
const NOTHING = '\\N';

/** Empties the cells that have a text that stands for nothing. */
function emptyCells({ rows, notes }: Source, text: string): void {
  let count = 0;
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      if (cell !== text) continue;
      cells[column] = '';
      count += 1;
    }
  }
  if (count > 0) notes.push(`${counted(count, 'cell')} with "${text}" read as empty`);
}

function replaceAll(cell: string, texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .reduce((text, [from, to]) => text.replaceAll(from, to), cell)
    .trim();
}

/** Rows among which the header is looked for. */
const HEAD = 20;

/**
 * The row of the header: the first row with at least half as many texts as the fullest of the first; above it are titles. Two
 * rows, if the first names groups of columns whose names are in the second.
 */
function headerOf(rows: readonly TableRow[]): string {
  const texts = rows
    .slice(0, HEAD)
    .map(({ cells }) => cells.map((cell) => (typeof cell === 'string' ? cell.trim() : '')));
  const filled = texts.map((cells) => cells.filter((cell) => cell !== '').length);
  const most = Math.max(0, ...filled);
  const found = Math.max(
    0,
    filled.findIndex((count) => count * 2 >= most && (count > 1 || most === 1)),
  );
  const placeOf = (index: number) => rows[index]?.at ?? 1;
  for (const top of [found - 1, found]) {
    const [groups, names] = [texts[top], texts[top + 1]];
    if (!groups || !names || (filled[top] ?? 0) < 2 || (filled[top] ?? 0) >= most || filled.length < top + 3)
      continue;
    const both = joinHeads([groups, names]);
    const isNamed = (name: string, column: number) =>
      name === '' || [name, both[column] ?? ''].some((one) => conceptOf(one) !== undefined);
    if (names.every(isNamed)) return `${placeOf(top)}-${placeOf(top + 1)}`;
  }
  return String(placeOf(found));
}

/** The names of columns in one or two rows: a group of columns has its name above the first, and goes before those that need it. */
function joinHeads([names = [], ...below]: readonly (readonly string[])[]): readonly string[] {
  const [lower] = below;
  if (!lower) return names;
  let group = '';
  return Array.from({ length: Math.max(names.length, lower.length) }, (_, column) => {
    const [name = '', own = ''] = [names[column], lower[column]];
    if (name !== '' || own === '') group = name;
    const both = `${group} ${own}`.trim();
    const isClear = lower.filter((other) => other === own).length === 1 && !conceptOf(both);
    return isClear && own !== '' ? own : both;
  });
}
