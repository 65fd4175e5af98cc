import type { Language } from '@archiefkast/types';
import type { ParameterizedContext } from 'koa';
import type { Config } from '../config.ts';
import { methodsOf, preferredLanguage } from './headers.ts';
import { canonicalUrl, isEdition, PARAMETERS, readParameters } from './parameters.ts';
import { Problem } from './problems.ts';
import { type ExpectedBody, FORM_TYPE, MOST_FORM_BYTES, readBody } from './read-form.ts';
import type { EndpointRequest, Respond } from './respond.ts';
import type { Route } from './route.ts';
import { type Coding, sendRedirect } from './send.ts';

interface EndpointDependencies {
  config: Pick<Config, 'baseUrl'>;
  chooseCoding(acceptEncoding: string | undefined): Coding;
  respond: Respond;
}

/** The context of a request whose path a route matches. */
type Context = ParameterizedContext & { params: Record<string, string> };

/** Creates the handler of the requests for a route in a language; `path` is its path from the root. */
export type CreateEndpoint = (
  route: Route,
  language: Language,
  path: string,
) => (context: Context) => Promise<void>;

/** Returns a function that creates endpoints: they check the method, redirect by the final slash, and read parameters and forms. */
export function createEndpoints({ config, chooseCoding, respond }: EndpointDependencies): CreateEndpoint {
  return (route, language, path) => async (context) => {
    const { method } = context;
    context.state = { isFramed: route.isFramed };
    const expected = method === 'POST' ? expectedBody(route) : undefined;
    const methods = methodsOf(route);
    const takesPost = route.takesForms || route.takesJson;
    if (takesPost) context.set('Allow', methods);
    if (method === 'OPTIONS') {
      if (takesPost) context.set('Access-Control-Allow-Methods', methods);
      context.body = JSON.stringify(describe(route));
      context.set('Content-Type', 'application/json');
      return;
    }
    const isRead = method === 'GET' || method === 'HEAD';
    if (!expected && (!isRead || route.takesJson)) {
      const reason = route.takesJson ? 'messages are sent by POST' : 'the archive is read-only';
      throw new Problem('method-not-allowed', `Method ${method} is not allowed: ${reason}.`, methods);
    }
    const other = otherSlash(route, path, context);
    if (other !== undefined) {
      sendRedirect(context, { location: other, status: 308 });
      return;
    }
    // What is left of a body that is refused is not read.
    if (expected) context.set('Connection', 'close');
    const body = expected ? await readBody(context.req, expected) : '';
    if (expected) context.remove('Connection');
    const request = readRequest(context, route, language, path, route.takesForms ? `&${body}` : '');
    const sent = { text: body, headers: context.headers };
    await respond(context, route, route.takesJson ? { ...request, sent } : request);
  };

  /**
   * Parses a request, without any lookup.
   *
   * @param form parameters that count more than those of the URL
   * @throws Problem for invalid parameters
   */
  function readRequest(
    context: Context,
    { parameters: known, content }: Route,
    language: Language,
    route: string,
    form: string,
  ): EndpointRequest {
    const query = new URLSearchParams(context.querystring + form);
    const parameters = readParameters(known, query);
    const path = canonicalPath(route, context);
    const edition = parameters.get('edition');
    // A range is part of the uncompressed bytes, so that a client can resume a download.
    const isPlain = content.isCompressed || (content.hasRanges && context.get('Range'));
    return {
      ...{ route, path, language, parameters, query },
      segment: (name) => context.params[name] ?? '',
      preferredLanguage: () => preferredLanguage(context),
      accept: context.get('Accept'),
      url: canonicalUrl(config.baseUrl + path, parameters),
      edition: edition === null ? undefined : isEdition(edition) ? Number(edition) : edition,
      coding: isPlain ? 'identity' : chooseCoding(context.get('Accept-Encoding')),
    };
  }
}

/** Limit of JSON that is sent, in bytes. */
const MOST_JSON_BYTES = 64 * 1024;

/** What the body of a POST has to be; undefined if the route takes none. */
function expectedBody({
  takesForms,
  takesJson,
  mostFormBytes = MOST_FORM_BYTES,
}: Route): ExpectedBody | undefined {
  if (takesJson) return { type: 'application/json', most: MOST_JSON_BYTES, problem: 'invalid-message' };
  return takesForms ? { type: FORM_TYPE, most: mostFormBytes, problem: 'invalid-form' } : undefined;
}

/** The response to OPTIONS of an endpoint. */
function describe(route: Route) {
  const { name, description, parameters } = route;
  return {
    name,
    description,
    methods: methodsOf(route).split(', '),
    renders: ['application/json'],
    parameters: Object.fromEntries(parameters.map((each) => [each, PARAMETERS[each].description])),
  };
}

/** The address of a resource, relative to one that differs only by its final slash; undefined if it is the requested one. */
function otherSlash(route: Route, path: string, context: Context): string | undefined {
  const [last = '', name = ''] = context.path.split('/').reverse();
  if (path.endsWith('/')) return last === '' ? undefined : `./${last}/${context.search}`;
  // Relative links of the documentation and of cards would break with a final slash; that of a file's name belongs to the name.
  const isOwn = (!route.dependsOn && !route.isFramed) || path.includes('*');
  return last === '' && !isOwn ? `../${name}${context.search}` : undefined;
}

/** The path of a request, percent-encoded in one way, with UUIDs in lower case. */
function canonicalPath(pattern: string, { path, params }: Context): string {
  if (pattern.includes('*')) return path;
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    return encodeURIComponent((name === 'uuid' ? value.toLowerCase() : value).toWellFormed());
  });
}
