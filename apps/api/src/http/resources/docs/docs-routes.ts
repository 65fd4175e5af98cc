import { ASSETS, findTheme, readAsset } from '@archiefkast/site';
import {
  createTextResponse,
  HTML,
  jsonContent,
  type Route,
  type RouteDependencies,
  type StandaloneResponse,
  type StandaloneRoute,
} from '../../contract/route.ts';
import { createDocsPage, createProblemPages } from './docs-pages.ts';
import { buildOpenApi } from './openapi.ts';

/** The documentation, generated from the endpoints, and the assets of pages. */
export function docsRoutes(others: readonly Route[], dependencies: RouteDependencies): StandaloneRoute[] {
  const { baseUrl, hasPages } = dependencies;
  const problemPage = createProblemPages(dependencies);
  const assets = new Map(
    [...ASSETS].map(([name, { contentType, body }]) => [
      name,
      { ...createTextResponse(contentType, body), isHashed: true },
    ]),
  );
  /** Generated on first use. */
  let openapi: StandaloneResponse | undefined;
  const favicon = readAsset('favicon.ico');
  const robots = createTextResponse(
    'text/plain; charset=utf-8',
    `User-agent: *\nDisallow: /*/api/\nDisallow: /*/zoeken/?\nAllow: /\n${hasPages ? `Sitemap: ${baseUrl}/sitemap.xml\n` : ''}`,
  );

  const routes: StandaloneRoute[] = [
    {
      ...page('/', 'Start', 'Redirects to the front page in the language of the reader.'),
      atRoot: true,
      respond: ({ preferredLanguage }) => ({ location: hasPages ? `./${preferredLanguage}/` : './en/docs' }),
    },
    {
      ...page('/docs', 'Documentation', 'The documentation of the API, with forms to try each endpoint.'),
      // It exists in English only.
      respond: ({ language, open }) => (language === 'en' ? docs(open) : { location: '../en/docs' }),
    },
    {
      ...page('/docs', 'Way to the documentation', 'Redirects to the documentation.'),
      atRoot: true,
      respond: () => ({ location: './en/docs' }),
    },
    {
      ...page('/assets/:asset', 'Files of pages', 'Styles, scripts and icons of the pages.'),
      atRoot: true,
      isAsset: true,
      content: { contentType: '*/*' },
      respond: ({ segment }) => assets.get(segment('asset')) ?? themeNamed(segment('asset')),
    },
    {
      ...page('/problems/:name', 'Help with a problem', 'The meaning of a problem, and what to do.'),
      atRoot: true,
      respond: ({ segment }) => problemPage(segment('name')),
    },
    {
      ...page('/openapi.json', 'OpenAPI', 'The OpenAPI 3.1 document of this API.'),
      atRoot: true,
      isPage: false,
      content: jsonContent(),
      respond: () => {
        openapi ??= createTextResponse('application/json', JSON.stringify(buildOpenApi(all, baseUrl)));
        return openapi;
      },
    },
    {
      ...page('/favicon.ico', 'Icon', 'The icon of the site.'),
      atRoot: true,
      isAsset: true,
      content: { contentType: 'image/x-icon' },
      respond: () => favicon && createTextResponse(favicon.contentType, favicon.body),
    },
    {
      ...page(
        '/robots.txt',
        'Robots',
        'Rules for search engines: they may index the pages, but not the API.',
      ),
      atRoot: true,
      content: { contentType: 'text/plain; charset=utf-8' },
      respond: () => robots,
    },
  ];
  const all = [...others, ...routes].filter(({ isPage }) => !isPage);
  const docs = createDocsPage(all, dependencies);
  return routes;
}

/** The styles of a theme with custom colours. */
function themeNamed(name: string): StandaloneResponse | undefined {
  const theme = findTheme(name);
  return theme && { ...createTextResponse(theme.contentType, theme.body), isHashed: true };
}

function page(path: string, name: string, description: string) {
  return {
    path,
    name,
    description,
    group: 'About' as const,
    isPage: true,
    parameters: [],
    content: { contentType: HTML },
  };
}
