import {
  abbreviatedEventSchema,
  COLLECTIONS,
  forKinds,
  type Kind,
  listUrl,
  PAGE_SIZE,
  recordPage,
  recordSchemas,
} from '@archiefkast/types';
import {
  briefAbbreviatedSchema,
  briefRecordSchemas,
  envelopeSchema,
  selectedAbbreviatedSchema,
  selectedRecordSchemas,
} from '@archiefkast/types/internal';
import type { z } from 'zod';
import type { Chunk } from '../../edition/chunks.ts';
import { findRecord, keysInRange, missingRecord } from '../find-record.ts';
import { canonicalUrl, formAsked, type ParameterName, pageOf } from '../parameters.ts';
import { invalidPage } from '../problems.ts';
import {
  type Answer,
  type ArchiveRequest,
  jsonContent,
  type Route,
  type RouteDependencies,
} from '../route.ts';

/** The list of a kind. */
export function listRoute(kind: Kind, { reader, baseUrl }: RouteDependencies): Route {
  return {
    path: `/api/${COLLECTIONS[kind]}`,
    name: `List of ${COLLECTIONS[kind]}`,
    description: `All ${COLLECTIONS[kind]} by id, ten per page.`,
    group: 'Records',
    content: jsonContent(...PAGES[kind]),
    parameters: [...FORM_PARAMETERS[kind], 'edition', 'fields', 'format', 'page'],
    async handle(request) {
      const { language, parameters, open } = request;
      const { edition } = open;
      const count = edition.counts[kind];
      const start = (pageOf(parameters) - 1) * PAGE_SIZE;
      const last = lastPage(parameters, count);
      const keys = keysInRange(kind, start, Math.min(start + PAGE_SIZE, count));
      const results = await reader.read(edition, language, keys, formAsked(parameters, [kind]));
      return listAnswer(request, listUrl(baseUrl, language, kind), { count, last, results });
    },
  };
}

/** A single record of a kind. */
export function detailRoute(kind: Kind, dependencies: RouteDependencies): Route {
  const { reader, baseUrl } = dependencies;
  return {
    path: `/api/${COLLECTIONS[kind]}/:uuid`,
    name: `One ${kind}`,
    description: `A single ${kind}, as in the list.`,
    group: 'Records',
    content: jsonContent(...FORMS[kind].flat()),
    parameters: [...FORM_PARAMETERS[kind], 'edition', 'fields', 'format'],
    problems: ['record-gone'],
    async handle(request) {
      const { language, parameters, segment, open } = request;
      const { edition } = open;
      const uuid = segment('uuid');
      const key = await findRecord(dependencies, request, uuid);
      if (key?.kind !== kind) throw await missingRecord(dependencies, request, kind);
      const records = await reader.read(edition, language, [key], formAsked(parameters, [kind]));
      const page = recordPage(baseUrl, language, kind, uuid.toLowerCase());
      const alternate = canonicalUrl(
        page,
        [...parameters].filter(([name]) => name === 'edition'),
      );
      return { body: records.flat(), links: { alternate } };
    },
  };
}

/** The parameter of the form of events, where a response has some. */
export const FORM_PARAMETERS: Readonly<Record<Kind, readonly ParameterName[]>> = {
  ...forKinds(() => []),
  event: ['events'],
};

/** Schemas with all fields, with `fields=brief`, and with selected ones. */
type FormSchemas = readonly [full: z.ZodType, brief: z.ZodType, selected: z.ZodType];

const ABBREVIATED: FormSchemas = [abbreviatedEventSchema, briefAbbreviatedSchema, selectedAbbreviatedSchema];

/** The schemas of a record of each kind, and of events also where they are abbreviated. */
const FORMS: Readonly<Record<Kind, readonly FormSchemas[]>> = forKinds((kind) => [
  [recordSchemas[kind], briefRecordSchemas[kind], selectedRecordSchemas[kind]],
  ...(kind === 'event' ? [ABBREVIATED] : []),
]);

const PAGES = forKinds((kind) =>
  FORMS[kind].flatMap((schemas) =>
    pageSchemas(String(schemas[0].meta()?.['id']), `the list of ${COLLECTIONS[kind]}`, schemas),
  ),
);

/** The schemas of a page, named for OpenAPI. */
export function pageSchemas(name: string, of: string, [full, brief, selected]: FormSchemas): z.ZodType[] {
  const page = (results: z.ZodType, suffix: string, which: string) =>
    envelopeSchema(results).meta({ id: `${name}${suffix}`, description: `A page of ${of}${which}.` });
  return [
    page(full, 'Page', ''),
    page(brief, 'BriefPage', ', with fields=brief'),
    page(selected, 'FieldsPage', ', with the selected fields'),
  ];
}

/**
 * The response of a list: the envelope with its results, and the `Link` header.
 *
 * @param url URL of the list, without query
 * @param page.last the number of the last page
 */
export function listAnswer(
  { parameters, language, open }: ArchiveRequest,
  url: string,
  { count, last, results }: { count: number; last: number; results: readonly Chunk[][] },
): Answer {
  const { id, total } = open.edition;
  const page = pageOf(parameters);
  const api = url.slice(0, url.lastIndexOf('/'));
  const address = (number: number) => {
    const others = [...parameters].filter(([name]) => name !== 'page');
    const pages: [string, string][] = number > 1 ? [['page', String(number)]] : [];
    return canonicalUrl(url, [...others, ...pages].sort());
  };
  const next = page < last ? address(page + 1) : null;
  const previous = page > 1 ? address(page - 1) : null;
  const head = JSON.stringify({ next, previous, count, total, language, results: [] }).slice(0, -2);
  const body = [head, ...results.flatMap((result, index) => (index === 0 ? result : [',', ...result])), ']}'];
  return {
    body,
    links: {
      first: address(1),
      ...(previous !== null && { prev: previous }),
      ...(next !== null && { next }),
      last: address(last),
      // So that who wants all takes the files, and then the changes.
      collection: `${api}/dump/manifest.json`,
      monitor: `${api}/changes.jsonl?since=${id}`,
    },
  };
}

/**
 * The number of the last page; an empty list has one page.
 *
 * @throws Problem if the requested page is beyond it
 */
export function lastPage(parameters: URLSearchParams, count: number, size = PAGE_SIZE): number {
  const last = Math.max(1, Math.ceil(count / size));
  if (pageOf(parameters) > last) throw invalidPage(last);
  return last;
}
