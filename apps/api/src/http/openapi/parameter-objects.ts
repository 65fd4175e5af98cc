import { LANGUAGES, UUID_PATTERN } from '@archiefkast/types';
import { FACETS, MAX_QUERY_LENGTH } from '../../search/index.ts';
import { SORTS } from '../request/parameters.ts';
import { toTemplate } from '../routes/path-template.ts';
import { PARAMETERS, type ParameterName, type Route } from '../routes/route.ts';
import { LONGEST_PREFIX, SUGGESTED_FIELDS } from '../routes/suggest-route.ts';

/** What a value must look like, and one that may be tried. */
interface ParameterShape {
  schema: object;
  example?: string | number;
  required?: true;
}

/** The name of a field: `name`, or `location.name`. */
const FIELD = '[a-z_]+(\\.[a-z_]+)*';

/** The query parameters. */
export const QUERY_SHAPES: Readonly<Record<ParameterName, ParameterShape>> = {
  bbox: {
    schema: { type: 'string', pattern: '^ *[+-]?[0-9.]+ *(, *[+-]?[0-9.]+ *){3}$' },
    example: '4.8,52.3,5.0,52.4',
  },
  edition: {
    schema: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', pattern: `^${UUID_PATTERN}$` },
      ],
    },
  },
  field: { schema: { type: 'string', enum: SUGGESTED_FIELDS }, example: 'last_name' },
  fields: { schema: { type: 'string', pattern: `^(brief|${FIELD}(,${FIELD})*)$` }, example: 'brief' },
  format: { schema: { type: 'string', enum: ['api'] }, example: 'api' },
  of: {
    schema: { type: 'string', pattern: `^(${FACETS.join('|')})(,(${FACETS.join('|')}))*$` },
    example: 'kind,century',
  },
  page: { schema: { type: 'integer', minimum: 1 }, example: 1 },
  prefix: { schema: { type: 'string', maxLength: LONGEST_PREFIX }, example: 'hu' },
  q: { schema: { type: 'string', maxLength: MAX_QUERY_LENGTH }, example: 'city:leiden' },
  sort: { schema: { type: 'string', enum: SORTS }, example: 'name' },
  since: { schema: { type: 'integer', minimum: 1 }, example: 1, required: true },
};

/** The segments of paths that stand for something. */
export const SEGMENTS: Readonly<Record<string, ParameterShape & { description: string }>> = {
  lang: {
    description: 'Language of the answer.',
    schema: { type: 'string', enum: LANGUAGES },
    example: 'en',
  },
  uuid: {
    description: 'UUID of the record.',
    schema: { type: 'string', pattern: `^${UUID_PATTERN}$` },
    example: '00000000-0000-4000-8000-000000000000',
  },
};

/** The path of an endpoint as OpenAPI writes it, with no slash at its end: `/{lang}/api/persons/{uuid}`. */
export function pathTemplate({ atRoot, path }: Route): string {
  const template = `${atRoot ? '' : '/{lang}'}${toTemplate(path)}`;
  return template === '/' ? template : template.replace(/\/$/, '');
}

/** The parameters of an endpoint. */
export function parameterObjects(route: Route): object[] {
  const segments = [...pathTemplate(route).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...SEGMENTS[name],
  }));
  const query = route.parameters.map((name) => ({
    name,
    in: 'query',
    description: PARAMETERS[name],
    ...QUERY_SHAPES[name],
  }));
  const range = {
    name: 'Range',
    in: 'header',
    description: 'The part that is wanted, such as bytes=1000-: to go on with a cut download.',
    schema: { type: 'string' },
  };
  return [...segments, ...query, ...(route.isFile ? [range] : [])];
}
