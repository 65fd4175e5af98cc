/** A CSV file cannot be read. */
export class CsvError extends Error {
  override name = 'CsvError';
  /** Line in the file, from 1; absent when the fault is the file's. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
