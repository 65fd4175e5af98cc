import {
  type DocsArchive,
  type DocsData,
  type DocsEndpoint,
  type DocsParameter,
  problemPage,
} from '@archiefkast/site';
import type { Event, Kind, Location, Person, Subject } from '@archiefkast/types';
import { z } from 'zod';
import type { EditionReader } from '../../../edition/edition-reader.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import { SEARCH_FIELDS } from '../../../search/index.ts';
import type { Edition } from '../../../storage/edition.ts';
import { PARAMETERS, type Parameter, type ParameterName, SEGMENTS } from '../../parameters.ts';
import { PROBLEMS, type ProblemName } from '../../problems.ts';
import {
  type Answer,
  type FixedAnswer,
  fixedAnswer,
  GROUPS,
  HTML,
  type Route,
  type RouteDependencies,
} from '../../route.ts';
import { createPageContext, type PageSettings } from '../pages/page-context.ts';
import { pathTemplate, problemsOf } from './openapi.ts';

/**
 * Creates the documentation page, cached per edition, with examples from the served archive.
 */
export function createDocsPage(
  routes: readonly Route[],
  { reader, caches, ...settings }: PageSettings & Pick<RouteDependencies, 'reader' | 'caches'>,
): (open: OpenEdition | undefined) => Promise<Answer> {
  const made = caches.open<FixedAnswer>('documentation', ({ byteLength }) => byteLength);
  return (open) => made.fetch(`${open?.edition.key ?? ''} `, () => make(open));

  async function make(open: OpenEdition | undefined): Promise<FixedAnswer> {
    const examples = open && (await chooseExamples(reader, open.edition));
    const page = createPageContext(settings, 'en', 'en/docs', open?.edition);
    const archive = open && examples && describeArchive(open, examples);
    // A large and rarely used module, loaded on first use.
    const { docsPage } = await import('@archiefkast/site/docs');
    return fixedAnswer(
      HTML,
      docsPage(page, { ...describeApi(routes, (route) => firstValues(route, open, examples)), archive }),
    );
  }
}

function describeArchive({ edition }: OpenEdition, examples: Examples): DocsArchive {
  const { id, publishedAt, counts } = edition;
  return { edition: id, publishedAt, counts, examples, queries: exampleQueries(examples) };
}

/** Initial values for the form of an endpoint that give results. */
function firstValues(
  route: Route,
  open: OpenEdition | undefined,
  examples: Examples | undefined,
): FirstValues {
  const kind = route.kind;
  const uuid = kind && examples?.[kind]?.uuid;
  const [query] = examples ? exampleQueries(examples) : [];
  const prefix = [...(examples?.person?.last_name ?? '')].slice(0, 2).join('');
  return {
    field: 'last_name',
    ...(uuid && { uuid }),
    ...(query && { q: query.q }),
    ...(prefix && { prefix }),
    ...(open && { since: String(open.edition.id) }),
  };
}

/** Candidates for the example of a kind. */
const CANDIDATES = 10;

/** An example record of each kind that has records. */
interface Examples {
  person: Person | undefined;
  subject: Subject | undefined;
  location: Location | undefined;
  event: Event | undefined;
}

/** Chooses an example of each kind: among the first ten records, the one with the fewest empty fields. */
async function chooseExamples(reader: EditionReader, edition: Edition): Promise<Examples> {
  const choose = async <OneKind extends Kind>(kind: OneKind) => {
    const positions = Array.from(
      { length: Math.min(CANDIDATES, edition.counts[kind]) },
      (_, index) => index + 1,
    );
    const records = await reader.readValid(edition, 'en', kind, positions);
    return records.toSorted((a, b) => filledFields(b) - filledFields(a))[0];
  };
  return {
    person: await choose('person'),
    subject: await choose('subject'),
    location: await choose('location'),
    event: await choose('event'),
  };
}

/** The number of fields that are not empty. */
function filledFields(record: object): number {
  const isEmpty = (value: unknown) =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.values(record).filter((value) => !isEmpty(value)).length;
}

/** Queries that match these records, with their meanings. */
function exampleQueries({ person, subject, location, event }: Examples): { q: string; meaning: string }[] {
  const year = Number(person?.birth_date?.slice(0, 4));
  const queries: [value: string | undefined, q: string, meaning: string][] = [
    [person?.last_name, `last_name:${person?.last_name}`, 'Persons whose last name contains it.'],
    [person?.last_name, `${person?.last_name}`, 'Records with the word in any text.'],
    [
      person?.birth_date ?? undefined,
      `birth_date:${year - 10}..${year + 10}`,
      'Persons who were born in a range of years.',
    ],
    [
      person?.birth_place,
      `kind:person birth_place:"${person?.birth_place}"`,
      'Two clauses: both must match.',
    ],
    [location?.city, `city:"${location?.city}"`, 'Locations in a city.'],
    [subject?.name, `"${subject?.name}"`, 'An exact phrase, in any text.'],
    [event?.date ?? undefined, `kind:event date:${event?.date?.slice(0, 4)}`, 'Events of a year.'],
  ];
  return queries.flatMap(([value, q, meaning]) => (value ? [{ q, meaning }] : []));
}

/** The initial values of parameters in a form, by name. */
type FirstValues = Readonly<Record<string, string>>;

/** The tables of the API documentation. */
function describeApi(routes: readonly Route[], valuesFor: (route: Route) => FirstValues) {
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
    group: route.group ?? 'About',
    contentType: route.content.contentType,
    isFile: /\.(?:jsonl|csv|geojson)$/.test(route.path),
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
  const { required, schema, description }: Parameter = PARAMETERS[name];
  const value = values[name];
  return {
    name,
    place: 'query',
    meaning: description,
    required: required ?? false,
    ...(value !== undefined && { value }),
    ...choicesOf(schema),
  };
}

const enumSchema = z.object({ enum: z.array(z.string()) });

function choicesOf(schema: object | undefined): { choices?: string[] } {
  const parsed = enumSchema.safeParse(schema);
  return parsed.success ? { choices: parsed.data.enum } : {};
}

/** Creates the help pages of problems on first use; undefined for an unknown name. */
export function createProblemPages(settings: PageSettings): (name: string) => Answer | undefined {
  const made = new Map<string, Answer>();
  return (name) => {
    if (!isProblemName(name)) return undefined;
    const known = made.get(name);
    if (known) return known;
    const page = createPageContext(settings, 'en', `problems/${name}`, undefined);
    const response = fixedAnswer(HTML, problemPage(page, { name, ...PROBLEMS[name] }));
    made.set(name, response);
    return response;
  };
}

function isProblemName(name: string): name is ProblemName {
  return Object.hasOwn(PROBLEMS, name);
}
