/** A workbook cannot be read. */
export class WorkbookError extends Error {
  override name = 'WorkbookError';
}
