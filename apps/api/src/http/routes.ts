import { KINDS } from '@archiefkast/types';
import { DUMPS } from '../edition/dump-names.ts';
import type { Route, RouteDependencies } from './route.ts';
import { editionsRoute, indexRoute } from './routes/about.ts';
import { changesFeedRoute, changesRoute } from './routes/changes.ts';
import { docsRoutes } from './routes/docs/docs-routes.ts';
import { dumpRoute, manifestRoute, supplementRoute } from './routes/dumps.ts';
import { detailRoute, listRoute } from './routes/lists.ts';
import { mediaRoute } from './routes/media.ts';
import { pageRoutes } from './routes/pages/pages.ts';
import { facetsRoute, searchRoute, suggestRoute } from './routes/search.ts';

/** Every endpoint, in the order of the documentation. */
export function createRoutes(dependencies: RouteDependencies): Route[] {
  const manifest = manifestRoute(dependencies);
  const changes = changesRoute(dependencies);
  const editions = editionsRoute(dependencies);
  const listed = [
    ...KINDS.map((kind) => listRoute(kind, dependencies)),
    searchRoute(dependencies),
    facetsRoute(),
    suggestRoute(),
    ...KINDS.map((kind) => detailRoute(kind, dependencies)),
    ...DUMPS.map((dump) => dumpRoute(dump, dependencies)),
    supplementRoute(dependencies),
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
    ...docsRoutes(archiveRoutes, dependencies),
    ...(dependencies.mediaFolder === undefined ? [] : [mediaRoute(dependencies.mediaFolder)]),
    ...(dependencies.hasPages ? pageRoutes(dependencies) : []),
  ];
}
