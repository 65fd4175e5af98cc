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
