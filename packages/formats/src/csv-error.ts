/** A fault of a CSV file. */
export class CsvError extends Error {
  override name = 'CsvError';
  /** Line in the file, from 1; absent for a fault of the whole file. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
