import { ASSETS, findTheme, readAsset } from '@archiefkast/site';
import { docsPage } from '@archiefkast/site/docs';
import { problemPage } from '@archiefkast/site/errors';
import { PROBLEMS, type ProblemName } from '../../problems.ts';
import {
  type Answer,
  fixedAnswer,
  HTML,
  jsonContent,
  type Route,
  type RouteDependencies,
} from '../../route.ts';
import { createPageOf } from '../pages/page-data.ts';
import { buildOpenApi } from './openapi.ts';

/** The documentation, generated from the endpoints, and the assets of pages. */
export function docsRoutes(others: readonly Route[], dependencies: RouteDependencies): Route[] {
  const { baseUrl, hasPages } = dependencies;
  const sitemap = hasPages ? `Sitemap: ${baseUrl}/sitemap.xml\n` : '';
  const robots = `User-agent: *\nDisallow: /*/api/\nDisallow: /*/zoeken/?\nAllow: /\n${sitemap}`;
  const favicon = readAsset('favicon.ico');
  /** Generated on first use. */
  let openapi: Answer | undefined;

  const routes: Route[] = [
    rootRoute('/', 'Start', ({ preferredLanguage }) => ({
      location: hasPages ? `./${preferredLanguage}/` : './en/docs',
    })),
    {
      // It exists in English only.
      ...rootRoute('/docs', 'Documentation', ({ language, served }) =>
        language === 'en'
          ? fixedAnswer(docsPage(createPageOf(dependencies, 'en', 'en/docs', served?.edition)))
          : { location: '../en/docs' },
      ),
      atRoot: false,
    },
    rootRoute('/docs', 'Way to the documentation', () => ({ location: './en/docs' })),
    {
      ...rootRoute('/assets/:asset', 'Files of pages', ({ segment }) => {
        const name = segment('asset');
        const { contentType, body } = ASSETS.get(name) ?? findTheme(name) ?? {};
        return body && { contentType, body: [body], version: name, isHashed: true };
      }),
      isAsset: true,
      content: { contentType: '*/*' },
    },
    rootRoute('/problems/:name', 'Help with a problem', ({ segment }) => {
      const name = segment('name');
      if (!isProblemName(name)) return undefined;
      const page = createPageOf(dependencies, 'en', `problems/${name}`, undefined);
      return fixedAnswer(problemPage(page, { name, ...PROBLEMS[name] }));
    }),
    {
      ...rootRoute('/openapi.json', 'OpenAPI', () => {
        openapi ??= fixedAnswer(JSON.stringify(buildOpenApi(all, baseUrl)));
        return openapi;
      }),
      description: 'The OpenAPI 3.1 document of this API.',
      group: 'About',
      content: jsonContent(),
    },
    {
      ...rootRoute('/favicon.ico', 'Icon', () => favicon && fixedAnswer(favicon.body)),
      isAsset: true,
      content: { contentType: 'image/x-icon' },
    },
    {
      ...rootRoute('/robots.txt', 'Robots', () => fixedAnswer(robots)),
      content: { contentType: 'text/plain; charset=utf-8' },
    },
  ];
  const all = [...others, ...routes].filter(({ group }) => group);
  return routes;
}

/** A page that exists before anything is published, at the root. */
function rootRoute(path: string, name: string, handle: Route['handle']): Route {
  return {
    ...{ path, name, handle },
    description: `${name}.`,
    atRoot: true,
    dependsOn: 'program',
    parameters: [],
    content: { contentType: HTML },
  };
}

function isProblemName(name: string): name is ProblemName {
  return Object.hasOwn(PROBLEMS, name);
}
