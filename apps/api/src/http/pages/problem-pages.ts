import { problemPage } from '@archiefkast/site';
import { createPage } from '../answer/document.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { Document } from '../routes/route.ts';
import { createPageContext, type PageSettings } from './page-context.ts';

/** The help page of every kind of problem, by its name. */
export function createProblemPages(settings: PageSettings): ReadonlyMap<string, Document> {
  return new Map(
    Object.entries(PROBLEMS).map(([name, kind]) => {
      const page = createPageContext(settings, 'en', `problems/${name}`, undefined);
      return [name, createPage(page, problemPage(page, { name, ...kind }))];
    }),
  );
}
