import { errorPage, notFoundPage } from '@archiefkast/site';
import {
  isLanguage,
  KINDS,
  kindOfCollection,
  LANGUAGES,
  type Language,
  PAGE_SEGMENTS,
  UUID_PATTERN,
} from '@archiefkast/types';
import type { ParameterizedContext } from 'koa';
import type { EditionsInUse } from '../../../edition/follow-editions.ts';
import { nearestName } from '../../../nearest-name.ts';
import { preferredLanguage } from '../../headers.ts';
import { PROBLEMS, type Problem } from '../../problems.ts';
import { createPageContext, type PageSettings } from './page-context.ts';

/** Renders a problem as HTML; undefined for the API, and for clients that prefer JSON. */
export type ErrorPages = (context: ParameterizedContext, problem: Problem) => string | undefined;

/**
 * Creates error pages in the language of the reader. For an unknown address, the page suggests the nearest known one.
 */
export function createErrorPages(editions: EditionsInUse, settings: PageSettings): ErrorPages {
  const { hasPages } = settings;
  const pages = hasPages ? PAGE_PATHS : DOCUMENT_PATHS;
  return (context, { status, problem }) => {
    const { path } = context;
    if (/^(?:\/[a-z]{2})?\/api(?:\/|$)/.test(path)) return undefined;
    if (context.accepts('json', 'html') !== 'html') return undefined;
    const [, segment = ''] = path.split('/', 2);
    const language = isLanguage(segment) ? segment : preferredLanguage(context.get('Accept-Language'));
    const page = createPageContext(settings, language, path.slice(1), editions.current()?.edition);
    return status === 404
      ? notFoundPage(page, findNearestPage(path, language, pages, hasPages))
      : errorPage(page, {
          status,
          title: PROBLEMS[problem].title[language],
          detail: PROBLEMS[problem].help[language],
          canPass: status >= 500,
        });
  };
}

/** The paths of the documentation, which exist for every archive. */
const DOCUMENT_PATHS: readonly string[] = [
  ...LANGUAGES.map((language) => `${language}/docs`),
  'docs',
  'openapi.json',
];

/** The paths of the documentation, the front pages, search and lists. */
const PAGE_PATHS: readonly string[] = [
  ...LANGUAGES.flatMap((language) =>
    ['', 'zoeken/', ...Object.values(PAGE_SEGMENTS).map((segment) => `${segment}/`)].map(
      (path) => `${language}/${path}`,
    ),
  ),
  ...DOCUMENT_PATHS,
];

const RECORD = new RegExp(`^/(?:([a-z]{2})/)?(?:api/)?([a-z]+)/(${UUID_PATTERN})/?$`, 'i');

/**
 * The path of the page nearest to an unknown address: that of a record, or one of `pages`. Undefined if none is near.
 */
function findNearestPage(
  path: string,
  language: Language,
  pages: readonly string[],
  hasPages: boolean,
): string | undefined {
  return (
    (hasPages ? nearestRecord(path, language) : undefined) ?? nearestName(path.slice(1).toLowerCase(), pages)
  );
}

function nearestRecord(path: string, language: Language): string | undefined {
  const [, given = '', collection = '', uuid = ''] = RECORD.exec(path) ?? [];
  const name = collection.toLowerCase();
  const segments = Object.values<string>(PAGE_SEGMENTS);
  const kind =
    kindOfCollection(name) ?? KINDS.find((one) => PAGE_SEGMENTS[one] === nearestName(name, segments));
  if (!kind) return undefined;
  const nearest = `${isLanguage(given) ? given : language}/${PAGE_SEGMENTS[kind]}/${uuid.toLowerCase()}/`;
  return `/${nearest}` === path ? undefined : nearest;
}
