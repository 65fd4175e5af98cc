import { type Cell, columnLetters, columnOfCell, fromCellText } from './cells.ts';
import { type DateSystem, plainNumber, type ShowNumber } from './number-formats.ts';
import { type Attributes, type Part, parseXml, WorkbookError, type XmlHandler } from './parse-xml.ts';

export interface SheetRow {
  /** From 1. */
  number: number;
  cells: Cell[];
}

const MEGABYTE = 1024 * 1024;

/** The limits on the size of a workbook, which bound memory and time. */
export const WORKBOOK_LIMITS = {
  /** Unzipped size of all parts, in bytes. */
  bytes: 256 * MEGABYTE,
  /** Cells, including empty ones before others, and rows; a shared text counts for 4, a range of merged cells for 1,000. */
  cells: 10_000_000,
  /** Characters of one cell: with escapes, the 32,767 that Excel allows can take up to seven times as many. */
  cellText: MEGABYTE / 4,
  /** Characters of all cells; a shared text counts for each cell. */
  text: 512 * MEGABYTE,
};

export type WorkbookLimits = typeof WORKBOOK_LIMITS;

export type WorkbookCounts = Pick<WorkbookLimits, 'cells' | 'text'>;

/** What a sheet has beside the texts of its cells, and what of it is hidden. */
export type Aside = 'merged' | 'link' | 'comment' | 'hidden row' | 'hidden column' | 'picture' | 'shape';

/** Called with every aside, and its cells (`B3`, `B3:B5`), row (`3:3`) or columns (`B:C`); what floats has none. */
export type OnAside = (what: Aside, range: string) => void;

/** The parts of a workbook that cells refer to. */
export interface SheetContext {
  texts: readonly string[];
  /** How the cells of each style show a number; undefined as a plain one. */
  shows: readonly (ShowNumber | undefined)[];
  dateSystem: DateSystem;
  limits: WorkbookLimits;
  counts: WorkbookCounts;
  onAside: OnAside;
}

/** What a range of merged cells counts for: each is a fault. */
const CELLS_OF_MERGED = 1_000;

const LAST_COLUMN = 16_384;
export const LAST_ROW = 1_048_576;

/**
 * Reads the rows of a sheet that are not empty; only a few are in memory at a time.
 *
 * @throws WorkbookError with the row or cell, if the sheet is damaged or exceeds the limits
 */
export async function* readSheet(part: Part, context: SheetContext): AsyncGenerator<SheetRow> {
  const { limits, counts } = context;
  let rows: SheetRow[] = [];
  let row: SheetRow = { number: 0, cells: [] };
  let cell: RawCell = { type: 'n', style: 0, hasValue: false, isFormula: false };
  let column = -1;
  const refuse = (reason: string): never => {
    throw new WorkbookError(reason);
  };
  const upTo = 'in the workbook up to here';
  const count = (cells: number) => {
    counts.cells += cells;
    if (counts.cells > limits.cells)
      refuse(`has more than ${limits.cells} cells ${upTo}, including empty ones before others`);
  };
  const openRow = ({ r: name, hidden = '' }: Attributes) => {
    const number = name === undefined ? row.number + 1 : Number(name);
    row = { number, cells: [] };
    column = -1;
    count(1);
    if (isTrue(hidden)) context.onAside('hidden row', `${number}:${number}`);
    if (Number.isInteger(number) && number >= 1 && number <= LAST_ROW) return;
    row.number = 0;
    refuse(`has a row "${name ?? number}"; expected 1 to ${LAST_ROW}`);
  };
  const openCell = ({ r = '', t = 'n', s = '0' }: Attributes) => {
    column = columnOfCell(r) ?? column + 1;
    if (column >= LAST_COLUMN) {
      column = -1;
      refuse(`has a cell beyond column ${columnLetters(LAST_COLUMN - 1)}, the last column of a sheet`);
    }
    cell = { type: t, style: Number(s), hasValue: false, isFormula: false };
  };
  const nameOfCell = () => `${columnLetters(column)}${row.number}`;
  const closeCell = (text: string) => {
    const held = cellOf(cell, text, context);
    count(Math.max(0, column + 1 - row.cells.length));
    while (row.cells.length < column) row.cells.push('');
    row.cells[column] = held;
    counts.text += typeof held === 'string' ? held.length : held.fault.length;
    if (counts.text > limits.text)
      refuse(`has more than ${limits.text} characters ${upTo}; expected a folder of CSV files`);
  };
  const handler: XmlHandler = {
    open(name, attributes) {
      if (name === 'row') openRow(attributes);
      else if (name === 'c') openCell(attributes);
      else if (name === 'f') cell.isFormula = true;
      else if (name === 'v') cell.hasValue = true;
      else if (name === 'mergeCell') {
        count(CELLS_OF_MERGED);
        context.onAside('merged', attributes['ref'] ?? '');
      } else if (name === 'hyperlink') {
        count(1);
        context.onAside('link', attributes['ref'] ?? '');
      } else if (name === 'col' && isTrue(attributes['hidden'] ?? '')) {
        const [first, last] = [attributes['min'], attributes['max']].map((one) =>
          columnLetters(Number(one) - 1),
        );
        context.onAside('hidden column', `${first}:${last}`);
      }
    },
    formula(text) {
      if (/\bHYPERLINK\(/i.test(text)) context.onAside('link', nameOfCell());
    },
    close(name, text) {
      if (name === 'c') closeCell(text);
      else if (name === 'row' && row.cells.some((each) => each !== '')) rows.push(row);
    },
  };
  try {
    for await (const _ of parseXml(part, handler, limits.cellText)) {
      const ready = rows;
      rows = [];
      yield* ready;
    }
  } catch (error) {
    if (error instanceof WorkbookError && row.number > 0)
      error.place = { row: row.number, ...(column < 0 ? {} : { column }) };
    throw error;
  }
}

function isTrue(attribute: string): boolean {
  return /^(?:1|true)$/.test(attribute);
}

interface RawCell {
  type: string;
  style: number;
  hasValue: boolean;
  isFormula: boolean;
}

const NO_STORED_VALUE = {
  fault: 'contains a formula without a stored value; open the workbook in Excel or LibreOffice, and save it',
};

function cellOf({ type, style, hasValue, isFormula }: RawCell, value: string, context: SheetContext): Cell {
  if (type === 'inlineStr') return fromCellText(value);
  // The result of a formula may be an empty text, but not an empty number: some libraries write those.
  if (!hasValue || (value === '' && type === 'n')) return isFormula ? NO_STORED_VALUE : '';
  switch (type) {
    case 's':
      return context.texts[Number(value)] ?? { fault: 'refers to a shared text that is missing' };
    case 'str':
      return fromCellText(value);
    case 'e':
      return { fault: `contains the error ${value} instead of a value` };
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'd':
      return value.replace(/T00:00(?::00(?:\.0*)?)?$/, '').replace(/T(\d\d:\d\d)(?::00(?:\.0*)?)?$/, ' $1');
    default:
      return context.shows[style]?.(value, context.dateSystem) ?? plainNumber(value);
  }
}
