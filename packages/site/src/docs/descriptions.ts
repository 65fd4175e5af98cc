import type { Language } from '@archiefkast/types';
import { DUTCH_SENTENCES } from './dutch/dutch-sentences.ts';

/** A text in the language of a page, or in English where it has no Dutch. */
export interface Said {
  text: string;
  language: Language;
}

/** A description of the API, which its tables and schemas hold in English, for a page in `language`. */
export function say(language: Language, english: string): Said {
  if (language === 'en') return { text: english, language };
  const sentences = english.split(/(?<=\.)\s+/);
  const dutch = sentences.map((sentence) => DUTCH_SENTENCES[sentence]);
  return dutch.every((sentence) => sentence !== undefined)
    ? { text: dutch.join(' '), language }
    : { text: english, language: 'en' };
}
