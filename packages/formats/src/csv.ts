import { type Decode, decoder, decoderOf } from './csv-encodings.ts';
import { CsvError } from './csv-error.ts';

export { isEncoding } from './csv-encodings.ts';
export { CsvError } from './csv-error.ts';

export interface CsvRow {
  /** The line on which the row starts, from 1. */
  line: number;
  cells: string[];
}

/** The separators of cells. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

type Delimiter = (typeof DELIMITERS)[number];

/** The marks around cells that have separators; `none` if a quote is a character as any other. */
export const QUOTE_MARKS = ['"', "'", 'none'] as const;

type QuoteMark = (typeof QUOTE_MARKS)[number];

/** The form of a CSV file, where it is not to be recognised. */
export interface CsvForm {
  /** A label for which `isEncoding` is true, such as windows-1252. */
  encoding?: string | undefined;
  delimiter?: Delimiter | undefined;
  quote?: QuoteMark | undefined;
}

/** Maximum length of a row, in UTF-16 code units: longer ones usually have an unclosed quote. */
const LONGEST_ROW = 1 << 24;

/** The character that ends a file of DOS. */
const DOS_END = '\u001a';

const RETURN = 13;
const LINE_FEED = 10;

/**
 * A streaming parser of CSV (RFC 4180). Rows end in CRLF, LF or CR; a quote inside an unquoted cell is literal, and spaces
 * around a quoted one are not of it; empty rows are skipped.
 */
class CsvParser {
  readonly #delimiter: Delimiter;
  readonly #quote: QuoteMark;
  /** Whether the quote is given, so that what it encloses is not doubted. */
  readonly #isCertain: boolean;
  /** The number of cells of the longest row so far. */
  #width = 0;
  /** A quoted cell, whose text is captured, or else all up to the next separator. */
  readonly #cell: RegExp;
  /** Text from the start of the incomplete row. */
  #text = '';
  /** Offset of the next row in the text, and its line. */
  #start = 0;
  #line = 1;
  /** Length of the incomplete row when it was last parsed: a long one is parsed again only when it has doubled. */
  #parsed = 0;
  /** The line ends in the incomplete row. */
  #ends: Ends = { feeds: 0, returns: 0 };
  /** Whether the incomplete row has an unclosed quote so far. */
  #isOpen = false;

  constructor(delimiter: Delimiter, quote: QuoteMark, isCertain: boolean) {
    this.#delimiter = delimiter;
    this.#quote = quote;
    this.#isCertain = isCertain;
    const plain = `[^${delimiter}\\r\\n]*`;
    const quoted = ' *"([^"]*(?:""[^"]*)*)"(?!") *'.replaceAll('"', quote);
    this.#cell = new RegExp(quote === 'none' ? plain : `${quoted}|${plain}`, 'y');
  }

