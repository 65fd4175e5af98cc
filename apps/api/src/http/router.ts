import { LANGUAGES, type Language } from '@archiefkast/types';
import Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { ALLOWED_METHODS } from './headers.ts';
import { PARAMETERS } from './parameters.ts';
import { noSuchPath, Problem } from './problems.ts';
import type { Respond } from './respond.ts';
import type { Route } from './route.ts';
import { redirect } from './send.ts';

/** Limit of a URL in characters: a `q` of 8 kB, percent-encoded, still gets the more specific problem `invalid-query`. */
const LONGEST_URL = 32_768;

/**
 * Normalizes the target of a request to `/path?query` (RFC 9112, section 3.2): an absolute one, as sent to proxies, loses its
 * scheme and host, which are not used. Other and long ones are a problem, which `respondToErrors` throws.
 */
export const readTarget: Middleware = async (context, next) => {
  const { url } = context;
  const [, rest] = url.startsWith('/') ? ['', url] : (/^https?:\/\/[^/?#]+(.*)$/i.exec(url) ?? []);
  const isValid = rest !== undefined && URL.canParse(url, 'http://archive');
  context.url = !isValid ? '/' : rest.startsWith('/') ? rest : `/${rest}`;
  if (!isValid) {
    const expected = 'a path such as /en/api/persons';
    context.state['problem'] = new Problem('bad-request', 'Invalid request target.', expected);
  } else if (url.length > LONGEST_URL) {
    const detail = `The URL has ${url.length} characters.`;
    context.state['problem'] = new Problem('url-too-long', detail, `at most ${LONGEST_URL} characters`);
  }
  await next();
};

/** Creates a router for the endpoints in every language. OPTIONS describes an endpoint; only GET and HEAD are allowed besides. */
export function createRouter(routes: readonly Route[], respond: Respond): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) {
    for (const { language, path } of pathsOf(route)) {
      // One entry for all methods, because the router matches a request against every entry.
      // A page is also found without its final slash, and redirects.
      const paths = path.endsWith('/') && path !== '/' ? [path, path.slice(0, -1)] : path;
      router.all(paths, async (context) => {
        const { method } = context;
        if (method === 'OPTIONS') {
          context.body = JSON.stringify(describe(route));
          context.set('Content-Type', 'application/json');
        } else if (method !== 'GET' && method !== 'HEAD') {
          throw new Problem(
            'method-not-allowed',
            `Method ${method} is not allowed: the archive is read-only.`,
            ALLOWED_METHODS,
          );
        } else if (path.endsWith('/') && !context.path.endsWith('/')) redirectToSlash(context);
        else await respond(context, route, language, path);
      });
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

/** The response to OPTIONS of an endpoint. */
function describe({ name, description, parameters }: Route) {
  return {
    name,
    description,
    methods: ALLOWED_METHODS.split(', '),
    renders: ['application/json'],
    parameters: Object.fromEntries(parameters.map((each) => [each, PARAMETERS[each].description])),
  };
}

/** Redirects to the path with a final slash, as in the addresses of pages; the query is kept. */
function redirectToSlash(context: ParameterizedContext): void {
  redirect(context, 308, `./${context.path.split('/').at(-1)}/${context.search}`);
}
