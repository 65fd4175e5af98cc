import { type DocsArchive, problemPage } from '@archiefkast/site';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import {
  createDocument,
  type Document,
  HTML,
  type Route,
  type RouteDependencies,
  type TextDocument,
} from '../../contract/route.ts';
import { PROBLEMS, type ProblemName } from '../../problems/problems.ts';
import { createPageContext, type PageSettings } from '../pages/page-context.ts';
import { chooseExamples, type Examples, exampleQueries } from './choose-examples.ts';
import { describeApi, type FirstValues } from './describe-api.ts';

/**
 * The documentation, made once for each edition: its examples come from the archive that is served.
 */
export function createDocsPage(
  routes: readonly Route[],
  { reader, caches, ...settings }: PageSettings & Pick<RouteDependencies, 'reader' | 'caches'>,
): (open: OpenEdition | undefined) => Promise<Document> {
  const made = caches.open<TextDocument>('documentation', ({ body }) => body.byteLength);
  return (open) => made.fetch(`${open?.edition.key ?? ''} `, () => make(open));

  async function make(open: OpenEdition | undefined): Promise<TextDocument> {
    const examples = open && (await chooseExamples(reader, open.edition));
    const page = createPageContext(settings, 'en', 'en/docs', open?.edition);
    const archive = open && examples && describeArchive(open, examples);
    // Most of what makes pages, and asked for by few: loaded when it is first needed.
    const { docsPage } = await import('@archiefkast/site/docs');
    return createDocument(
      HTML,
      docsPage(page, { ...describeApi(routes, (route) => firstValues(route, open, examples)), archive }),
    );
  }
}

function describeArchive({ edition }: OpenEdition, examples: Examples): DocsArchive {
  const { id, publishedAt, counts } = edition;
  return { edition: id, publishedAt, counts, examples, queries: exampleQueries(examples) };
}

/** Values with which the form of an endpoint finds something. */
function firstValues(
  route: Route,
  open: OpenEdition | undefined,
  examples: Examples | undefined,
): FirstValues {
  const kind = 'answer' in route ? route.kind : undefined;
  const uuid = kind && examples?.[kind]?.uuid;
  const [query] = examples ? exampleQueries(examples) : [];
  const prefix = [...(examples?.person?.last_name ?? '')].slice(0, 2).join('');
  return {
    field: 'last_name',
    ...(uuid && { uuid }),
    ...(query && { q: query.q }),
    ...(prefix && { prefix }),
    ...(open && { since: String(open.edition.id) }),
  };
}

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
