import { problemPage } from '@archiefkast/site';
import { createDocument, type Document, HTML } from '../../contract/route.ts';
import { PROBLEMS, type ProblemName } from '../../problems/problems.ts';
import { createPageContext, type PageSettings } from '../pages/page-context.ts';

/** Gives the help page of a kind of problem by its name, made when it is first asked for; undefined where there is none. */
export function createProblemPages(settings: PageSettings): (name: string) => Document | undefined {
  const made = new Map<string, Document>();
  return (name) => {
    if (!isProblemName(name)) return undefined;
    const known = made.get(name);
    if (known) return known;
    const page = createPageContext(settings, 'en', `problems/${name}`, undefined);
    const document = createDocument(HTML, problemPage(page, { name, ...PROBLEMS[name] }));
    made.set(name, document);
    return document;
  };
}

function isProblemName(name: string): name is ProblemName {
  return Object.hasOwn(PROBLEMS, name);
}
