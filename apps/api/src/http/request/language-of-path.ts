import { isLanguage, type Language } from '@archiefkast/types';

/** The language of a path: its first segment, or English where that is none. */
export function languageOfPath(path: string): Language {
  const [, segment = ''] = path.split('/', 2);
  return isLanguage(segment) ? segment : 'en';
}
