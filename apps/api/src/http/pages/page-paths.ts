import { LANGUAGES, PAGE_SEGMENTS } from '@archiefkast/types';

/** The paths below the base URL of documents: they are there whatever the archive holds. */
export const DOCUMENT_PATHS: readonly string[] = [
  ...LANGUAGES.map((language) => `${language}/docs`),
  'docs',
  'openapi.json',
];

/** These, and the paths of the pages that lead to records. */
export const PAGE_PATHS: readonly string[] = [
  ...LANGUAGES.flatMap((language) =>
    ['', 'zoeken/', ...Object.values(PAGE_SEGMENTS).map((segment) => `${segment}/`)].map(
      (path) => `${language}/${path}`,
    ),
  ),
  ...DOCUMENT_PATHS,
];