  /**
   * Adds text, and yields the rows that it completes.
   *
   * @throws CsvError if the text is not valid CSV
   */
  *push(text: string): Generator<CsvRow> {
    this.#text = this.#text.slice(this.#start) + text;
    this.#start = 0;
    const { length } = this.#text;
    const isSooner = length < 2 * this.#parsed && length <= LONGEST_ROW;
    if (!isSooner) yield* this.#rows(false);
    // Of a row that takes many chunks, each is counted once.
    if (this.#start > 0) this.#ends = countEnds(this.#text, this.#start, length);
    else this.#ends = addEnds(this.#ends, countEnds(text, 0, text.length));
    if (isSooner) return;
    this.#parsed = length - this.#start;
    if (this.#parsed <= LONGEST_ROW) return;
    if (this.#isOpen) this.#refuseOpenQuote();
    throw new CsvError(
      `starts a row of more than ${LONGEST_ROW.toLocaleString('en')} characters`,
      this.#line,
    );
  }

  /** Yields the last row. @throws CsvError if it is incomplete */
  *finish(): Generator<CsvRow> {
    if (this.#text.endsWith(DOS_END)) this.#text = this.#text.slice(0, -1);
    yield* this.#rows(true);
  }

  /** The line after all of the text so far. */
  get lastLine(): number {
    return this.#line + linesOf(this.#ends);
  }

  *#rows(isLast: boolean): Generator<CsvRow> {
    while (this.#start < this.#text.length) {
      const line = this.#line;
      const cells = this.#row(isLast);
      if (!cells) return;
      this.#width = Math.max(this.#width, cells.length);
      const nul = cells.findIndex((cell) => cell.includes('\0'));
      if (nul >= 0) {
        const reason = `has a NUL character (U+0000) in cell ${nul + 1}; expected the text that it stands for, or none`;
        throw new CsvError(reason, line);
      }
      if (cells.some((cell) => cell !== '')) yield { line, cells };
    }
  }

  /** Parses the next row; undefined if it is incomplete. */
  #row(isLast: boolean): string[] | undefined {
    const text = this.#text;
    const cells: string[] = [];
    let at = this.#start;
    for (;;) {
      this.#cell.lastIndex = at;
      const [all = '', quoted] = this.#cell.exec(text) ?? [];
      const end = at + all.length;
      const isOpen = quoted === undefined && all.trimStart().startsWith(this.#quote);
      if (isOpen && isLast) this.#refuseOpenQuote();
      // A CR at the end of the text may be the first half of a CRLF, and a quote that of two.
      this.#isOpen = isOpen;
      if (isOpen || (!isLast && end >= text.length - 1)) return undefined;
      const next = text.charAt(end);
      if (quoted !== undefined && !['', this.#delimiter, '\r', '\n'].includes(next)) {
        const reason = 'has text after a closing quote; a quote inside a quoted cell must be doubled';
        throw new CsvError(reason, this.#line + countLines(text, this.#start, end));
      }
      if (quoted !== undefined && !this.#isCertain && this.#hasRows(quoted, cells.length)) {
        const count = countLines(quoted, 0, quoted.length);
        const reason = `has the next ${count === 1 ? 'row' : `${count} rows`} within a text in quotes: a quote is missing, or is a character of the text (quote: none in a map)`;
        throw new CsvError(reason, this.#line + countLines(text, this.#start, at));
      }
      cells.push(quoted?.replaceAll(this.#quote.repeat(2), this.#quote) ?? all);
      at = end + (next === '\r' && text.charCodeAt(end + 1) === LINE_FEED ? 2 : 1);
      if (next === this.#delimiter) continue;
      this.#line += countLines(text, this.#start, Math.min(at, text.length));
      this.#start = at;
      return cells;
    }
  }

  /** Whether a quoted cell has the rest of its row, whole rows, and the first cells of another, by their separators. */
  #hasRows(quoted: string, index: number): boolean {
    if (this.#width < 3 || !/[\r\n]/.test(quoted)) return false;
    // In prose, a space follows.
    const separator = new RegExp(`[${this.#delimiter}](?! )`);
    const [first, ...lines] = quoted.split(/\r\n|\n|\r/).map((line) => line.split(separator).length - 1);
    const rest = this.#width - 1 - index;
    return first === rest && lines.pop() === index && lines.every((count) => count === this.#width - 1);
  }

  #refuseOpenQuote(): never {
    throw new CsvError('starts a row with an unclosed quote', this.#line);
  }
}

interface Ends {
  feeds: number;
  returns: number;
}

/** Counts line feeds and carriage returns between two offsets. */
function countEnds(text: string, start: number, end: number): Ends {
  let feeds = 0;
  let returns = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) feeds += 1;
    else if (code === RETURN) returns += 1;
  }
  return { feeds, returns };
}

function addEnds(some: Ends, others: Ends): Ends {
  return { feeds: some.feeds + others.feeds, returns: some.returns + others.returns };
}

/** The number of line ends: line feeds or, without any, carriage returns. */
function linesOf({ feeds, returns }: Ends): number {
  return feeds > 0 ? feeds : returns;
}

/** Counts the line ends between two offsets. */
function countLines(text: string, start: number, end: number): number {
  return linesOf(countEnds(text, start, end));
}

/** Bytes read to detect encoding and delimiter: more than any header. */
const HEAD = 64 * 1024;

/**
 * Reads the rows of a CSV file as spreadsheets write it: with comma, semicolon or tab; in UTF-8 with or without a byte
 * order mark, or UTF-16 with one. Between tabs, a quote is a character, unless cells are plainly in quotes. Only a few rows are
 * in memory at a time.
 *
 * @param form what is known of its form
 * @throws CsvError if the encoding is not supported, or the text is not valid CSV
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, delimiter, quote }: CsvForm = {},
): AsyncGenerator<CsvRow> {
  let head = Buffer.alloc(0);
  let parser: CsvParser | undefined;
  let decode: Decode | undefined;
  const begin = function* (bytes: Buffer): Generator<CsvRow> {
    decode = encoding === undefined ? decoderOf(bytes) : decoder(encoding, encoding);
    const text = decode(bytes, 1);
    const between = delimiter ?? delimiterOf(text);
    const usual = between === '\t' && !isPlainlyQuoted(text) ? 'none' : '"';
    parser = new CsvParser(between, quote ?? usual, quote !== undefined);
    yield* parser.push(text);
  };
  for await (const chunk of chunks) {
    if (parser && decode) {
      yield* parser.push(decode(chunk, parser.lastLine));
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD) yield* begin(head);
  }
  if (!parser) yield* begin(head);
  if (decode && parser) yield* parser.push(decode());
  if (parser) yield* parser.finish();
}

/** The marks that close a text in quotes of another shape than CSV has, by the one that opens it. */
const QUOTES: Readonly<Record<string, string>> = {
  '\u201c': '\u201d\u201c',
  '\u201d': '\u201d',
  '\u201e': '\u201d\u201c',
  '\u00ab': '\u00bb',
  '\u2018': '\u2019',
  "'": "'",
};

/**
 * Finds two cells of a row that begin and end a text in quotes of another shape (“De sluis, oost”), which CSV splits.
 *
 * @returns their indexes
 */
export function splitInQuotes(cells: readonly string[]): [first: number, last: number] | undefined {
  for (const [first, cell] of cells.entries()) {
    const closing = QUOTES[cell.trimStart().charAt(0)];
    // A Dutch word may begin with an apostrophe: 's-Gravenhage, 't Hooft.
    if (closing === undefined || /^\s*'(?:[smtkn]|em|ns)\b/i.test(cell)) continue;
    const ends = (text: string) => text.search(new RegExp(`[${closing}]`)) === text.length - 1;
    const closes = (text: string) => text.length > 1 && ends(text.trimEnd());
    if (new RegExp(`[${closing}]`).test(cell.trimStart().slice(1))) continue;
    const last = cells.findIndex((other, index) => index > first && closes(other));
    if (last > 0) return [first, last];
  }
  return undefined;
}

/** Lines by which the delimiter is recognised: below titles. */
const LINES = 20;

/** The delimiter that the most lines have equally often, outside of quotes; of those that as many have, the most frequent. */
function delimiterOf(text: string): Delimiter {
  const lines = text.replaceAll(/"[^"]*"/g, '').split(/\r\n|\n|\r/, LINES);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0);
    const same = counts.map((count) => counts.filter((other) => other === count).length);
    return { delimiter, lines: Math.max(0, ...same), count: counts[same.indexOf(Math.max(...same))] ?? 0 };
  });
  return scores.reduce((best, one) =>
    one.lines > best.lines || (one.lines === best.lines && one.count > best.count) ? one : best,
  ).delimiter;
}

/**
 * Whether cells between tabs are in quotes: all of the header are, or all that begin with a quote end with one and have
 * something that needs quotes. A cell with both a tab and a line end is none, but two quotes of different cells.
 */
function isPlainlyQuoted(text: string): boolean {
  const opened = text.match(/(?<=^|[\t\r\n]) *"/g) ?? [];
  const cells = [...text.matchAll(/(?<=^|[\t\r\n]) *"([^"]*(?:""[^"]*)*)" *(?=[\t\r\n]|$)/g)].map(
    ([, cell = '']) => cell,
  );
  const isCut = text.length >= HEAD && opened.length === cells.length + 1;
  if (cells.length === 0 || (opened.length > cells.length && !isCut)) return false;
  if (cells.some((cell) => /\t/.test(cell) && /[\r\n]/.test(cell))) return false;
  const [header = ''] = text.split(/[\r\n]/, 1);
  return (
    header.split('\t').every((cell) => /^\s*".*"\s*$/.test(cell)) ||
    cells.every((cell) => /["\t\r\n,;]/.test(cell))
  );
}
