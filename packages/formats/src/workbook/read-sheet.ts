import { columnLetters, columnOfCell, fromCellText } from './cells.ts';
import { type Part, parseXml } from './parse-xml.ts';
import { createTextHandler } from './read-parts.ts';
import type { SharedTexts } from './shared-texts.ts';
import { type DateSystem, dateOfSerial } from './workbook-dates.ts';
import { LAST_ROW, WorkbookError, type WorkbookLimits } from './workbook-limits.ts';

/** The text of a cell, or why it has none. Empty cells are `""`. */
export type Cell = string | { readonly fault: string };

/** A row of a sheet. */
export interface SheetRow {
  /** From 1. */
  number: number;
  cells: Cell[];
}

/** The parts of a workbook that cells refer to. */
export interface SheetContext {
  texts: SharedTexts;
  /** Whether the cells of each style are dates. */
  dateStyles: readonly boolean[];
  dateSystem: DateSystem;
  limits: WorkbookLimits;
  /** Called with every range of merged cells, such as `B3:B5`, after the last row. */
  onMerge?: (range: string) => void;
}

/**
 * Reads the rows of a sheet that are not empty; only a few are in memory at a time.
 *
 * @throws WorkbookError with the row or cell, if the sheet is damaged or exceeds the limits
 */
export async function* readSheet(part: Part, context: SheetContext): AsyncGenerator<SheetRow> {
  const { limits } = context;
  let rows: SheetRow[] = [];
  let row: SheetRow = { number: 0, cells: [] };
  let cell: RawCell = { type: 'n', style: 0, value: undefined, isFormula: false };
  let column = -1;
  let isValue = false;
  let cells = 0;
  let rowText = 0;
  let sheetText = 0;
  let merged = 0;
  const place = () => (row.number === 0 ? undefined : { row: row.number, ...(column < 0 ? {} : { column }) });
  const refuse = (reason: string): never => {
    throw new WorkbookError(reason, place());
  };
  const refuseText = () =>
    refuse(`has more than ${limits.cellText} characters; spreadsheets allow 32767 in a cell`);
  const text = createTextHandler(limits.cellText, refuseText);

  const openRow = (name: string | undefined) => {
    const number = name === undefined ? row.number + 1 : Number(name);
    if (!Number.isInteger(number) || number < 1 || number > LAST_ROW) {
      throw new WorkbookError(`has a row "${name ?? number}"; expected 1 to ${LAST_ROW}`);
    }
    row = { number, cells: [] };
    column = -1;
    rowText = 0;
  };
  const openCell = ({ r = '', t = 'n', s = '0' }: Readonly<Record<string, string>>) => {
    column = columnOfCell(r) ?? column + 1;
    if (column >= limits.columns) {
      const last = columnLetters(limits.columns - 1);
      throw new WorkbookError(`has a cell beyond column ${last}, the last column of a sheet`, {
        row: row.number,
      });
    }
    cell = { type: t, style: Number(s), value: undefined, isFormula: false };
    text.begin();
  };
  const closeCell = () => {
    const held = cell.type === 'inlineStr' ? fromCellText(text.end()) : cellOf(cell, context);
    cells += Math.max(0, column + 1 - row.cells.length);
    if (cells > limits.cells) {
      refuse(
        `has more than ${limits.cells} cells in the sheet up to here, including empty ones before others`,
      );
    }
    const { length: end } = row.cells;
    if (end < column) {
      row.cells.length = column + 1;
      row.cells.fill('', end);
    }
    row.cells[column] = held;
    const length = typeof held === 'string' ? held.length : held.fault.length;
    rowText += length;
    sheetText += length;
    if (rowText > limits.rowText) refuse(`has more than ${limits.rowText} characters in its row up to here`);
    if (sheetText > limits.sheetText) {
      refuse(
        `has more than ${limits.sheetText} characters in the sheet up to here; expected a folder of CSV files`,
      );
    }
  };
  const handler = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === 'row') openRow(attributes['r']);
      else if (name === 'c') openCell(attributes);
      else if (name === 'f') cell.isFormula = true;
      else if (name === 'v') {
        isValue = true;
        cell.value = '';
      } else if (name === 'mergeCell') {
        merged += 1;
        if (merged > limits.merged) {
          throw new WorkbookError(`has more than ${limits.merged} ranges of merged cells; expected none`);
        }
        context.onMerge?.(attributes['ref'] ?? '');
      }
      text.open(name);
    },
    text(more: string): boolean {
      if (!isValue) return text.add(more);
      cell.value += more;
      if ((cell.value?.length ?? 0) > limits.cellText) refuseText();
      return true;
    },
    close(name: string) {
      text.close(name);
      if (name === 'v') isValue = false;
      else if (name === 'c') closeCell();
      else if (name === 'row' && row.cells.some((each) => each !== '')) rows.push(row);
    },
    place,
  };
  for await (const _ of parseXml(part, handler)) {
    const ready = rows;
    rows = [];
    yield* ready;
  }
}

interface RawCell {
  type: string;
  style: number;
  value: string | undefined;
  isFormula: boolean;
}

const NO_STORED_VALUE = {
  fault: 'contains a formula without a stored value; open the workbook in Excel or LibreOffice, and save it',
};

function cellOf({ type, style, value, isFormula }: RawCell, context: SheetContext): Cell {
  // The result of a formula may be an empty text, but not an empty number: some libraries write those.
  if (value === undefined || (value === '' && type === 'n')) return isFormula ? NO_STORED_VALUE : '';
  switch (type) {
    case 's':
      return context.texts.get(Number(value)) ?? { fault: 'refers to a shared text that is missing' };
    case 'str':
      return fromCellText(value);
    case 'e':
      return { fault: `contains the error ${value} instead of a value` };
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'd':
      return value.slice(0, 10);
    default: {
      const number = Number(value);
      return context.dateStyles[style] ? dateOfSerial(number, context.dateSystem) : String(number);
    }
  }
}
