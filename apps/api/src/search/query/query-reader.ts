import { isVerbatim, SEARCH_FIELDS } from '../fields/search-fields.ts';
import { FOREIGN_OPERATORS, isInCapitals } from './foreign-syntax.ts';
import { type Change, type QueryFault, TermFault } from './query.ts';

/** The characters that quote a phrase; two apostrophes do too. */
export const QUOTES = '"“”„‟«»‹›＂';
/** Each of them. */
export const QUOTE = new RegExp(`[${QUOTES}]`, 'g');
/** The dashes that a word processor writes for a minus sign. */
const MINUS = '-‐‑‒–—―−﹣－';

const SPACE = /\s*/y;
const OPERATOR = /(AND|OR|NOT|&&|\|\|?)(?=\s|$)/y;
/** Signs before a word, a phrase or a field. */
const SIGNS = new RegExp(`[${MINUS}+!]+(?=[\\p{L}\\p{N}_${QUOTES}'‘([{*])`, 'uy');
/** Operators of other languages and engines, which are not those of this one. */
const FOREIGN_OPERATOR =
  /(EN|OF|NIET|UND|ODER|NICHT|ET|OU|SAUF|XOR|NEAR(?:\/\d+)?|ADJ\d*|[NW]\/\d+)(?=\s|$)/y;
const NAME = '[\\p{L}_][\\p{L}\\p{N}_-]*';
const FIELD = new RegExp(`(${NAME})\\s*:`, 'uy');
const RELATION = new RegExp(`(${NAME})(\\s*)(={1,2}|~|<>|!=|[<>]=?|[≠≤≥：])\\s*`, 'uy');
const KNOWN = SEARCH_FIELDS.map(({ name }) => name).join('|');
/** Of more operators, which no query has, the first belong to the value: so that each is read only once. */
const BEFORE_FIELD = `(?<!\\s)\\s+(?:(?:AND|OR|NOT|&&|\\|\\|?)\\s+){0,3}[${MINUS}+!]?`;
/** Where an unquoted value ends: in a verbatim field, only before the name of a field and its colon. */
const NEXT_FIELD = new RegExp(`${BEFORE_FIELD}[A-Za-z_]+:`, 'g');
const NEXT_CLAUSE = new RegExp(
  `${BEFORE_FIELD}(?:[A-Za-z_][A-Za-z_-]*[:=]|(?:${KNOWN})\\s*[:=<>≠≤≥：]|[${QUOTES}])`,
  'gi',
);
const SINGLE_QUOTED = /['‘‚`´]([^'‘’‚`´"]+)['’`´](?=\s|$)/y;
const EQUALS = /\s*=/y;
const QUOTED = new RegExp(`[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?|(?:''|\`\`)(.*?)(?:''|$)`, 'y');
/** The quotes of a verbatim field. */
const PLAIN_QUOTED = /["“”„]([^"“”„]*)["“”„]?/y;
const WORD = /\S+/y;
const WORD_OR_RANGE = /\([^)]*\)?|(?:[<>]=?\s*)?\S+(?:\s*\.\.\s*\S*)?/y;
/** Dates and ranges, also as other engines and people write them: the parser refuses these with a correction. */
const DATES =
  /[[{(][^\])}]*[\])}]?|(?:between|tussen)\s+\S+\s+(?:and|en)\s+\S+|(?:(?:[<>]=?|[≤≥]|before|after|voor|na|vanaf|sinds|since|from|until|tot|circa|ca\.?)\s*)?(?:(?:\d{1,2}\s+)?[A-Za-z]{3,9}\s+\d{4}(?!\S)|\S+(?:\s+(?:eeuw|century)(?!\S))?)(?:\s*\.\.\s*\S*|\s+(?:TO|to|tot|t\/m|until|[-–—])\s+[\d*]\S*|\s+(?:AND\s+)?[<>]=?\s*\d\S*)?/y;
const NUMBERS = /\([^)]*\)?|[^\s,]+(?:\s*,\s*[^\s,]+)*/y;

/** How far an unquoted value extends: to the next field, one word or range, dates, or comma-separated numbers. */
export type Extent = 'to the next field' | 'word' | 'dates' | 'numbers';

const EXTENT_PATTERNS = { word: WORD_OR_RANGE, dates: DATES, numbers: NUMBERS };

export interface TypedValue {
  text: string;
  isQuoted: boolean;
}

/** A scanner of a query. */
export class QueryReader {
  readonly #text: string;
  readonly #isInCapitals: boolean;
  #at = 0;
  #begin = 0;
  #mark = 0;

