import { LANGUAGES, type Language } from '@archive/types';
import Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { ALLOWED_METHODS } from './common-headers.ts';
import { noSuchPath } from './not-found.ts';
import { Problem } from './problems.ts';
import { type RequestReading, readRequest } from './read-request.ts';
import type { Responder } from './responder.ts';
import { PARAMETERS, type Route } from './routes/route.ts';

/** A router for the endpoints, in every language: GET and HEAD answer, OPTIONS describes, the rest is refused. */
export function createRouter(routes: readonly Route[], respond: Responder, requests: RequestReading): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) {
    for (const { language, path } of pathsOf(route)) {
      router.get(path, async (context) => {
        await respond(context, route, readRequest(context, route, language, path, requests));
      });
      router.options(path, (context) => {
        context.body = JSON.stringify(describe(route));
        context.set('Content-Type', 'application/json');
      });
      router.all(path, (context) => {
        throw methodNotAllowed(context);
      });
    }
  }
  router.all('/{*path}', (context) => {
    throw noSuchPath(context.path);
  });
  return router;
}

/** Where an endpoint is: in every language, or at the root, where English counts. */
function pathsOf({ atRoot, path }: Route): { language: Language; path: string }[] {
  if (atRoot) return [{ language: 'en', path }];
  return LANGUAGES.map((language) => ({ language, path: `/${language}${path}` }));
}

/** What OPTIONS tells of an endpoint. */
function describe({ name, description, parameters }: Route) {
  return {
    name,
    description,
    methods: ALLOWED_METHODS.split(', '),
    renders: ['application/json'],
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter, PARAMETERS[parameter]])),
  };
}

function methodNotAllowed({ method }: ParameterizedContext): Problem {
  return new Problem(
    'method-not-allowed',
    {
      en: `${method} is not allowed: the archive is read-only.`,
      nl: `${method} is niet toegestaan: het archief is alleen te lezen.`,
    },
    { en: ALLOWED_METHODS, nl: ALLOWED_METHODS },
  );
}
