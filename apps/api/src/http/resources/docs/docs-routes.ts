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

/** The documentation, made from the endpoints that it describes, itself included, and what pages need. */
export function docsRoutes(others: readonly Route[], dependencies: RouteDependencies): StandaloneRoute[] {
  const { baseUrl, hasPages } = dependencies;
  const problemPage = createProblemPages(dependencies);
  const assets = new Map(
    [...ASSETS].map(([name, { contentType, body }]) => [
      name,
      { ...createTextResponse(contentType, body), isImmutable: true },
    ]),
  );
  /** Made when it is first asked for. */
  let openapi: StandaloneResponse | undefined;
  const favicon = readAsset('favicon.ico');
  const robots = createTextResponse(
    'text/plain; charset=utf-8',
    `User-agent: *\nDisallow: /*/api/\nDisallow: /*/zoeken/\nAllow: /\n${hasPages ? `Sitemap: ${baseUrl}/sitemap.xml\n` : ''}`,
  );

  const routes: StandaloneRoute[] = [
    {
      ...page('/', 'Start', 'Leads to the front page in the language of the reader.'),
      atRoot: true,
      respond: ({ preferredLanguage }) => ({ location: hasPages ? `./${preferredLanguage}/` : './en/docs' }),
    },
    {
      ...page('/docs', 'Documentation', 'This API for people: every endpoint, with examples to try.'),
      // It is in English alone.
      respond: ({ language, open }) => (language === 'en' ? docs(open) : { location: '../en/docs' }),
    },
    {
      ...page('/docs', 'Way to the documentation', 'Leads to the documentation.'),
      atRoot: true,
      respond: () => ({ location: './en/docs' }),
    },
    {
      ...page('/assets/:asset', 'Files of pages', 'What the pages use: styles, scripts and icons.'),
      atRoot: true,
      content: { contentType: '*/*' },
      respond: ({ segment }) => assets.get(segment('asset')) ?? themeNamed(segment('asset')),
    },
    {
      ...page('/problems/:name', 'Help with a problem', 'What a kind of problem means, and what to do.'),
      atRoot: true,
      respond: ({ segment }) => problemPage(segment('name')),
    },
    {
      ...page('/openapi.json', 'OpenAPI', 'This API for programs (OpenAPI 3.1).'),
      atRoot: true,
      isPage: false,
      content: jsonContent(),
      respond: () => {
        openapi ??= createTextResponse('application/json', JSON.stringify(buildOpenApi(all, baseUrl)));
        return openapi;
      },
    },
    {
      ...page('/favicon.ico', 'Icon', 'The icon of the site, for browsers that ask for it by this name.'),
      atRoot: true,
      content: { contentType: 'image/x-icon' },
      respond: () => favicon && createTextResponse(favicon.contentType, favicon.body),
    },
    {
      ...page('/robots.txt', 'Robots', 'What search engines may read: the pages, and not the API.'),
      atRoot: true,
      content: { contentType: 'text/plain; charset=utf-8' },
      respond: () => robots,
    },
  ];
  const all = [...others, ...routes].filter(({ isPage }) => !isPage);
  const docs = createDocsPage(all, dependencies);
  return routes;
}

/** The styles of an institution's own accent. */
function themeNamed(name: string): StandaloneResponse | undefined {
  const theme = findTheme(name);
  return theme && { ...createTextResponse(theme.contentType, theme.body), isImmutable: true };
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
