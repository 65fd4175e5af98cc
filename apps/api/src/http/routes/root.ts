import { LANGUAGES } from '@archiefkast/types/kinds';
import { PROBLEMS } from '../problems.ts';
import { fixedAnswer, HTML, programRoute, type Route, type RouteDependencies } from '../route.ts';

/** What is at the root, besides data: where to start, help with problems, the files of pages, and what robots may fetch. */
export function rootRoutes(dependencies: RouteDependencies): Route[] {
  const { baseUrl, hasPages } = dependencies;
  const sitemap = hasPages ? `Sitemap: ${baseUrl}/sitemap.xml\n` : '';
  const robots = `User-agent: *\n${robotsRules(new URL(baseUrl).pathname)}${sitemap}`;
  return [
    programRoute('/', 'Start', HTML, ({ preferredLanguage }) => ({
      location: hasPages ? `./${preferredLanguage}/` : './en/docs',
    })),
    {
      ...programRoute('/assets/:asset', 'Files of pages', '*/*', async ({ segment }) => {
        const { ASSETS, findTheme } = await import('@archiefkast/site');
        const name = segment('asset');
        const { contentType, body } = ASSETS.get(name) ?? findTheme(name) ?? {};
        return body && { contentType, body: [body], version: name, isHashed: true };
      }),
    },
    programRoute('/problems/:name', 'Help with a problem', HTML, async ({ segment, language, path }) => {
      const [name = '', problem] = Object.entries(PROBLEMS).find(([each]) => each === segment('name')) ?? [];
      if (!problem) return undefined;
      const { problemPage } = await import('@archiefkast/site/errors');
      const { createPageOf } = await import('../page.ts');
      const page = createPageOf(dependencies, { language, path, served: undefined });
      return fixedAnswer(problemPage(page, { name, ...problem }));
    }),
    {
      ...programRoute('/favicon.ico', 'Icon', 'image/x-icon', async () => {
        const { ASSETS, assetPath } = await import('@archiefkast/site');
        const icon = ASSETS.get(assetPath('favicon.ico').replace('assets/', ''));
        return icon && fixedAnswer(icon.body);
      }),
    },
    programRoute('/robots.txt', 'Robots', 'text/plain; charset=utf-8', () => fixedAnswer(robots)),
  ];
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
