import { styleText } from 'node:util';

/** Marks what was searched for in a text. */
export type Marker = (text: string) => string;

/** Makes a marker of some words, whatever their case and accents. */
export function createMarker(words: readonly string[]): Marker {
  const terms = words.map((word) => fold(word).text).filter((word) => word !== '');
  return (text) => {
    const { text: folded, places } = fold(text);
    const isMarked = new Array<boolean>(text.length).fill(false);
    for (const term of terms) {
      for (let at = folded.indexOf(term); at !== -1; at = folded.indexOf(term, at + term.length)) {
        isMarked.fill(true, places[at], places[at + term.length]);
      }
    }
    return runs(text, isMarked)
      .map(({ part, marked }) => (marked ? styleText('underline', part, { validateStream: false }) : part))
      .join('');
  };
}

/** The words and values of a query: what stands before a colon is the name of a field. */
export function wordsOfQuery(query: string): string[] {
  return query
    .replaceAll(/\b\w+:/g, '\n')
    .split(/[\n"]+/)
    .flatMap((value, index) => (index === 0 ? value.split(/\s+/) : [value]))
    .map((word) => word.trim());
}

/** A text without case and accents, and where each of its characters came from. */
function fold(text: string): { text: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  const known = new Map<string, string>();
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    let plain = known.get(character);
    if (plain === undefined) {
      plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      known.set(character, plain);
    }
    for (let left = plain.length; left > 0; left -= 1) places.push(at);
    folded += plain;
  }
  places.push(text.length);
  return { text: folded, places };
}

function runs(text: string, isMarked: readonly boolean[]): { part: string; marked: boolean }[] {
  const found: { part: string; marked: boolean }[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && isMarked[at] === isMarked[start]) continue;
    found.push({ part: text.slice(start, at), marked: isMarked[start] ?? false });
    start = at;
  }
  return found;
}
