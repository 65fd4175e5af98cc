/** Where in a sheet something is wrong. */
export interface SheetPlace {
  /** From 1. */
  row: number;
  /** From 0; absent when the row is at fault. */
  column?: number;
}

/** A workbook cannot be read. */
export class WorkbookError extends Error {
  override name = 'WorkbookError';
  /** The row or cell of the sheet that is being read; absent when the fault is the file's, or the sheet's. */
  readonly place: SheetPlace | undefined;

  constructor(message: string, place?: SheetPlace) {
    super(message);
    this.place = place;
  }
}

/** How large a workbook may be; beyond it, memory and time would have no bound. */
export interface WorkbookLimits {
  /** Bytes of all parts, unzipped. */
  bytes: number;
  /** Bytes that a part has unzipped for each that it has zipped, before `markup` counts. */
  ratio: number;
  /** Characters of markup, beyond those of texts, that all parts together may hold when they unzip to more than that. */
  markup: number;
  /** Sheets. */
  sheets: number;
  /** Elements within each other. */
  depth: number;
  /** Rows of one sheet that hold anything. */
  rows: number;
  /** Columns of one sheet. */
  columns: number;
  /** Cells of one sheet, with the empty ones before the last of each row. */
  cells: number;
  /** Ranges of merged cells of one sheet; each is a fault of a bundle. */
  merged: number;
  /** Characters of one cell, or shared text. */
  cellText: number;
  /** Characters of all cells of one row. */
  rowText: number;
  /** Characters of all cells of one sheet: a shared text counts for each cell that shows it. */
  sheetText: number;
  /** Texts that cells share. */
  sharedTexts: number;
  /** Bytes of the texts that cells share, which are kept in memory, when they unzip to more than `ratio`. */
  sharedBytes: number;
  /** Styles of cells, and number formats. */
  styles: number;
  /** Characters of the code of one number format. */
  formatCode: number;
}

const MEGABYTE = 1024 * 1024;

/**
 * The limits where none are given. What a program for spreadsheets writes has 5 to 20 bytes for a zipped one; a workbook
 * in which texts come again and again has more, and has these texts. Excel itself allows 32,767 characters in a cell,
 * 16,384 columns, 65,490 styles, and 255 characters in a number format; a text that we write takes up to seven times its
 * length, in escapes.
 */
export const WORKBOOK_LIMITS: WorkbookLimits = {
  bytes: 512 * MEGABYTE,
  ratio: 50,
  markup: 4 * MEGABYTE,
  sheets: 256,
  depth: 64,
  rows: 250_000,
  columns: 16_384,
  cells: 10_000_000,
  merged: 10_000,
  cellText: 256 * 1024,
  rowText: 16 * MEGABYTE,
  sheetText: 512 * MEGABYTE,
  sharedTexts: 8_000_000,
  sharedBytes: 64 * MEGABYTE,
  styles: 65_536,
  formatCode: 1_000,
};

/** The last row that a sheet can have. */
export const LAST_ROW = 1_048_576;
