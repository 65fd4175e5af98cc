import { ASSETS, type Asset, docsPage, findTheme, problemPage, readAsset } from '@archiefkast/site';
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
      handle: ({ language, served }) =>
        language === 'en'
          ? fixedAnswer(HTML, docsPage(createPageOf(dependencies, 'en', 'en/docs', served?.edition)))
          : { location: '../en/docs' },
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
      handle({ segment }) {
        const name = segment('asset');
        const asset = ASSETS.get(name) ?? findTheme(name);
        return asset && hashedResponse(name, asset);
      },
    },
    {
      ...page('/problems/:name', 'Help with a problem', 'The meaning of a problem, and what to do.'),
      atRoot: true,
      handle({ segment }) {
        const name = segment('name');
        if (!isProblemName(name)) return undefined;
        const context = createPageOf(dependencies, 'en', `problems/${name}`, undefined);
        return fixedAnswer(HTML, problemPage(context, { name, ...PROBLEMS[name] }));
      },
    },
    {
      ...page('/openapi.json', 'OpenAPI', 'The OpenAPI 3.1 document of this API.'),
      atRoot: true,
      group: 'About',
      content: jsonContent(),
      handle() {
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
  return routes;
}

/** A static file whose name has a hash of its content. */
function hashedResponse(name: string, { contentType, body }: Asset): Answer {
  return { contentType, body: [body], version: name, isHashed: true };
}

function isProblemName(name: string): name is ProblemName {
  return Object.hasOwn(PROBLEMS, name);
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
