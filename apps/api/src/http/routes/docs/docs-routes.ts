import { ASSETS, assetPath, findTheme } from '@archiefkast/site';
import { docsPage } from '@archiefkast/site/docs';
import { problemPage } from '@archiefkast/site/errors';
import { LANGUAGES } from '@archiefkast/types/kinds';
import { PROBLEMS } from '../../problems.ts';
import {
  type Answer,
  fixedAnswer,
  HTML,
  plainRoute,
  type Route,
  type RouteDependencies,
} from '../../route.ts';
import { createPageOf } from '../pages/page-data.ts';
import { buildOpenApi } from './openapi.ts';

/** The documentation, generated from the endpoints, and the assets of pages. */
export function docsRoutes(others: readonly Route[], dependencies: RouteDependencies): Route[] {
  const { baseUrl, hasPages } = dependencies;
  const sitemap = hasPages ? `Sitemap: ${baseUrl}/sitemap.xml\n` : '';
  const robots = `User-agent: *\n${robotsRules(new URL(baseUrl).pathname)}${sitemap}`;
  const favicon = ASSETS.get(assetPath('favicon.ico').replace('assets/', ''));
  /** Generated on first use. */
  let openapi: Answer | undefined;

  const routes: Route[] = [
    rootRoute('/', 'Start', HTML, ({ preferredLanguage }) => ({
      location: hasPages ? `./${preferredLanguage}/` : './en/docs',
    })),
    {
      // It exists in English only.
      ...rootRoute('/docs', 'Documentation', HTML, (request) =>
        request.language === 'en'
          ? fixedAnswer(docsPage(createPageOf(dependencies, request)))
          : { location: '../en/docs' },
      ),
      atRoot: false,
    },
    rootRoute('/docs', 'Way to the documentation', HTML, () => ({ location: './en/docs' })),
    {
      ...rootRoute('/assets/:asset', 'Files of pages', '*/*', ({ segment }) => {
        const name = segment('asset');
        const { contentType, body } = ASSETS.get(name) ?? findTheme(name) ?? {};
        return body && { contentType, body: [body], version: name, isHashed: true };
      }),
      isAsset: true,
    },
    rootRoute('/problems/:name', 'Help with a problem', HTML, ({ segment, language, path }) => {
      const [name = '', problem] = Object.entries(PROBLEMS).find(([each]) => each === segment('name')) ?? [];
      if (!problem) return undefined;
      const page = createPageOf(dependencies, { language, path, served: undefined });
      return fixedAnswer(problemPage(page, { name, ...problem }));
    }),
    {
      ...rootRoute('/openapi.json', 'OpenAPI', 'application/json', () => {
        openapi ??= fixedAnswer(JSON.stringify(buildOpenApi(all, baseUrl)));
        return openapi;
      }),
      description: 'The OpenAPI 3.1 document of this API.',
      group: 'About',
    },
    {
      ...rootRoute('/favicon.ico', 'Icon', 'image/x-icon', () => favicon && fixedAnswer(favicon.body)),
      isAsset: true,
    },
    rootRoute('/robots.txt', 'Robots', 'text/plain; charset=utf-8', () => fixedAnswer(robots)),
  ];
  const all = [...others, ...routes].filter(({ group }) => group);
  return routes;
}

/** What robots may fetch, as prefixes without wildcards: no search, and no data. The first that matches decides for some. */
function robotsRules(path: string): string {
  const root = path.replace(/\/$/, '');
  const rules = [
    ...LANGUAGES.map((language) => `Allow: ${root}/${language}/zoeken/hulp/`),
    ...LANGUAGES.flatMap((language) =>
      ['zoeken/', 'api'].map((each) => `Disallow: ${root}/${language}/${each}`),
    ),
    `Disallow: ${root}/api`,
    'Allow: /',
  ];
  return rules.map((rule) => `${rule}\n`).join('');
}

/** A route that exists before anything is published, at the root. */
function rootRoute(path: string, name: string, contentType: string, handle: Route['handle']): Route {
  return { ...plainRoute(path, name, contentType, handle), atRoot: true, dependsOn: 'program' };
}
