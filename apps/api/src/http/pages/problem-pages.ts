import { problemPage } from '@archive/site';
import { createPage } from '../answer/document.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { Document, RouteDependencies } from '../routes/route.ts';

/** The help page of every kind of problem, by its name. */
export function createProblemPages({
  baseUrl,
  hasPages,
}: Pick<RouteDependencies, 'baseUrl' | 'hasPages'>): ReadonlyMap<string, Document> {
  return new Map(
    Object.entries(PROBLEMS).map(([name, kind]) => {
      const page = {
        language: 'en',
        path: `problems/${name}`,
        baseUrl,
        hasPages,
        archiveName: undefined,
      } as const;
      return [name, createPage(problemPage(page, { name, ...kind }))];
    }),
  );
}
