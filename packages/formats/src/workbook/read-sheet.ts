import type { Readable } from 'node:stream';
import { columnOfCell } from './cell-name.ts';
import { fromCellText } from './cell-text.ts';
import { parseXml } from './parse-xml.ts';
import { createTextHandler } from './read-parts.ts';
import { dateOfSerial } from './serial-date.ts';

/** What a cell holds: its text, or why it has none. Empty cells are `""`. */
export type Cell = string | { readonly fault: string };

/** A row of a sheet. */
export interface SheetRow {
  /** From 1. */
  number: number;
  cells: Cell[];
}

/** What cells refer to. */
export interface SheetContext {
  strings: readonly string[];
  /** Whether the cells of each style are dates. */
  dateStyles: readonly boolean[];
  is1904: boolean;
  /** Called with every range of merged cells, `B3:B5`; they stand at the end of a sheet. */
  onMerge?: (range: string) => void;
}

/** The rows of a sheet that hold anything; a few are in memory at a time. */
export async function* readSheet(stream: Readable, context: SheetContext): AsyncGenerator<SheetRow> {
  let rows: SheetRow[] = [];
  let row: SheetRow = { number: 0, cells: [] };
  let cell: RawCell = { type: 'n', style: 0, value: undefined, isFormula: false };
  let place = -1;
  let isValue = false;
  const text = createTextHandler();
  const handler = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === 'row') {
        row = { number: Number(attributes['r'] ?? row.number + 1), cells: [] };
        place = -1;
      } else if (name === 'c') {
        place = columnOfCell(attributes['r'] ?? '') ?? place + 1;
        cell = {
          type: attributes['t'] ?? 'n',
          style: Number(attributes['s'] ?? 0),
          value: undefined,
          isFormula: false,
        };
        text.begin();
      } else if (name === 'f') {
        cell.isFormula = true;
      } else if (name === 'v') {
        isValue = true;
        cell.value = '';
      } else if (name === 'mergeCell') {
        context.onMerge?.(attributes['ref'] ?? '');
      }
      text.open(name);
    },
    text(more: string) {
      if (isValue) cell.value += more;
      else text.add(more);
    },
    close(name: string) {
      text.close(name);
      if (name === 'v') {
        isValue = false;
      } else if (name === 'c') {
        while (row.cells.length < place) row.cells.push('');
        row.cells[place] = cell.type === 'inlineStr' ? text.end() : cellOf(cell, context);
      } else if (name === 'row' && row.cells.some((each) => each !== '')) {
        rows.push(row);
      }
    },
  };
  for await (const _ of parseXml(stream, handler)) {
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

function cellOf({ type, style, value, isFormula }: RawCell, context: SheetContext): Cell {
  if (value === undefined) {
    return isFormula ? { fault: 'holds a formula without its value; open the workbook and save it' } : '';
  }
  switch (type) {
    case 's':
      return context.strings[Number(value)] ?? { fault: 'names a text that the workbook does not have' };
    case 'str':
      return fromCellText(value);
    case 'e':
      return { fault: `holds the error ${value}, not a value` };
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'd':
      return value.slice(0, 10);
    default:
      return numberOf(value, context.dateStyles[style] ?? false, context.is1904);
  }
}

function numberOf(value: string, isDate: boolean, is1904: boolean): Cell {
  if (value === '') return '';
  const number = Number(value);
  if (!isDate) return String(number);
  const fault = `holds day ${number} of the spreadsheet's calendar, which is no certain date; write it as text, YYYY-MM-DD`;
  return dateOfSerial(number, is1904) ?? { fault };
}
