import { problemSchema } from '@archiefkast/types';
import { z } from 'zod';
import { VERSION } from '../../../version.ts';
import { PARAMETERS, type Parameter, type ParameterName, SEGMENTS } from '../../parameters.ts';
import { PROBLEMS, type ProblemName } from '../../problems.ts';
import { FORM_TYPE } from '../../read-form.ts';
import { type Content, GROUPS, type Route, toTemplate } from '../../route.ts';
import { describeApi } from './description.ts';

/** The parameters, of which those of pages alone have no schema. */
const DESCRIBED: Readonly<Record<ParameterName, Parameter>> = PARAMETERS;

/**
 * Builds the OpenAPI 3.1 document.
 *
 * @param baseUrl base of every path
 */
export function buildOpenApi(routes: readonly Route[], baseUrl: string): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Archiefkast API',
      summary: 'A historical archive as read-only JSON.',
      description: describeApi(baseUrl),
      version: VERSION,
      contact: { name: 'The publisher of this archive', url: `${baseUrl}/en/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This archive.' }],
    externalDocs: { url: `${baseUrl}/docs`, description: 'The documentation for people.' },
    security: [],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      routes.map((route) => [
        pathTemplate(route),
        { get: operation(route), ...(route.takesForms && { post: formOperation(route) }) },
      ]),
    ),
    components: { schemas: namedSchemas() },
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

/** The same by POST, with the parameters as a form. */
function formOperation(route: Route): object {
  const properties = Object.fromEntries(
    route.parameters.map((name) => [
      name,
      { ...DESCRIBED[name].schema, description: DESCRIBED[name].description },
    ]),
  );
  const named = { ...route, name: `${route.name} by form`, parameters: [] };
  return {
    ...operation({ ...named, problems: [...problemsOf(route), 'invalid-form'] }),
    requestBody: { content: { [FORM_TYPE]: { schema: { type: 'object', properties } } } },
  };
}

/** Converts "All persons (jsonl)" to `allPersonsJsonl`. */
function operationId(name: string): string {
  const [first = '', ...others] = name.toLowerCase().match(/\w+/g) ?? [];
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The path of an endpoint for OpenAPI, without a final slash: `/{lang}/api/persons/{uuid}`. */
function pathTemplate({ atRoot, path }: Route): string {
  const template = `${atRoot ? '' : '/{lang}'}${toTemplate(path)}`;
  return template === '/' ? template : template.replace(/\/$/, '');
}

function parameterObjects(route: Route): object[] {
  const segments = [...pathTemplate(route).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(SEGMENTS[name] && parameterObject(SEGMENTS[name])),
  }));
  const query = route.parameters.map((name) => ({
    name,
    in: 'query',
    ...parameterObject(DESCRIBED[name]),
  }));
  const range = {
    name: 'Range',
    in: 'header',
    description: 'Range of the file, such as bytes=1000-, to resume a download.',
    schema: { type: 'string' },
  };
  return [...segments, ...query, ...(route.content.hasRanges ? [range] : [])];
}

function parameterObject({ description, schema, example, required }: Parameter): object {
  return { description, schema, ...(example !== undefined && { example }), ...(required && { required }) };
}

const ALWAYS: readonly ProblemName[] = [
  'precondition-failed',
  'bad-request',
  'internal-error',
  'not-current',
];

const OF_EDITIONS: readonly ProblemName[] = [
  'nothing-published',
  'database-unavailable',
  'overloaded',
  'starting',
];

/** The problems of an endpoint, besides those of any request. */
function problemsOf(route: Route): ProblemName[] {
  const names = [
    ...(route.dependsOn === 'program' ? [] : OF_EDITIONS),
    ...(route.path.includes(':') ? (['not-found'] as const) : []),
    ...(route.content.hasRanges ? (['invalid-range'] as const) : []),
    ...(route.problems ?? []),
    ...route.parameters.flatMap((name): readonly ProblemName[] => DESCRIBED[name].problems ?? []),
  ];
  return [...new Set(names)];
}

function responseObjects(route: Route): Record<string, object> {
  const byStatus = Map.groupBy([...ALWAYS, ...problemsOf(route)], (name) => PROBLEMS[name].status);
  const problems = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, ofStatus]) => [
      String(status),
      {
        description: `${ofStatus.map((name) => `${PROBLEMS[name].title.en} (${name})`).join('; ')}.`,
        content: contentObject({ contentType: 'application/problem+json', schemas: [problemSchema] }),
      },
    ]);
  return {
    '200': { description: route.description, content: contentObject(route.content) },
    ...(route.content.hasRanges && {
      '206': {
        description: 'The requested range of the file.',
        content: contentObject(route.content),
      },
    }),
    '304': { description: 'Not modified since the version in If-None-Match or If-Modified-Since.' },
    ...Object.fromEntries(problems),
  };
}

function contentObject({ contentType, schemas = [] }: Content): object {
  const references = schemas
    .map((schema) => schema.meta()?.['id'])
    .filter((id) => typeof id === 'string')
    .map(schemaReference);
  const [only, ...others] = references;
  return { [contentType]: only ? { schema: others.length > 0 ? { anyOf: references } : only } : {} };
}

function schemaReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The named schemas and those that they use, as JSON Schema 2020-12, as OpenAPI 3.1 needs. */
function namedSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (name) => schemaReference(name).$ref });
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, { $schema, $id, ...schema }]) => [name, schema] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
