import type { Language } from '@archiefkast/types';

/** The words around every page. */
export const LAYOUT_TEXTS = {
  en: {
    archive: 'Archive',
    skip: 'Skip to the content',
    search: 'Search',
    documentation: 'For developers',
    otherLanguage: 'Nederlands',
    site: 'Site',
    problems: 'Problems',
  },
  nl: {
    archive: 'Archief',
    skip: 'Naar de inhoud',
    search: 'Zoeken',
    documentation: 'Voor ontwikkelaars',
    otherLanguage: 'English',
    site: 'Site',
    problems: 'Problemen',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** The other language of the site. */
export const OTHER_LANGUAGE = { en: 'nl', nl: 'en' } as const satisfies Record<Language, Language>;
