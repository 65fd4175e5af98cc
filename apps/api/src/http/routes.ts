import { KINDS, LANGUAGES, type Language } from '@archiefkast/types';
import Router from '@koa/router';
import { textOf } from '../edition/chunks.ts';
import { DUMPS } from '../edition/dump-names.ts';
import { createGraphReader } from '../edition/graphs.ts';
import { createRecordViews } from '../edition/record-views.ts';
import type { Protocol, ReadEndpoint } from '../protocols/protocol.ts';
import { createDatasetFacts } from './dataset-facts.ts';
import type { CreateEndpoint } from './endpoint.ts';
import { readParameters } from './parameters.ts';
import { noSuchPath } from './problems.ts';
import type { Route, RouteDependencies } from './route.ts';
import { editionsRoute, indexRoute } from './routes/about.ts';
import { changesFeedRoute, changesRoute, goneRoute } from './routes/changes.ts';
import { docsRoutes } from './routes/docs/docs-routes.ts';
import { dumpRoute, manifestRoute, supplementRoute } from './routes/dumps.ts';
import { detailRoute, listRoute } from './routes/lists.ts';
import { mediaRoute } from './routes/media.ts';
import { risRoute } from './routes/ris.ts';
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
  const manifestPath = protocols.find((protocol) => protocol.manifestPath)?.manifestPath;
  const readGraphs = createGraphReader(dependencies, openViews, manifestPath);
  const offered = protocols.flatMap(({ distributions }) => distributions);
  const readFacts = createDatasetFacts(dependencies, openViews, offered);
  const readEndpoint: ReadEndpoint = async (request, path, given) => {
    const route = listed.find((each) => each.path === path) ?? index;
    const parameters = readParameters(route.parameters, given);
    const answer = await route.handle({ ...request, parameters });
    return JSON.parse(answer && 'body' in answer && !('read' in answer.body) ? textOf(answer.body) : '');
  };
  const tools = { ...dependencies, openViews, readGraphs, readFacts, readEndpoint };
  const spoken = protocols.map((protocol) => protocol.createRoutes(tools));
  const documented = (group: Route['group']) =>
    spoken.flatMap(({ documented = [] }) => documented.filter((route) => route.group === group));
  // Loaded only if there are pages.
  const { pageRoutes } = dependencies.hasPages ? await import('./routes/pages/pages.ts') : {};
  const listed: Route[] = [
    ...KINDS.map((kind) => listRoute(kind, dependencies)),
    searchRoute(dependencies),
    facetsRoute(),
    suggestRoute(),
    ...documented('Search'),
    ...KINDS.map((kind) => detailRoute(kind, dependencies)),
    ...DUMPS.map((dump) => dumpRoute(dump, dependencies)),
    risRoute(dependencies, openViews),
    supplementRoute(dependencies),
    ...documented('Bulk'),
    manifest,
    changes,
    changesFeedRoute(dependencies),
    goneRoute(dependencies),
    editions,
  ];
  const index = indexRoute(listed, dependencies);
  const archiveRoutes = [
    index,
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
    ...(pageRoutes?.({ ...dependencies, manifestPath }, openViews, readFacts) ?? []),
  ];
}

/** Creates a router for the endpoints in every language. */
export function createRouter(routes: readonly Route[], createEndpoint: CreateEndpoint): Router {
  const router = new Router({ sensitive: true });
  const own = new Set(routes.flatMap((route) => pathsOf(route).map(({ path }) => path)));
  for (const route of routes) {
    for (const { language, path } of pathsOf(route)) {
      // A page is also found without its final slash, and redirects; unless that is the path of another endpoint.
      const bare = path.endsWith('/') && path !== '/' ? path.slice(0, -1) : path;
      const paths = own.has(bare) ? path : [path, bare];
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
