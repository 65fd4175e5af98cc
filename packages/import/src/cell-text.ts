/** A part of a cell of a row that stands in a text made from it. */
export interface Part {
  /** Index of the column. */
  column: number;
  /** Offsets in the cell. */
  from: number;
  to: number;
  /** Offsets in the text; of a part that was converted, such as a date, the length differs. */
  at: number;
  end: number;
}

/** A text that knows which parts of which cells of a row it was made from. */
export class CellText {
  readonly text: string;
  /** The parts of cells that it has, in their order. */
  readonly parts: readonly Part[];

  constructor(text: string, parts: readonly Part[] = []) {
    this.text = text;
    this.parts = parts;
  }

  /** The text of a cell. @param column its index */
  static ofCell(text: string, column: number): CellText {
    const { length } = text;
    return new CellText(text, [{ column, from: 0, to: length, at: 0, end: length }]);
  }

  /** Several texts as one. */
  static join(texts: readonly CellText[], between: string): CellText {
    let length = 0;
    const parts = texts.flatMap(({ text, parts: own }, index) => {
      const start = index === 0 ? 0 : length + between.length;
      length = start + text.length;
      return own.map((part) => ({ ...part, at: part.at + start, end: part.end + start }));
    });
    return new CellText(texts.map(({ text }) => text).join(between), parts);
  }

  /** What stands between two offsets. Of a part that was converted, only the whole is a part of the cell. */
  slice(start: number, end = this.text.length): CellText {
    const parts = this.parts.flatMap((part) => {
      const [at, until] = [Math.max(start, part.at), Math.min(end, part.end)];
      const place = { at: at - start, end: until - start };
      if (at >= until) return [];
      if (at === part.at && until === part.end) return [{ ...part, ...place }];
      if (part.to - part.from !== part.end - part.at) return [];
      const from = part.from + at - part.at;
      return [{ ...part, ...place, from, to: from + until - at }];
    });
    return new CellText(this.text.slice(start, end), parts);
  }

  /** Without the spaces around it. */
  trim(): CellText {
    const start = this.text.length - this.text.trimStart().length;
    return this.slice(start, Math.max(start, this.text.trimEnd().length));
  }

  /** The texts between separators. */
  split(separator: string): CellText[] {
    let at = 0;
    return this.text.split(separator).map((text) => {
      const start = at;
      at += text.length + separator.length;
      return this.slice(start, start + text.length);
    });
  }

  /** Another text for the same parts of cells, such as a date for how it was written; nothing of them if it is empty. */
  as(text: string): CellText {
    if (text === this.text) return this;
    const { length: end } = text;
    return new CellText(text, end === 0 ? [] : this.parts.map((part) => ({ ...part, at: 0, end })));
  }

  /** Another text, made of some of its words. */
  wordsAs(text: string): CellText {
    const words = new Set(wordsOf(text).map(([word]) => word));
    const kept = wordsOf(this.text).filter(([word]) => words.has(word));
    return new CellText(
      text,
      kept.flatMap(([word, at]) => this.slice(at, at + word.length).as(text).parts),
    );
  }
}

/** The words of a name, each with its offset. */
function wordsOf(text: string): [word: string, at: number][] {
  return [...text.replaceAll('\u2019', "'").matchAll(/d'(?=\p{Lu})|[^\s,()]+/gu)].map(
    ({ 0: word, index }) => [word, index],
  );
}
