import { PROBLEMS, type ProblemName } from '../problems/problems.ts';
import type { Content, ParameterName, Route } from '../routes/route.ts';
import { schemaReference } from './schemas.ts';

/** What can be wrong with any request. */
const ALWAYS: readonly ProblemName[] = [
  'bad-request',
  'request-timeout',
  'expectation-failed',
  'url-too-long',
  'headers-too-large',
  'internal-error',
];

/** What can be wrong with a request that is answered from an edition. */
const OF_EDITIONS: readonly ProblemName[] = [
  'unknown-parameter',
  'nothing-published',
  'edition-changing',
  'database-unavailable',
  'overloaded',
  'starting',
];

/** What can keep a search from being answered. */
const OF_SEARCH: readonly ProblemName[] = ['search-timeout', 'search-busy', 'search-unavailable'];

/** What can be wrong with a parameter. */
const OF_PARAMETERS: Readonly<Record<ParameterName, readonly ProblemName[]>> = {
  bbox: ['invalid-bbox', ...OF_SEARCH],
  edition: ['invalid-edition', 'no-such-edition', 'edition-gone'],
  field: ['invalid-suggestion', ...OF_SEARCH],
  fields: ['invalid-fields'],
  format: ['invalid-format'],
  of: ['invalid-facet', ...OF_SEARCH],
  page: ['invalid-page'],
  prefix: ['invalid-suggestion'],
  q: ['invalid-query', ...OF_SEARCH],
  sort: ['invalid-sort', ...OF_SEARCH],
  since: ['invalid-edition', 'no-such-edition', 'edition-gone'],
};

/** The kinds of problem that an endpoint may answer with, beside those of every endpoint. */
export function problemsOf(route: Route): ProblemName[] {
  const names = [
    ...('answer' in route ? OF_EDITIONS : []),
    ...(route.path.includes(':') ? (['not-found'] as const) : []),
    ...(route.isFile ? (['invalid-range'] as const) : []),
    ...(route.problems ?? []),
    ...route.parameters.flatMap((parameter) => OF_PARAMETERS[parameter]),
  ];
  return [...new Set(names)];
}

/** The headers of a success. */
const HEADERS = ['ETag', 'Last-Modified', 'Cache-Control', 'Content-Language', 'X-Request-Id'];

/** The headers of answers, and what they say. */
export const HEADER_OBJECTS = {
  ETag: 'Names this version of the answer: send it back in If-None-Match.',
  'Last-Modified': 'When the edition was published.',
  'Cache-Control': 'How long the answer may be kept.',
  'Content-Language': 'Language of the answer.',
  'X-Request-Id': 'Number of the request in the log of the server.',
  'Archive-Edition': 'Number of the edition that the answer comes from.',
  Link: 'Addresses that belong to this one (RFC 8288), such as the next page.',
  'Content-Range': 'Which part of the file this is.',
} as const;

/** The answers of an endpoint, by status. */
export function responseObjects(route: Route): Record<string, object> {
  const names = 'answer' in route ? [...HEADERS, 'Archive-Edition', 'Link'] : HEADERS;
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const byStatus = Map.groupBy([...ALWAYS, ...problemsOf(route)], (name) => PROBLEMS[name].status);
  const problems = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, ofStatus]) => [
      String(status),
      {
        description: `${ofStatus.map((name) => `${PROBLEMS[name].title.en} (${name})`).join('; ')}.`,
        content: { 'application/problem+json': { schema: schemaReference('Problem') } },
      },
    ]);
  return {
    '200': { description: route.description, headers, content: contentObject(route.content) },
    ...(route.isFile && {
      '206': {
        description: 'The part of the file that Range asks for.',
        headers: { ...headers, 'Content-Range': { $ref: '#/components/headers/Content-Range' } },
        content: contentObject(route.content),
      },
    }),
    '304': { description: 'The version that If-None-Match or If-Modified-Since names is still the newest.' },
    ...Object.fromEntries(problems),
  };
}

function contentObject({ contentType, schema, selectedSchema }: Content): object {
  const references = [schema, selectedSchema]
    .map((each) => each?.meta()?.['id'])
    .filter((id) => typeof id === 'string')
    .map(schemaReference);
  const [only, ...others] = references;
  return { [contentType]: only ? { schema: others.length > 0 ? { anyOf: references } : only } : {} };
}
