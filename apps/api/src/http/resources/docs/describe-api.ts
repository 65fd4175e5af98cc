import type { DocsData, DocsEndpoint, DocsParameter } from '@archiefkast/site';
import { z } from 'zod';
import { SEARCH_FIELDS } from '../../../search/index.ts';
import { GROUPS, PARAMETERS, type ParameterName, type Route } from '../../contract/route.ts';
import { PROBLEMS } from '../../problems/problems.ts';
import { pathTemplate, problemsOf, QUERY_SHAPES, SEGMENTS } from './openapi.ts';

/** What the values of parameters are at first, by name: so that a form finds something as it stands. */
export type FirstValues = Readonly<Record<string, string>>;

/** The tables of the API as its documentation shows them. */
export function describeApi(routes: readonly Route[], valuesFor: (route: Route) => FirstValues) {
  return {
    groups: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    endpoints: routes.map((route) => describeEndpoint(route, valuesFor(route))),
    searchFields: SEARCH_FIELDS,
    problems: Object.entries(PROBLEMS).map(([name, { status, title }]) => ({
      name,
      status,
      title: title.en,
    })),
  } satisfies Partial<DocsData>;
}

function describeEndpoint(route: Route, values: FirstValues): DocsEndpoint {
  const path = pathTemplate(route);
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    path,
    name: route.name,
    description: route.description,
    group: route.group,
    contentType: route.content.contentType,
    isFile: route.isFile ?? false,
    problems: problemsOf(route).filter((name) => PROBLEMS[name].status < 500),
    parameters: [
      ...segments.map((name) => describeSegment(name, values)),
      ...route.parameters.map((name) => describeParameter(name, values)),
    ],
  };
}

function describeSegment(name: string, values: FirstValues): DocsParameter {
  const { description = '', example = '', schema } = SEGMENTS[name] ?? {};
  const value = values[name] ?? String(example);
  return { name, place: 'path', meaning: description, required: true, value, ...choicesOf(schema) };
}

function describeParameter(name: ParameterName, values: FirstValues): DocsParameter {
  const { required = false, schema } = QUERY_SHAPES[name];
  const value = values[name];
  return {
    name,
    place: 'query',
    meaning: PARAMETERS[name],
    required,
    ...(value !== undefined && { value }),
    ...choicesOf(schema),
  };
}

const enumSchema = z.object({ enum: z.array(z.string()) });

function choicesOf(schema: object | undefined): { choices?: string[] } {
  const parsed = enumSchema.safeParse(schema);
  return parsed.success ? { choices: parsed.data.enum } : {};
}
