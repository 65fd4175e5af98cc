/** A fault of a CSV file. */
export class CsvError extends Error {
  override name = 'CsvError';
  /** Line in the file, from 1; absent for a fault of the whole file. */
  readonly line: number | undefined;
  /** The encoding that the file may be in; absent if that is not the fault. */
  readonly encoding: string | undefined;

  constructor(message: string, line?: number, encoding?: string) {
    super(message);
    this.line = line;
    this.encoding = encoding;
  }
}
