import { VERSION } from '../../version.ts';
import { GROUPS, type Route } from '../routes/route.ts';
import { parameterObjects, pathTemplate } from './parameter-objects.ts';
import { HEADER_OBJECTS, responseObjects } from './response-objects.ts';
import { namedSchemas } from './schemas.ts';

const DESCRIPTION = `A read-only archive of persons, subjects, locations and events, in English and Dutch.

Every endpoint answers GET and HEAD, and describes itself in answer to OPTIONS. Pages of any origin may ask (CORS).
Answers carry an ETag; send it back in If-None-Match and an unchanged answer costs nothing. Texts of the fields
content and description are HTML fragments. Errors are problem details (RFC 9457) with a type that leads to a help page.`;

/**
 * The description of the API for programs (OpenAPI 3.1).
 *
 * @param baseUrl root of every path
 */
export function buildOpenApi(routes: readonly Route[], baseUrl: string): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Archive API',
      summary: 'A historical archive as read-only JSON.',
      description: DESCRIPTION,
      version: VERSION,
      contact: { name: 'The publisher of this archive', url: `${baseUrl}/en/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This archive.' }],
    externalDocs: { url: `${baseUrl}/docs`, description: 'The documentation for people.' },
    security: [],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(routes.map((route) => [pathTemplate(route), { get: operation(route) }])),
    components: {
      schemas: namedSchemas(),
      headers: Object.fromEntries(
        Object.entries(HEADER_OBJECTS).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
    },
  };
}

function operation(route: Route): object {
  return {
    operationId: operationId(route.name),
    tags: [route.group],
    summary: route.name,
    description: route.description,
    parameters: parameterObjects(route),
    responses: responseObjects(route),
  };
}

/** "All persons (jsonl)" is `allPersonsJsonl`. */
function operationId(name: string): string {
  const [first = '', ...others] = name.toLowerCase().match(/\w+/g) ?? [];
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
