/** A column of a sheet to write. */
export interface SheetColumn {
  header: string;
  /** Whole numbers, or decimal ones, are written as numbers where a spreadsheet holds them exactly; all else is text. */
  type: 'text' | 'number' | 'decimal';
  /** In characters. */
  width?: number;
  /** The values that a drop-down offers. */
  choices?: readonly string[];
  /** Whether long texts are shown on several lines. */
  wrap?: boolean;
}

/** A sheet to write. */
export interface SheetContent {
  name: string;
  columns: readonly SheetColumn[];
  /** Whether the header offers to filter rows. */
  hasFilter?: boolean;
  /** The rows after the header, a cell for each column. */
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
}
