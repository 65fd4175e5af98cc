import { LANGUAGES, type Language } from '@archiefkast/types';
import Negotiator from 'negotiator';

/** The language of the archive that a reader likes best (RFC 9110, section 12.5.4); English where none is named. */
export function preferredLanguage(acceptLanguage: string): Language {
  const named = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...LANGUAGES]);
  return LANGUAGES.find((language) => language === named) ?? 'en';
}
