import { columnLetters } from './cell-name.ts';
import { toCellText } from './cell-text.ts';
import { type FilterRange, MAIN, STYLES } from './package-parts.ts';
import type { SheetColumn, SheetContent } from './sheet-content.ts';
import { LAST_ROW } from './workbook-limits.ts';

/** Text is passed on in pieces of about this many characters. */
const PIECE = 64 * 1024;

/** Whole numbers up to 15 digits: spreadsheets show no more, and lose the others when they save. */
const EXACT_NUMBER = /^(0|[1-9]\d{0,14})$/;

/** Numbers of up to 15 digits, with a decimal point. */
const EXACT_DECIMAL = /^-?(0|[1-9]\d{0,2})(\.\d{1,12})?$/;

/** The XML of a worksheet, in pieces: a header that stays in view, the rows, and the drop-downs. */
export async function* sheetXml(
  { columns, rows, hasFilter = false }: SheetContent,
  onRange: (range: FilterRange) => void = () => {},
): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width = 14, wrap }, place) =>
      `<col min="${place + 1}" max="${place + 1}" width="${width}" style="${wrap ? STYLES.wrapped : STYLES.text}" customWidth="1"/>`,
  );
  const isWrapped = columns.some(({ wrap }) => wrap);
  const height = isWrapped ? '' : ' customHeight="1"';
  let text =
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"${height}/><cols>${widths.join('')}</cols><sheetData>`;
  const headers = columns.map(({ header }) => header);
  text += rowXml(1, headers, () => STYLES.header, columns);
  let number = 1;
  for await (const cells of rows) {
    number += 1;
    text += rowXml(number, cells, styleOf, columns);
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (hasFilter) onRange({ lastColumn: columnLetters(columns.length - 1), lastRow: number });
  const filter = `<autoFilter ref="A1:${columnLetters(columns.length - 1)}${number}"/>`;
  yield `${text}</sheetData>${hasFilter ? filter : ''}${dropDowns(columns)}</worksheet>`;
}

function styleOf({ type, wrap }: SheetColumn): number {
  if (wrap) return STYLES.wrapped;
  return type === 'text' ? STYLES.text : STYLES.general;
}

function rowXml(
  number: number,
  cells: readonly string[],
  style: (column: SheetColumn) => number,
  columns: readonly SheetColumn[],
): string {
  let text = `<row r="${number}">`;
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] ?? '';
    if (cell === '') continue;
    const name = `r="${columnLetters(place)}${number}"`;
    text += isNumber(column, cell)
      ? `<c ${name} s="${STYLES.general}"><v>${cell}</v></c>`
      : `<c ${name} s="${style(column)}" t="inlineStr"><is><t xml:space="preserve">${toCellText(cell)}</t></is></c>`;
  }
  return `${text}</row>`;
}

function isNumber({ type }: SheetColumn, cell: string): boolean {
  return (type === 'number' && EXACT_NUMBER.test(cell)) || (type === 'decimal' && EXACT_DECIMAL.test(cell));
}

function dropDowns(columns: readonly SheetColumn[]): string {
  const lists = columns.flatMap(({ choices }, place) => {
    if (!choices) return [];
    const letters = columnLetters(place);
    return `<dataValidation type="list" allowBlank="1" sqref="${letters}2:${letters}${LAST_ROW}"><formula1>"${toCellText(choices.join(','))}"</formula1></dataValidation>`;
  });
  return lists.length > 0
    ? `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`
    : '';
}
