const SPACE = /\s*/y;
const FIELD = /([a-z_]+):/iy;
const NEXT_FIELD = /\s-?[a-z_]+:/gi;
const MINUS = /-(?=[^\s-])/y;
const EQUALS = /\s*=/y;
const QUOTED = /["“”„]([^"“”„]*)["“”„]?/y;
const WORD = /\S+/y;
const WORD_OR_RANGE = /\S+(?:\s*\.\.\s*\S*)?/y;
const NUMBERS = /[^\s,]+(?:\s*,\s*[^\s,]+)*/y;

/** How far a value goes that is not quoted: to the next field; or one word or range; or numbers with commas between. */
export type Extent = 'to the next field' | 'word' | 'numbers';

/** A value as it was typed. */
export interface TypedValue {
  text: string;
  isQuoted: boolean;
}

/** Walks over a query. */
export class QueryReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether nothing but space is left; skips the space. */
  atEnd(): boolean {
    this.#take(SPACE);
    return this.#at >= this.#text.length;
  }

  /** Passes over the sign that excludes what follows, if there is one. */
  minus(): boolean {
    return this.#take(MINUS) !== null;
  }

  /** The name of a field and its colon, which are passed over; undefined where there is none. */
  field(): string | undefined {
    return this.#take(FIELD)?.[1]?.toLowerCase();
  }

  /** Passes over the sign that asks for the whole value, if there is one. */
  equals(): boolean {
    return this.#take(EQUALS) !== null;
  }

  /** A word, or a phrase in quotes; a quote that is not closed runs to the end. */
  wordOrPhrase(): string {
    return this.#take(QUOTED)?.[1] ?? this.#take(WORD)?.[0] ?? '';
  }

  /** A field's value: quoted, or as far as `extent` says. */
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

  /** What a sticky pattern matches here, which is passed over. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}