  constructor(text: string) {
    this.#text = text;
    this.#isInCapitals = isInCapitals(text);
  }

  get at(): number {
    return this.#at;
  }

  /** Skips white space; returns whether the end is reached. */
  atEnd(): boolean {
    this.#take(SPACE);
    return this.#at >= this.#text.length;
  }

  /** Reads the operators before a term: `AND`, `OR`, `NOT`, and signs, of which `-` is `NOT`. */
  operators(): string[] {
    const found: string[] = [];
    for (let operator = this.#take(OPERATOR)?.[1]; operator; operator = this.#take(OPERATOR)?.[1]) {
      found.push(FOREIGN_OPERATORS[operator] ?? operator);
      this.#take(SPACE);
    }
    const signs = this.#take(SIGNS)?.[0] ?? '';
    return [...found, ...Array.from(signs, (sign) => (sign === '+' ? '+' : 'NOT'))];
  }

  /** Reads an operator of another language or engine, unless all of the query is in capitals. */
  foreignOperator(): string | undefined {
    return this.#isInCapitals ? undefined : this.#take(FOREIGN_OPERATOR)?.[1];
  }

  /** Begins a term, with the operators before it. */
  begin(): void {
    this.#begin = this.#at;
    this.#mark = this.#at;
  }

  /** Marks an offset, by default the current one, as the start of what `refuse` corrects. */
  mark(at = this.#at): void {
    this.#mark = at;
  }

  /** A text in the place of what was read since `mark`; an empty one also replaces the operators before it. */
  changeTo(text: string): Change {
    return { start: text === '' ? Math.min(this.#begin, this.#mark) : this.#mark, end: this.#at, text };
  }

  /**
   * Creates the fault of what was read since `mark`.
   *
   * @param instead texts in its place
   */
  refuse(fault: QueryFault, instead: readonly string[]): TermFault {
    return new TermFault(
      fault,
      instead.map((text) => this.changeTo(text)),
    );
  }

  /** Reads the name of a field and its colon; undefined if there is none. */
  field(): string | undefined {
    return this.#take(FIELD)?.[1];
  }

  /** Reads a name and an operator of comparison; undefined if there is none. */
  relation(): { name: string; isSpaced: boolean; operator: string; operatorAt: number } | undefined {
    const start = this.#at;
    const [, name = '', space = '', operator = ''] = this.#take(RELATION) ?? [];
    const operatorAt = start + name.length + space.length;
    return name === '' ? undefined : { name, isSpaced: space !== '', operator, operatorAt };
  }

  goTo(at: number): void {
    this.#at = at;
  }

  /** Skips an equals sign; returns whether there was one. */
  equals(): boolean {
    return this.#take(EQUALS) !== null;
  }

  /** Reads a word or a quoted phrase; an unclosed quote extends to the end. */
  wordOrPhrase(): TypedValue {
    return this.#quoted(QUOTED) ?? { text: this.#take(WORD)?.[0] ?? '', isQuoted: false };
  }

  /** Reads a text in single quotes, which are also apostrophes; undefined if there is none. */
  singleQuoted(): string | undefined {
    return this.#take(SINGLE_QUOTED)?.[1];
  }

  /** Reads the text up to the next quote, field or end. */
  words(): string {
    const end = this.#endOf(NEXT_CLAUSE, this.#at);
    const text = this.#text.slice(this.#at, end).split(QUOTE, 1)[0]?.trimEnd() ?? '';
    this.#at += text.length;
    return text;
  }

  /** Reads the value of a field: quoted, or as far as `extent`. */
  value(field: string, extent: Extent): TypedValue {
    const start = this.#at;
    this.#take(SPACE);
    const quoted = this.#quoted(isVerbatim(field) ? PLAIN_QUOTED : QUOTED);
    if (quoted) return quoted;
    const end = this.#endOf(isVerbatim(field) ? NEXT_FIELD : NEXT_CLAUSE, start);
    if (extent !== 'to the next field' && this.#at < end)
      return { text: this.#take(EXTENT_PATTERNS[extent])?.[0] ?? '', isQuoted: false };
    this.#at = end;
    return { text: this.#text.slice(start, end), isQuoted: false };
  }

  #quoted(pattern: RegExp): TypedValue | undefined {
    const quoted = this.#take(pattern);
    return quoted ? { text: quoted[1] ?? quoted[2] ?? '', isQuoted: true } : undefined;
  }

  #endOf(pattern: RegExp, start: number): number {
    pattern.lastIndex = start;
    return pattern.exec(this.#text)?.index ?? this.#text.length;
  }

  /** Matches a sticky pattern at the current offset, and skips the match. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}
