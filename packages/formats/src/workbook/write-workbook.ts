import { writeZip } from '../zip.ts';
import { columnLetters, toCellText } from './cells.ts';
import { LAST_ROW } from './read-sheet.ts';

export interface SheetColumn {
  header: string;
  /** Integers and decimals are written as numbers if a spreadsheet stores them exactly; everything else is text. */
  type: 'text' | 'number' | 'decimal';
  width?: number;
  choices?: readonly string[];
  wrap?: boolean;
}

export interface SheetContent {
  name: string;
  columns: readonly SheetColumn[];
  hasFilter?: boolean;
  /** The rows after the header, with one cell per column. */
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
}

/**
 * Writes a workbook (.xlsx) as a stream of bytes; only a few rows are in memory at a time. The output is deterministic.
 */
export async function* writeWorkbook(sheets: readonly SheetContent[]): AsyncGenerator<Buffer> {
  const names = sheets.map(({ name }) => name);
  /** The ranges of filters by index of the sheet: `$A$1:$F$20`. */
  const filters = new Map<number, string>();
  yield* writeZip([
    ...[...packageParts(names)].map(([name, content]) => ({ name, content })),
    ...sheets.map((sheet, place) => ({
      name: `xl/worksheets/sheet${place + 1}.xml`,
      content: () => sheetXml(sheet, (range) => filters.set(place, range)),
    })),
    // Read last, when the rows of all sheets have been counted.
    { name: 'xl/workbook.xml', content: () => [workbookXml(names, filters)] },
  ]);
}

/** Approximate size of an output piece, in characters. */
const PIECE = 64 * 1024;

/** Integers of up to 15 digits, the precision of spreadsheets. */
const EXACT_NUMBER = /^(0|[1-9]\d{0,14})$/;

/** Numbers of up to 15 digits, with a decimal point. */
const EXACT_DECIMAL = /^-?(0|[1-9]\d{0,2})(\.\d{1,12})?$/;

/** The XML of a worksheet, in pieces: a fixed header, the rows, and the drop-down lists. */
async function* sheetXml(
  { columns, rows, hasFilter }: SheetContent,
  onFilter: (range: string) => void,
): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width = 14, wrap }, place) =>
      `<col min="${place + 1}" max="${place + 1}" width="${width}" style="${wrap ? STYLES.wrapped : STYLES.text}" customWidth="1"/>`,
  );
  const isWrapped = columns.some(({ wrap }) => wrap);
  const height = isWrapped ? '' : ' customHeight="1"';
  let text =
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
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
  const last = columnLetters(columns.length - 1);
  if (hasFilter) onFilter(`$A$1:$${last}$${number}`);
  const filter = hasFilter ? `<autoFilter ref="A1:${last}${number}"/>` : '';
  yield `${text}</sheetData>${filter}${dropDowns(columns)}</worksheet>`;
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

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Cell styles, by number in `styles.xml`. */
const STYLES = { general: 0, text: 1, header: 2, wrapped: 3 } as const;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Name and text of every part of a workbook, except the sheets and their list. */
function packageParts(sheets: readonly string[]): [name: string, text: string][] {
  const numbers = sheets.map((_, place) => place + 1);
  const overrides = numbers.map(
    (number) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  );
  const relations = numbers.map((number) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`));
  return [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${WORKBOOK_TYPE}.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${overrides.join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}${relation(sheets.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    ],
    ['xl/styles.xml', STYLES_XML],
  ];
}

/**
 * The list of sheets of a workbook.
 *
 * @param filters filter ranges by index of the sheet; LibreOffice only shows filters that are defined here
 */
function workbookXml(sheets: readonly string[], filters: ReadonlyMap<number, string>): string {
  const entries = sheets.map(
    (name, place) => `<sheet name="${attribute(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  );
  const names = sheets.flatMap((name, place) => {
    const filter = filters.get(place);
    if (!filter) return [];
    const sheet = toCellText(name).replaceAll("'", "''");
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">'${sheet}'!${filter}</definedName>`;
  });
  const defined = names.length > 0 ? `<definedNames>${names.join('')}</definedNames>` : '';
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${entries.join('')}</sheets>${defined}</workbook>`;
}

function relation(number: number, type: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function attribute(text: string): string {
  return toCellText(text).replaceAll('"', '&quot;');
}

/** Styles in the order of `STYLES`. Number format 49 is text, which keeps input unchanged. */
const STYLES_XML = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7E6E6"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>`;
