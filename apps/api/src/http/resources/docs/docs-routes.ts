import { ASSETS, findTheme, readAsset } from '@archiefkast/site';
import {
  type Answer,
  fixedAnswer,
  HTML,
  jsonContent,
  type Route,
  type RouteDependencies,
} from '../../route.ts';
import { createDocsPage, createProblemPages } from './docs-pages.ts';
import { buildOpenApi } from './openapi.ts';

/** The documentation, generated from the endpoints, and the assets of pages. */
export function docsRoutes(others: readonly Route[], dependencies: RouteDependencies): Route[] {
  const { baseUrl, hasPages } = dependencies;
  const problemPage = createProblemPages(dependencies);
  const assets = new Map(
    [...ASSETS].map(([name, { contentType, body }]) => [
      name,
      { ...fixedAnswer(contentType, body), isHashed: true },
    ]),
  );
  /** Generated on first use. */
  let openapi: Answer | undefined;
  const favicon = readAsset('favicon.ico');
  const robots = fixedAnswer(
    'text/plain; charset=utf-8',
    `User-agent: *\nDisallow: /*/api/\nDisallow: /*/zoeken/?\nAllow: /\n${hasPages ? `Sitemap: ${baseUrl}/sitemap.xml\n` : ''}`,
  );

  const routes: Route[] = [
    {
      ...page('/', 'Start', 'Redirects to the front page in the language of the reader.'),
      atRoot: true,
      handle: ({ preferredLanguage }) => ({ location: hasPages ? `./${preferredLanguage}/` : './en/docs' }),
    },
    {
      ...page('/docs', 'Documentation', 'The documentation of the API, with forms to try each endpoint.'),
      // It exists in English only.
      handle: ({ language, served }) => (language === 'en' ? docs(served) : { location: '../en/docs' }),
    },
    {
      ...page('/docs', 'Way to the documentation', 'Redirects to the documentation.'),
      atRoot: true,
      handle: () => ({ location: './en/docs' }),
    },
    {
      ...page('/assets/:asset', 'Files of pages', 'Styles, scripts and icons of the pages.'),
      atRoot: true,
      isAsset: true,
      content: { contentType: '*/*' },
      handle: ({ segment }) => assets.get(segment('asset')) ?? themeNamed(segment('asset')),
    },
    {
      ...page('/problems/:name', 'Help with a problem', 'The meaning of a problem, and what to do.'),
      atRoot: true,
      handle: ({ segment }) => problemPage(segment('name')),
    },
    {
      ...page('/openapi.json', 'OpenAPI', 'The OpenAPI 3.1 document of this API.'),
      atRoot: true,
      group: 'About',
      content: jsonContent(),
      handle: () => {
        openapi ??= fixedAnswer('application/json', JSON.stringify(buildOpenApi(all, baseUrl)));
        return openapi;
      },
    },
    {
      ...page('/favicon.ico', 'Icon', 'The icon of the site.'),
      atRoot: true,
      isAsset: true,
      content: { contentType: 'image/x-icon' },
      handle: () => favicon && fixedAnswer(favicon.contentType, favicon.body),
    },
    {
      ...page(
        '/robots.txt',
        'Robots',
        'Rules for search engines: they may index the pages, but not the API.',
      ),
      atRoot: true,
      content: { contentType: 'text/plain; charset=utf-8' },
      handle: () => robots,
    },
  ];
  const all = [...others, ...routes].filter(({ group }) => group);
  const docs = createDocsPage(all, dependencies);
  return routes;
}

/** The styles of a theme with custom colours. */
function themeNamed(name: string): Answer | undefined {
  const theme = findTheme(name);
  return theme && { ...fixedAnswer(theme.contentType, theme.body), isHashed: true };
}

function page(path: string, name: string, description: string) {
  return {
    path,
    name,
    description,
    dependsOn: 'program' as const,
    parameters: [],
    content: { contentType: HTML },
  };
}
