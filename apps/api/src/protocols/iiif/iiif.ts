import {
  collectionOf,
  IIIF_TYPE,
  itemOf,
  manifestOf,
  manifestPath,
  namesOf,
} from '@archiefkast/formats/iiif';
import { COLLECTIONS, KIND_NAMES, KINDS, type Kind } from '@archiefkast/types';
import { positionsBetween } from '../../batches.ts';
import { askQuery } from '../../edition/ask-query.ts';
import { linksIn } from '../../edition/graphs.ts';
import { namingOf } from '../../edition/identity.ts';
import { notesIn } from '../../edition/notes.ts';
import { findRecord, redirectToReplacement } from '../../http/find-record.ts';
import { queryOfEdition } from '../../http/headers.ts';
import { canonicalUrl, type ParameterName, pageOf } from '../../http/parameters.ts';
import { invalidPage, Problem } from '../../http/problems.ts';
import {
  type Answer,
  type ArchiveRequest,
  json,
  plainRoute,
  type Redirect,
  type Route,
} from '../../http/route.ts';
import { invalidQuery } from '../../http/search-problems.ts';
import { ALL_RECORDS, QueryError } from '../../search/index.ts';
import type { RecordKey } from '../../storage/edition.ts';
import type { Protocol, ProtocolTools } from '../protocol.ts';
import { imageRoutes } from './images.ts';

/** Records among which a page of a collection lists those with pictures. */
const PAGE_RECORDS = 1_000;

/** The path of the collection of all manifests. */
const COLLECTION_PATH = '/iiif/collection.json';

/** Pictures by the IIIF Presentation API 3: a manifest of each record that has some, and collections of these. */
export const IIIF: Protocol = {
  distributions: [
    {
      path: COLLECTION_PATH.slice(1),
      encodingFormat: 'application/ld+json',
      protocol: 'https://iiif.io/api/presentation/3.0/',
      words: { nl: 'Afbeeldingen, als IIIF-manifesten', en: 'Pictures, as IIIF manifests' },
    },
  ],
  manifestPath,
  createRoutes: (tools) => ({
    others: [
      manifestRoute(tools),
      collectionRoute(tools),
      ...KINDS.map((kind) => kindRoute(kind, tools)),
      searchRoute(tools),
      ...imageRoutes(tools),
    ],
  }),
};

function route(
  path: string,
  name: string,
  parameters: readonly ParameterName[],
  handle: (request: ArchiveRequest) => Promise<Answer | Redirect>,
): Route {
  return {
    ...plainRoute(path, name, IIIF_TYPE, handle),
    atRoot: true,
    parameters: ['edition', ...parameters],
  };
}

/** What the documents of an edition are made from. */
function sourcesOf(tools: ProtocolTools, { open, parameters }: ArchiveRequest) {
  const { archive } = open.edition;
  const locate = (path: string) => tools.baseUrl + path + queryOfEdition(parameters);
  return { ...namingOf(archive, tools), hasPages: tools.hasPages, archive, locate, images: tools };
}

/** The manifest of a record. A record that is replaced or gone is as at its persistent address. */
function manifestRoute(tools: ProtocolTools): Route {
  return route('/iiif/:uuid/manifest.json', 'IIIF manifest of a record', [], async (request) => {
    const { open, parameters, segment } = request;
    const key = await findRecord(tools, request, segment('uuid'));
    if (!key) {
      const query = queryOfEdition(parameters);
      return redirectToReplacement(
        tools,
        request,
        undefined,
        ({ uuid }) => `../${uuid}/manifest.json${query}`,
      );
    }
    const views = tools.openViews(open, 'en');
    const [found] = await views.list([key]);
    const { links, notes } = await views.look((relations) => ({
      links: linksIn(relations, key),
      notes: notesIn(open.edition.archive, relations, key),
    }));
    const manifest = found && manifestOf({ ...found.record, notes }, links, sourcesOf(tools, request));
    if (!manifest) throw withoutPictures(key.kind, segment('uuid'));
    return json(manifest);
  });
}

function withoutPictures(kind: Kind, uuid: string): Problem {
  const detail = `The ${kind} with UUID ${uuid.toLowerCase()} has no picture whose width and height are known.`;
  return new Problem('no-pictures', detail, `a record of ${COLLECTION_PATH}`);
}

