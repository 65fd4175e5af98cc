import { CsvError } from './csv-error.ts';

/** A row of a CSV file. */
export interface CsvRow {
  /** The line on which the row begins, from 1. */
  line: number;
  cells: string[];
}

/** The characters that part cells. */
export type Delimiter = ',' | ';' | '\t';

/** A row may be this long: beyond it, a quote was opened and never closed. */
const LONGEST_ROW = 1 << 24;

const RETURN = 13;
const LINE_FEED = 10;
const QUOTE = 34;

/**
 * Parses CSV (RFC 4180) as its text comes in. Rows end in CRLF, LF or CR; a quote inside an unquoted cell is a
 * character like others; rows without any text are left out.
 */
export class CsvParser {
  readonly #delimiter: Delimiter;
  readonly #plain: RegExp;
  /** Text from the beginning of the row that is not complete yet. */
  #text = '';
  /** Where in the text the next row begins, and on which line. */
  #start = 0;
  #line = 1;
  #at = 0;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
    this.#plain = new RegExp(`[^${delimiter === '\t' ? '\\t' : delimiter}\\r\\n]*`, 'y');
  }

  /**
   * Adds text; yields the rows that it completes.
   *
   * @throws CsvError when the text is not CSV
   */
  *push(text: string): Generator<CsvRow> {
    this.#text = this.#text.slice(this.#start) + text;
    this.#start = 0;
    yield* this.#rows(false);
    if (this.#text.length - this.#start > LONGEST_ROW) this.#refuseOpenQuote();
  }

  /** Yields the last row. @throws CsvError when it is not complete */
  *finish(): Generator<CsvRow> {
    yield* this.#rows(true);
  }

  *#rows(isLast: boolean): Generator<CsvRow> {
    while (this.#start < this.#text.length) {
      const cells = this.#row(isLast);
      if (!cells) return;
      const row = { line: this.#line, cells };
      this.#line += countLines(this.#text, this.#start, this.#at);
      this.#start = this.#at;
      if (cells.some((cell) => cell !== '')) yield row;
    }
  }

  /** The row at the start; undefined when the rest of it is still to come. */
  #row(isLast: boolean): string[] | undefined {
    const text = this.#text;
    const cells: string[] = [];
    this.#at = this.#start;
    for (;;) {
      const cell = text.charCodeAt(this.#at) === QUOTE ? this.#quoted(isLast) : this.#unquoted();
      if (cell === undefined) return undefined;
      const end = this.#at;
      // A CR at the end of what is there may be half of a CRLF.
      if (!isLast && end >= text.length - 1) return undefined;
      cells.push(cell);
      if (end >= text.length) return cells;
      const code = text.charCodeAt(end);
      if (code !== RETURN && code !== LINE_FEED) {
        this.#at = end + 1;
        continue;
      }
      this.#at = end + (code === RETURN && text.charCodeAt(end + 1) === LINE_FEED ? 2 : 1);
      return cells;
    }
  }

  #unquoted(): string {
    this.#plain.lastIndex = this.#at;
    const [cell = ''] = this.#plain.exec(this.#text) ?? [];
    this.#at += cell.length;
    return cell;
  }

  #quoted(isLast: boolean): string | undefined {
    const text = this.#text;
    const open = this.#at + 1;
    let isDoubled = false;
    let close = text.indexOf('"', open);
    while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) {
      isDoubled = true;
      close = text.indexOf('"', close + 2);
    }
    if (close === -1) {
      if (isLast) this.#refuseOpenQuote();
      return undefined;
    }
    this.#at = close + 1;
    const next = text.charAt(close + 1);
    if (next !== '' && next !== this.#delimiter && next !== '\r' && next !== '\n') {
      const line = this.#line + countLines(text, this.#start, close);
      throw new CsvError(`has text after a closing quote; a quote inside a quoted cell is doubled`, line);
    }
    const cell = text.slice(open, close);
    return isDoubled ? cell.replaceAll('""', '"') : cell;
  }

  #refuseOpenQuote(): never {
    throw new CsvError('begins a row with a quote that is never closed', this.#line);
  }
}

/** How many lines end between two places: line feeds or, where there are none, carriage returns. */
function countLines(text: string, start: number, end: number): number {
  let feeds = 0;
  let returns = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) feeds += 1;
    else if (code === RETURN) returns += 1;
  }
  return feeds > 0 ? feeds : returns;
}
