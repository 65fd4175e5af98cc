import { KINDS, LANGUAGES, type Language } from '@archiefkast/types';
import Router from '@koa/router';
import { DUMPS } from '../edition/dump-names.ts';
import { createGraphReader } from '../edition/graphs.ts';
import { createRecordViews } from '../edition/record-views.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { createDatasetFacts } from './dataset-facts.ts';
import type { CreateEndpoint } from './endpoint.ts';
import { noSuchPath } from './problems.ts';
import type { Route, RouteDependencies } from './route.ts';
import { editionsRoute, indexRoute } from './routes/about.ts';
import { changesFeedRoute, changesRoute } from './routes/changes.ts';
import { docsRoutes } from './routes/docs/docs-routes.ts';
import { dumpRoute, manifestRoute, supplementRoute } from './routes/dumps.ts';
import { detailRoute, listRoute } from './routes/lists.ts';
import { mediaRoute } from './routes/media.ts';
import { rootRoutes } from './routes/root.ts';
import { facetsRoute, searchRoute, suggestRoute } from './routes/search.ts';

/** Every endpoint, in the order of the documentation. @param protocols those that are offered beside the API */
export async function createRoutes(
  dependencies: RouteDependencies,
  protocols: readonly Protocol[],
): Promise<Route[]> {
  const manifest = manifestRoute(dependencies);
  const changes = changesRoute(dependencies);
  const editions = editionsRoute(dependencies);
  const { queries, baseUrl, caches } = dependencies;
  const openViews = createRecordViews(queries, baseUrl, caches);
  const readGraphs = createGraphReader(baseUrl, openViews);
  const offered = protocols.flatMap(({ distributions }) => distributions);
  const readFacts = createDatasetFacts(baseUrl, openViews, offered);
  const tools = { ...dependencies, openViews, readGraphs, readFacts };
  const spoken = protocols.map((protocol) => protocol.createRoutes(tools));
  const documented = (group: Route['group']) =>
    spoken.flatMap(({ documented = [] }) => documented.filter((route) => route.group === group));
  // Loaded only if there are pages.
  const { pageRoutes } = dependencies.hasPages ? await import('./routes/pages/pages.ts') : {};
  const listed = [
    ...KINDS.map((kind) => listRoute(kind, dependencies)),
    searchRoute(dependencies),
    facetsRoute(),
    suggestRoute(),
    ...documented('Search'),
    ...KINDS.map((kind) => detailRoute(kind, dependencies)),
    ...DUMPS.map((dump) => dumpRoute(dump, dependencies)),
    supplementRoute(dependencies),
    ...documented('Bulk'),
    manifest,
    changes,
    changesFeedRoute(dependencies),
    editions,
  ];
  const archiveRoutes = [
    indexRoute(listed, dependencies),
    ...listed,
    { ...manifest, atRoot: true, name: `${manifest.name} in English` },
    { ...changes, atRoot: true, name: `${changes.name}, without a language` },
    { ...editions, atRoot: true, name: `${editions.name}, without a language` },
  ];
  return [
    ...archiveRoutes,
    ...spoken.flatMap(({ others = [] }) => others),
    ...docsRoutes(archiveRoutes, dependencies),
    ...rootRoutes(dependencies),
    ...(dependencies.mediaFolder === undefined ? [] : [mediaRoute(dependencies.mediaFolder)]),
    ...(pageRoutes?.(dependencies, openViews, readFacts) ?? []),
  ];
}

/** Creates a router for the endpoints in every language. */
export function createRouter(routes: readonly Route[], createEndpoint: CreateEndpoint): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) {
    for (const { language, path } of pathsOf(route)) {
      // A page is also found without its final slash, and redirects.
      const paths = path.endsWith('/') && path !== '/' ? [path, path.slice(0, -1)] : path;
      // One entry for all methods, because the router matches a request against every entry.
      router.all(paths, createEndpoint(route, language, path));
    }
  }
  router.all('/{*path}', (context) => {
    throw noSuchPath(context.path);
  });
  return router;
}

/** The paths of an endpoint: one per language, or one at the root, in English. */
function pathsOf({ atRoot, path }: Route): { language: Language; path: string }[] {
  if (atRoot) return [{ language: 'en', path }];
  return LANGUAGES.map((language) => ({ language, path: `/${language}${path}` }));
}
