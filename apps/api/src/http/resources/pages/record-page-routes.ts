import {
  eventPage,
  locationPage,
  type PageContext,
  type PageRecord,
  personPage,
  type RecordPageFacts,
  recordPath,
  subjectPage,
} from '@archiefkast/site';
import { isUuid, KINDS, type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import type { GraphOrder } from '../../../search/index.ts';
import { noSuchRecord } from '../../problems.ts';
import { type ArchiveRequest, HTML, type Route } from '../../route.ts';
import { createPageContext } from './page-context.ts';
import type { PageDependencies, PageGraph } from './page-reader.ts';
import {
  eventRelations,
  locationRelations,
  neighbours,
  personRelations,
  subjectRelations,
} from './record-relations.ts';

/** The pages of records, at the addresses in their field `url`. */
export function recordPageRoutes(dependencies: PageDependencies): Route[] {
  const { openPages } = dependencies;
  return KINDS.map((kind) => ({
    path: `/${PAGE_SEGMENTS[kind]}/:uuid/`,
    name: `Page of a ${kind}`,
    description: `The page of a ${kind}, for people.`,
    kind,
    content: { contentType: HTML },
    parameters: ['edition'],
    async handle(request) {
      const { language, parameters, segment, open } = request;
      const uuid = segment('uuid').toLowerCase();
      const reader = openPages(open, language);
      const found = isUuid(uuid) ? await reader.readByUuid(kind, uuid) : undefined;
      if (!found) throw noSuchRecord(kind, uuid);
      const { record, position } = found;
      const path = recordPath(language, record);
      const page = createPageContext(dependencies, language, path, open.edition, parameters.get('edition'));
      const html = await reader.look((graph) =>
        RENDERERS[kind](
          page,
          record,
          { graph, position, byName: reader.byName },
          {
            ...factsOf(request),
            neighbours: neighbours(graph, kind, position, kind === 'event' ? 'date' : reader.byName),
          },
        ),
      );
      return { contentType: HTML, body: [html] };
    },
  }));
}

/** The position of a record in the graph of records, and the order of names on its page. */
interface GraphPosition {
  graph: PageGraph;
  position: number;
  byName: GraphOrder;
}

type Renderer = (page: PageContext, record: PageRecord, at: GraphPosition, facts: RecordPageFacts) => string;

const RENDERERS: Readonly<Record<Kind, Renderer>> = {
  person: (page, record, { graph, position, byName }, facts) =>
    personPage(page, record, personRelations(graph, position, byName), facts),
  subject: (page, record, { graph, position, byName }, facts) =>
    subjectPage(page, record, subjectRelations(graph, position, byName), facts),
  location: (page, record, { graph, position, byName }, facts) =>
    locationPage(page, record, locationRelations(graph, position, byName), facts),
  event: (page, record, { graph, position, byName }, facts) =>
    eventPage(page, record, eventRelations(graph, position, byName), facts),
};

function factsOf({ language, open: { edition } }: ArchiveRequest): Omit<RecordPageFacts, 'neighbours'> {
  return {
    edition: edition.id,
    publishedAt: edition.publishedAt,
    publisher: edition.archive?.publisher?.[language],
  };
}
