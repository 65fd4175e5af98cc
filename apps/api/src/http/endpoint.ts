import type { Language } from '@archiefkast/types';
import type { ParameterizedContext } from 'koa';
import Negotiator from 'negotiator';
import type { Config } from '../config.ts';
import { ALLOWED_METHODS, FORM_METHODS, preferredLanguage } from './headers.ts';
import { canonicalUrl, isEdition, PARAMETERS, readParameters } from './parameters.ts';
import { Problem } from './problems.ts';
import { readForm } from './read-form.ts';
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
    const isForm = method === 'POST' && route.takesForms === true;
    if (route.takesForms) context.set('Allow', FORM_METHODS);
    if (method === 'OPTIONS') {
      if (route.takesForms) context.set('Access-Control-Allow-Methods', FORM_METHODS);
      context.body = JSON.stringify(describe(route));
      context.set('Content-Type', 'application/json');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD' && !isForm) {
      const detail = `Method ${method} is not allowed: the archive is read-only.`;
      throw new Problem('method-not-allowed', detail, ALLOWED_METHODS);
    }
    const { mostFormBytes } = route;
    const other = otherSlash(route, path, context);
    if (other !== undefined) {
      sendRedirect(context, { location: other, status: 308 });
      return;
    }
    // What is left of a form that is refused is not read.
    if (isForm) context.set('Connection', 'close');
    const form = isForm ? `&${await readForm(context.req, mostFormBytes)}` : '';
    if (isForm) context.remove('Connection');
    await respond(context, route, readRequest(context, route, language, path, form));
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
      preferredLanguage: preferredLanguage(context),
      accepts: (types) => preferredType(context.get('Accept'), types),
      url: canonicalUrl(config.baseUrl + path, parameters),
      edition: edition === null ? undefined : isEdition(edition) ? Number(edition) : edition,
      coding: isPlain ? 'identity' : chooseCoding(context.get('Accept-Encoding')),
    };
  }
}

/** The parameter of a type that names a profile of it (RFC 6906): a client reads the type without it too. */
const PROFILE = /;\s*profile\s*=\s*(?:"[^"]*"|[^\s;,]*)/gi;

/** The content type of `types` that a client prefers, by its `Accept`; false if it accepts none. */
function preferredType(header: string, types: readonly string[]): string | false {
  const accept = header.replace(PROFILE, '') || '*/*';
  return new Negotiator({ headers: { accept } }).mediaTypes(types)[0] ?? false;
}

/** The response to OPTIONS of an endpoint. */
function describe({ name, description, parameters, takesForms }: Route) {
  return {
    name,
    description,
    methods: (takesForms ? FORM_METHODS : ALLOWED_METHODS).split(', '),
    renders: ['application/json'],
    parameters: Object.fromEntries(parameters.map((each) => [each, PARAMETERS[each].description])),
  };
}

/** The address of a resource, relative to one that differs only by its final slash; undefined if it is the requested one. */
function otherSlash(route: Route, path: string, context: Context): string | undefined {
  const [last = '', name = ''] = context.path.split('/').reverse();
  if (path.endsWith('/')) return last === '' ? undefined : `./${last}/${context.search}`;
  // Relative links in the documentation would break with a final slash; that of a file's name belongs to the name.
  const isOwn = !route.dependsOn || path.includes('*');
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
