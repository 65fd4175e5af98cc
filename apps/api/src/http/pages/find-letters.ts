import { nameOf, type PageRecord } from '@archiefkast/site';
import type { Language } from '@archiefkast/types';
import { fold } from '../../search/fold.ts';
import type { Query } from '../../search/index.ts';
import type { PageReader } from './page-reader.ts';

/** A letter with which names begin, and the page that its first name is on. */
export interface LetterPage {
  letter: string;
  page: number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** On which page of a list in order of name the names with each letter begin: found by halves, without reading all. */
export async function findLetters(
  reader: PageReader,
  query: Query,
  count: number,
  size: number,
  language: Language,
): Promise<LetterPage[]> {
  const names = new Map<number, Promise<string>>();
  const nameAt = (index: number) => {
    const name =
      names.get(index) ??
      reader.find(query, reader.byName, 1, index).then(({ records: [record] }) => sortName(record, language));
    names.set(index, name);
    return name;
  };
  const starts: { letter: string; start: number }[] = [];
  for (const letter of LETTERS) {
    let low = starts.at(-1)?.start ?? 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((await nameAt(middle)) < letter) low = middle + 1;
      else high = middle;
    }
    if (low < count && (await nameAt(low)).startsWith(letter)) starts.push({ letter, start: low });
  }
  return starts.map(({ letter, start }) => ({
    letter: letter.toUpperCase(),
    page: Math.floor(start / size) + 1,
  }));
}

/** What a name is sorted by; records without one come last. */
function sortName(record: PageRecord | undefined, language: Language): string {
  if (!record) return '';
  return fold(record.last_name || nameOf(record, language).text).trim();
}
