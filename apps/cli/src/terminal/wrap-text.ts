import stringWidth from 'string-width';

/** The mark of a list's item, and the space before it: what follows is indented by as much. */
const MARK = /^ {0,40}(?:(?:\*|\d{1,9}\.) )?/;

/** Breaks the lines of a text that are longer than a width, between words; a word that is longer stays whole. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const mark = MARK.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(mark.length);
  let wrapped = mark;
  let used = mark.length;
  let isFirst = true;
  for (const word of line.slice(mark.length).split(' ')) {
    const needed = stringWidth(word);
    if (!isFirst && used + 1 + needed > width) {
      wrapped += `\n${indent}${word}`;
      used = indent.length + needed;
    } else {
      wrapped += isFirst ? word : ` ${word}`;
      used += needed + (isFirst ? 0 : 1);
    }
    isFirst = false;
  }
  return wrapped;
}
