import { errorPage, notFoundPage } from '@archiefkast/site';
import { isLanguage } from '@archiefkast/types';
import type { ParameterizedContext } from 'koa';
import type { EditionsInUse } from '../../read/follow-editions.ts';
import { PROBLEMS, type Problem } from '../problems/problems.ts';
import { preferredLanguage } from '../request/preferred-language.ts';
import { findNearestPage } from './find-nearest-page.ts';
import { createPageContext, type PageSettings } from './page-context.ts';
import { DOCUMENT_PATHS, PAGE_PATHS } from './page-paths.ts';

/** Gives the HTML for a person who gets no other page; undefined where a program asked, or of the API. */
export type ErrorPages = (context: ParameterizedContext, problem: Problem) => string | undefined;

/**
 * Pages that say what is wrong, in the language of the reader: that an address leads nowhere, and what it most likely
 * meant, or that a page cannot be made now.
 */
export function createErrorPages(editions: EditionsInUse, settings: PageSettings): ErrorPages {
  const { hasPages } = settings;
  const pages = hasPages ? PAGE_PATHS : DOCUMENT_PATHS;
  return (context, { status, problem, detail }) => {
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
          detail: detail[language],
          canPass: status >= 500,
        });
  };
}
