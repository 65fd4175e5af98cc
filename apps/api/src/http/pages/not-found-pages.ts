import { notFoundPage } from '@archive/site';
import { isLanguage } from '@archive/types';
import type { ParameterizedContext } from 'koa';
import type { EditionsInUse } from '../../read/follow-editions.ts';
import type { Problem } from '../problems/problems.ts';
import { preferredLanguage } from '../request/preferred-language.ts';
import { findNearestPage } from './find-nearest-page.ts';
import { createPageContext, type PageSettings } from './page-context.ts';
import { DOCUMENT_PATHS, PAGE_PATHS } from './page-paths.ts';

/** Gives the page for a person who followed a wrong address; undefined where a program asked, or of the API. */
export type NotFoundPages = (context: ParameterizedContext, problem: Problem) => string | undefined;

/**
 * Pages for addresses that lead nowhere, in the language of the reader.
 */
export function createNotFoundPages(editions: EditionsInUse, settings: PageSettings): NotFoundPages {
  const { hasPages } = settings;
  const pages = hasPages ? PAGE_PATHS : DOCUMENT_PATHS;
  return (context, { status }) => {
    const { path } = context;
    if (status !== 404 || /^(?:\/[a-z]{2})?\/api(?:\/|$)/.test(path)) return undefined;
    if (context.accepts('json', 'html') !== 'html') return undefined;
    const [, segment = ''] = path.split('/', 2);
    const language = isLanguage(segment) ? segment : preferredLanguage(context.get('Accept-Language'));
    const page = createPageContext(settings, language, path.slice(1), editions.current()?.edition);
    return notFoundPage(page, findNearestPage(path, language, pages, hasPages));
  };
}
