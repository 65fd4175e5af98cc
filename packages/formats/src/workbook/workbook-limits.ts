/** A row or cell of a sheet. */
export interface SheetPlace {
  /** From 1. */
  row: number;
  /** From 0; absent for a whole row. */
  column?: number;
}

/** A workbook cannot be read. */
export class WorkbookError extends Error {
  override name = 'WorkbookError';
  /** The row or cell of the sheet being read; absent for a fault of the whole file or sheet. */
  readonly place: SheetPlace | undefined;

  constructor(message: string, place?: SheetPlace) {
    super(message);
    this.place = place;
  }
}

/** Limits on the size of a workbook, which bound memory and time. */
export interface WorkbookLimits {
  /** Unzipped size of all parts, in bytes. */
  bytes: number;
  /** Compression ratio of a part above which `markup` applies. */
  ratio: number;
  /** Characters of markup, excluding texts, in all parts with a higher ratio. */
  markup: number;
  /** Sheets. */
  sheets: number;
  /** Nesting of elements. */
  depth: number;
  /** Non-empty rows of one sheet. */
  rows: number;
  /** Columns of one sheet. */
  columns: number;
  /** Cells of one sheet, including empty ones before the last of each row. */
  cells: number;
  /** Ranges of merged cells of one sheet; each is a fault. */
  merged: number;
  /** Characters of one cell, or shared text. */
  cellText: number;
  /** Characters of all cells of one row. */
  rowText: number;
  /** Characters of all cells of one sheet; a shared text counts for each cell. */
  sheetText: number;
  /** Number of shared texts. */
  sharedTexts: number;
  /** Size of the shared texts in memory, in bytes, if they exceed `ratio`. */
  sharedBytes: number;
  /** Cell styles, and number formats. */
  styles: number;
  /** Length of the code of a number format. */
  formatCode: number;
}

const MEGABYTE = 1024 * 1024;

/**
 * The default limits. Files of spreadsheet programs have a compression ratio of 5 to 20; a workbook with repetitive texts
 * has a higher ratio, but little markup. Excel allows 32,767 characters in a cell, 16,384 columns, 65,490 styles, and 255
 * characters in a number format; with escapes, a text can take up to seven times its length.
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

/** The last row of a sheet. */
export const LAST_ROW = 1_048_576;
