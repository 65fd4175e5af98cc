import type { Language } from '@archiefkast/types';

/**
 * The text of a multilingual field for a language: the Dutch text for `nl`; for `en` the English text, or the
 * Dutch one where the English is empty or null (contract, "Multilingual fields").
 */
export function inLanguage(language: Language, dutch: string, english: string | null): string {
  return language === 'en' && english ? english : dutch;
}
