import { QueryError, type QueryFault } from './query.ts';

const SPACE = /\s*/y;
const FIELD = /([a-z_]+):/iy;
const NEXT_FIELD = /\s+(?:OR\s+)?-?[A-Za-z_]+:/g;
const OR = /OR(?=\s+\S)/y;
const MINUS = /-(?=[^\s-])/y;
const EQUALS = /\s*=/y;
const QUOTED = /["“”„]([^"“”„]*)["“”„]?/y;
const WORD = /\S+/y;
const WORD_OR_RANGE = /(?:[<>]=?\s*)?\S+(?:\s*\.\.\s*\S*)?/y;
const NUMBERS = /[^\s,]+(?:\s*,\s*[^\s,]+)*/y;

/** How far an unquoted value extends: to the next field, one word or range, or comma-separated numbers. */
export type Extent = 'to the next field' | 'word' | 'numbers';

/** A value as entered. */
export interface TypedValue {
  text: string;
  isQuoted: boolean;
}

/** A scanner of a query. */
export class QueryReader {
  readonly #text: string;
  #at = 0;
  #mark = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The current offset. */
  get at(): number {
    return this.#at;
  }

  /** Skips white space; returns whether the end is reached. */
  atEnd(): boolean {
    this.#take(SPACE);
    return this.#at >= this.#text.length;
  }

  /** Skips `OR`, if more follows it; returns whether there was one. */
  or(): boolean {
    return this.#take(OR) !== null;
  }

  /** Skips a minus sign; returns whether there was one. */
  minus(): boolean {
    return this.#take(MINUS) !== null;
  }

  /** Marks the current offset as the start of what `refuse` corrects. */
  mark(): void {
    this.#mark = this.#at;
  }

  /**
   * Creates the error of what was read since `mark`.
   *
   * @param instead valid texts in its place
   */
  refuse(fault: QueryFault, instead: readonly string[] = []): QueryError {
    const [before, after] = [this.#text.slice(0, this.#mark), this.#text.slice(this.#at)];
    return new QueryError(
      fault,
      instead.map((text) => before + text + after),
    );
  }

  /** Reads the name of a field and its colon; undefined if there is none. */
  field(): string | undefined {
    return this.#take(FIELD)?.[1]?.toLowerCase();
  }

  /** Skips an equals sign; returns whether there was one. */
  equals(): boolean {
    return this.#take(EQUALS) !== null;
  }

  /** Reads a word or a quoted phrase; an unclosed quote extends to the end. */
  wordOrPhrase(): TypedValue {
    const quoted = this.#take(QUOTED);
    if (quoted) return { text: quoted[1] ?? '', isQuoted: true };
    return { text: this.#take(WORD)?.[0] ?? '', isQuoted: false };
  }

  /** Reads the value of a field: quoted, or as far as `extent`. */
  value(extent: Extent): TypedValue {
    const start = this.#at;
    this.#take(SPACE);
    const quoted = this.#take(QUOTED);
    if (quoted) return { text: quoted[1] ?? '', isQuoted: true };
    NEXT_FIELD.lastIndex = start;
    const end = NEXT_FIELD.exec(this.#text)?.index ?? this.#text.length;
    if (extent !== 'to the next field' && this.#at < end) {
      const text = this.#take(extent === 'word' ? WORD_OR_RANGE : NUMBERS)?.[0] ?? '';
      return { text, isQuoted: false };
    }
    this.#at = end;
    return { text: this.#text.slice(start, end), isQuoted: false };
  }

  /** Matches a sticky pattern at the current offset, and skips the match. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}