/** All manifests, by kind. */
function collectionRoute(tools: ProtocolTools): Route {
  return route(COLLECTION_PATH, 'IIIF manifests of all records', [], async (request) => {
    const sources = sourcesOf(tools, request);
    const { title } = sources.archive ?? {};
    const label = title ? { nl: [title.nl], en: [title.en] } : { nl: ['Archief'], en: ['Archive'] };
    const kinds = KINDS.map((kind) => itemOf(sources.locate(pathOf(kind)), 'Collection', labelOf(kind)));
    return json(collectionOf(sources.locate(COLLECTION_PATH), label, kinds, sources));
  });
}

function pathOf(kind: Kind): string {
  return `/iiif/${COLLECTIONS[kind]}.json`;
}

function labelOf(kind: Kind) {
  return { nl: [KIND_NAMES.nl[kind].many], en: [KIND_NAMES.en[kind].many] };
}

/** The manifests of a kind. */
function kindRoute(kind: Kind, tools: ProtocolTools): Route {
  const name = `IIIF manifests of ${COLLECTIONS[kind]}`;
  return route(pathOf(kind), name, ['page'], async (request) => {
    const count = request.open.edition.counts[kind];
    const start = (pageOf(request.parameters) - 1) * PAGE_RECORDS;
    const positions = positionsBetween(start, Math.max(start, Math.min(start + PAGE_RECORDS, count)));
    const keys = positions.map((position) => ({ kind, position }));
    return pageAnswer(tools, request, { path: pathOf(kind), label: labelOf(kind), keys, count });
  });
}

/** The manifests of the records that a query finds, by relevance. */
function searchRoute(tools: ProtocolTools): Route {
  return route('/iiif/search.json', 'IIIF manifests of found records', ['page', 'q'], async (request) => {
    const { open, parameters, signal } = request;
    const q = parameters.get('q') ?? '';
    const start = (pageOf(parameters) - 1) * PAGE_RECORDS;
    const ask = (query: typeof ALL_RECORDS) =>
      open.search.ask((index) => index.search(query, start, PAGE_RECORDS, signal));
    const { count, hits } = q === '' ? await ask(ALL_RECORDS) : await findHits();
    const label = { none: [q || '*'] };
    return pageAnswer(tools, request, { path: '/iiif/search.json', label, keys: hits, count });

    async function findHits() {
      try {
        return (await askQuery(open, q, ask, { signal })).found;
      } catch (error) {
        throw error instanceof QueryError ? invalidQuery(error) : error;
      }
    }
  });
}

/** A page of a collection: the manifests of some records, and at the first page the pages after it. @throws Problem past the last */
async function pageAnswer(
  tools: ProtocolTools,
  request: ArchiveRequest,
  list: { path: string; label: ReturnType<typeof namesOf>; keys: readonly RecordKey[]; count: number },
): Promise<Answer> {
  const { parameters, open } = request;
  const { path, label, keys, count } = list;
  const page = pageOf(parameters);
  const last = Math.max(1, Math.ceil(count / PAGE_RECORDS));
  if (page > last) throw invalidPage(last);
  const sources = sourcesOf(tools, request);
  const address = (number: number) => {
    const others = [...parameters].filter(([name]) => name !== 'page');
    const paged: [string, string][] = number > 1 ? [['page', String(number)]] : [];
    return canonicalUrl(tools.baseUrl + path, [...others, ...paged].sort());
  };
  const pictured = await withPictures(tools, open.edition.id, keys);
  const records = await tools
    .openViews(open, 'en')
    .look(({ card }) => pictured.map(({ kind, position }) => card(kind, position)));
  const manifests = records.map((record) =>
    itemOf(sources.locate(manifestPath(record.uuid)), 'Manifest', namesOf([record])),
  );
  const more = page > 1 ? [] : positionsBetween(1, last);
  const pages = more.map((number) =>
    itemOf(address(number), 'Collection', { nl: [`Pagina ${number}`], en: [`Page ${number}`] }),
  );
  const partOf = page > 1 ? address(1) : tools.baseUrl + COLLECTION_PATH + queryOfEdition(parameters);
  return json(collectionOf(address(page), label, [...manifests, ...pages], { ...sources, partOf }));
}

/** Those of some records that have pictures whose size is known, in the same order: a statement for each kind. */
async function withPictures(
  { queries }: ProtocolTools,
  edition: number,
  keys: readonly RecordKey[],
): Promise<RecordKey[]> {
  const pictured = new Set<string>();
  for (const [kind, some] of Map.groupBy(keys, ({ kind }) => kind)) {
    const positions = some.map(({ position }) => position);
    for (const [position, { pictures }] of await queries.supplementsAt(edition, kind, positions))
      if (pictures) pictured.add(`${kind} ${position}`);
  }
  return keys.filter(({ kind, position }) => pictured.has(`${kind} ${position}`));
}
