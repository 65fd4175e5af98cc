import { PROBLEMS } from '../problems.ts';
import { fixedAnswer, HTML, programRoute, type Route, type RouteDependencies } from '../route.ts';

/** What is at the root, besides data: where to start, help with problems, and the files of pages. */
export function rootRoutes(dependencies: RouteDependencies): Route[] {
  const { hasPages } = dependencies;
  return [
    programRoute('/', 'Start', HTML, ({ preferredLanguage }) => ({
      location: hasPages ? `./${preferredLanguage()}/` : './en/docs',
    })),
    {
      ...programRoute('/assets/:asset', 'Files of pages', '*/*', async ({ segment }) => {
        const { ASSETS, findTheme, SHARED_SCRIPTS } = await import('@archiefkast/site');
        const name = segment('asset');
        const shared = hasPages ? SHARED_SCRIPTS.get(name) : undefined;
        if (shared) return { ...fixedAnswer(shared.body), contentType: shared.contentType };
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
  ];
}
