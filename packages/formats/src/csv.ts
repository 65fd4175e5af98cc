/** A CSV file cannot be read. */
export class CsvError extends Error {
  override name = 'CsvError';
  /** Line in the file, from 1; absent for a fault of the whole file. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Formats a line of CSV (RFC 4180): cells are quoted if necessary, and the line ends in CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A row of a CSV file. */
export interface CsvRow {
  /** The line on which the row starts, from 1. */
  line: number;
  cells: string[];
}

/** The separators of cells. */
type Delimiter = (typeof DELIMITERS)[number] | '|';

/** The form of a CSV file, where it is not to be recognised. */
export interface CsvForm {
  /** Such as windows-1252. */
  encoding?: string | undefined;
  delimiter?: Delimiter | undefined;
}

/** Maximum length of a row; a longer one has an unclosed quote. */
const LONGEST_ROW = 1 << 24;

const RETURN = 13;
const LINE_FEED = 10;
const QUOTE = 34;

/**
 * A streaming parser of CSV (RFC 4180). Rows end in CRLF, LF or CR; a quote inside an unquoted cell is literal; empty rows
 * are skipped.
 */
class CsvParser {
  readonly #delimiter: Delimiter;
  readonly #plain: RegExp;
  /** Text from the start of the incomplete row. */
  #text = '';
  /** Offset of the next row in the text, and its line. */
  #start = 0;
  #line = 1;
  #at = 0;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
    this.#plain = new RegExp(`[^${delimiter === '\t' ? '\\t' : delimiter}\\r\\n]*`, 'y');
  }

  /**
   * Adds text, and yields the rows that it completes.
   *
   * @throws CsvError if the text is not valid CSV
   */
  *push(text: string): Generator<CsvRow> {
    this.#text = this.#text.slice(this.#start) + text;
    this.#start = 0;
    yield* this.#rows(false);
    if (this.#text.length - this.#start > LONGEST_ROW) this.#refuseOpenQuote();
  }

  /** Yields the last row. @throws CsvError if it is incomplete */
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

  /** Parses the next row; undefined if it is incomplete. */
  #row(isLast: boolean): string[] | undefined {
    const text = this.#text;
    const cells: string[] = [];
    this.#at = this.#start;
    for (;;) {
      const cell = text.charCodeAt(this.#at) === QUOTE ? this.#quoted(isLast) : this.#unquoted();
      if (cell === undefined) return undefined;
      const end = this.#at;
      // A CR at the end of the text may be the first half of a CRLF.
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
      throw new CsvError(
        `has text after a closing quote; a quote inside a quoted cell must be doubled`,
        line,
      );
    }
    const cell = text.slice(open, close);
    return isDoubled ? cell.replaceAll('""', '"') : cell;
  }

  #refuseOpenQuote(): never {
    throw new CsvError('starts a row with an unclosed quote', this.#line);
  }
}

/** Counts the line ends between two offsets: line feeds or, without any, carriage returns. */
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

/** The delimiters that are recognised. */
const DELIMITERS = [',', ';', '\t'] as const;

/** Bytes read to detect encoding and delimiter: more than any header. */
const HEAD = 64 * 1024;

/**
 * Reads the rows of a CSV file as spreadsheets write it: with comma, semicolon or tab; in UTF-8 with or without a byte
 * order mark, or UTF-16 with one. Only a few rows are in memory at a time.
 *
 * @param form what is known of its form
 * @throws CsvError if the encoding is not supported, or the text is not valid CSV
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: CsvForm = {},
): AsyncGenerator<CsvRow> {
  let head = Buffer.alloc(0);
  let parser: CsvParser | undefined;
  let decode: Decode | undefined;
  const begin = function* (bytes: Buffer): Generator<CsvRow> {
    decode = encoding === undefined ? decoderOf(bytes) : decoder(encoding, encoding.toUpperCase());
    const text = decode(bytes);
    parser = new CsvParser(delimiter ?? delimiterOf(text));
    yield* parser.push(text);
  };
  for await (const chunk of chunks) {
    if (parser && decode) {
      yield* parser.push(decode(chunk));
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD) yield* begin(head);
  }
  if (!parser) yield* begin(head);
  if (decode && parser) yield* parser.push(decode());
  if (parser) yield* parser.finish();
}

/** Decodes a chunk; without an argument, flushes the decoder. */
type Decode = (bytes?: Uint8Array) => string;

function decoderOf(head: Buffer): Decode {
  const [first = 1, second = 1] = head;
  if (first === 0xff && second === 0xfe) return decoder('utf-16le', 'UTF-16');
  if (first === 0xfe && second === 0xff) return decoder('utf-16be', 'UTF-16');
  if (head.length > 1 && (first === 0 || second === 0)) {
    throw new CsvError('looks like UTF-16 without a byte order mark; save it as "CSV UTF-8"');
  }
  return decoder('utf-8', 'UTF-8');
}

function decoder(encoding: string, name: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new CsvError(
        name === 'UTF-8'
          ? 'is not UTF-8 text; it looks like Windows-1252 (Latin-1), which Excel writes as "CSV": save it as "CSV UTF-8"'
          : `starts as ${name}, but is not valid ${name}; save it as "CSV UTF-8"`,
      );
    }
  };
}

/** The most frequent delimiter in the first line, outside of quotes. */
function delimiterOf(text: string): (typeof DELIMITERS)[number] {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((most, each) => (count(each) > count(most) ? each : most));
}
