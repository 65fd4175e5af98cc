import {
  type EditionFacts,
  eventPage,
  locationPage,
  type PageContext,
  personPage,
  pictureOrigins,
  recordPath,
  subjectPage,
} from '@archiefkast/site';
import { isUuid, KINDS, PAGE_SEGMENTS } from '@archiefkast/types';
import { HTML } from '../answer/document.ts';
import { noSuchRecord } from '../problems/not-found.ts';
import type { ArchiveRequest, ArchiveRoute, RouteDependencies } from '../routes/route.ts';
import { createPageContext } from './page-context.ts';
import { createPageReader, type PageReader } from './page-reader.ts';
import {
  eventRelations,
  type Found,
  locationRelations,
  personRelations,
  subjectRelations,
} from './record-relations.ts';

/** The page of every record of a kind, at the address that its `url` gives. */
export function recordPageRoutes(dependencies: RouteDependencies): ArchiveRoute[] {
  const { queries, baseUrl } = dependencies;
  return KINDS.map((kind) => ({
    path: `/${PAGE_SEGMENTS[kind]}/:uuid/`,
    name: `Page of a ${kind}`,
    description: `The page of a ${kind}, for people.`,
    group: 'About',
    isPage: true,
    kind,
    content: { contentType: HTML },
    parameters: [],
    async answer(request) {
      const { language, segment, open } = request;
      const uuid = segment('uuid').toLowerCase();
      const position = isUuid(uuid) ? await queries.findPosition(open.edition.id, kind, uuid) : undefined;
      if (position === undefined) throw noSuchRecord(kind, uuid);
      const reader = createPageReader(queries, open, language, baseUrl);
      const [record] = await reader.read([{ kind, position }]);
      if (!record) throw noSuchRecord(kind, uuid);
      const page = createPageContext(dependencies, language, recordPath(language, record), open.edition);
      const html = await render(page, reader, { record, position }, factsOf(request));
      return { contentType: HTML, body: [html], pictures: pictureOrigins(page, record) };
    },
  }));
}

async function render(
  page: PageContext,
  reader: PageReader,
  found: Found,
  facts: EditionFacts,
): Promise<string> {
  const { record } = found;
  switch (record.kind) {
    case 'person':
      return personPage(page, record, await personRelations(reader, found), facts);
    case 'location':
      return locationPage(page, record, await locationRelations(reader, found), facts);
    case 'event':
      return eventPage(page, record, await eventRelations(reader, found), facts);
    case 'subject':
      return subjectPage(page, record, await subjectRelations(reader, found), facts);
  }
}

function factsOf({ language, open: { edition } }: ArchiveRequest): EditionFacts {
  return {
    edition: edition.id,
    publishedAt: edition.publishedAt,
    publisher: edition.archive?.publisher?.[language],
  };
}
