import { LANGUAGES, type Language } from '@archiefkast/types';
import Router from '@koa/router';
import { openApiUrl } from './answer/headers.ts';
import { type Responder, redirectToSlash } from './answer/responder.ts';
import { PARAMETERS, type Route } from './contract/route.ts';
import { ALLOWED_METHODS, methodNotAllowed, noSuchPath } from './problems/common-problems.ts';
import { type RequestReading, readRequest } from './request/read-request.ts';

/** Creates a router for the endpoints in every language. OPTIONS describes an endpoint; only GET and HEAD are allowed besides. */
export function createRouter(routes: readonly Route[], respond: Responder, requests: RequestReading): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) {
    for (const { language, path } of pathsOf(route)) {
      // One entry for all methods, because the router matches a request against every entry.
      // A page is also found without its final slash, and redirects.
      const paths = path.endsWith('/') && path !== '/' ? [path, path.slice(0, -1)] : path;
      router.all(paths, async (context) => {
        const { method } = context;
        if (path.endsWith('/') && !context.path.endsWith('/') && (method === 'GET' || method === 'HEAD')) {
          redirectToSlash(context);
        } else if (method === 'GET' || method === 'HEAD') {
          await respond(context, route, readRequest(context, route, language, path, requests));
        } else if (method === 'OPTIONS') {
          context.body = JSON.stringify(describe(route));
          context.set('Content-Type', 'application/json');
        } else throw methodNotAllowed(method);
      });
    }
  }
  router.options(/^\*$/, (context) => {
    context.body = JSON.stringify(describeServer(requests.baseUrl));
    context.set('Content-Type', 'application/json');
  });
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

/** The response to `OPTIONS *`. */
function describeServer(baseUrl: string) {
  return {
    name: 'Archive API',
    description: 'A read-only archive of persons, subjects, locations and events.',
    methods: ALLOWED_METHODS.split(', '),
    documentation: `${baseUrl}/docs`,
    openapi: openApiUrl(baseUrl),
  };
}

/** The response to OPTIONS of an endpoint. */
function describe({ name, description, parameters }: Route) {
  return {
    name,
    description,
    methods: ALLOWED_METHODS.split(', '),
    renders: ['application/json'],
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter, PARAMETERS[parameter]])),
  };
}
