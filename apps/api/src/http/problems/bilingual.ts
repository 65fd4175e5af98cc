import type { Language } from '@archiefkast/types';

/** A sentence in both languages. */
export type Bilingual = Readonly<Record<Language, string>>;

/** The same in both languages: names, numbers, lists of them. */
export function inBoth(text: string): Bilingual {
  return { en: text, nl: text };
}

/** The end of a sentence about a name that there is not: its full stop, or the question which was meant. */
export function didYouMean(nearest: string | undefined): Bilingual {
  return nearest === undefined
    ? inBoth('.')
    : { en: `; did you mean "${nearest}"?`, nl: `; bedoelde u "${nearest}"?` };
}
