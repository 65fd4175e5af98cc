import { type DatasetFacts, type Distribution, datasetOf } from '@archiefkast/formats/dataset';
import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { KIND_NAMES, LANGUAGES } from '@archiefkast/types';
import { listDecades } from '../../edition/decades.ts';
import { DUMP_FORMATS, DUMPS, LINKED_DUMP, SUPPLEMENT_DUMP } from '../../edition/dump-names.ts';
import type { OpenRecordViews } from '../../edition/record-views.ts';
import { linkedDataOf } from '../headers.ts';
import { type ArchiveRequest, HTML, plainRoute, type Route, type RouteDependencies } from '../route.ts';

/** The name of these routes. */
export const DATASET = 'The archive as a dataset';

const IN = { nl: { nl: 'in het Nederlands', en: 'in het Engels' }, en: { nl: 'in Dutch', en: 'in English' } };

/** What the archive can be had as: dumps in both languages, and services. */
const DISTRIBUTIONS: readonly Distribution[] = [
  ...LANGUAGES.flatMap((language) =>
    DUMPS.map(({ kind, format, path }) => ({
      path: language + path,
      encodingFormat: DUMP_FORMATS[format].contentType.split(';', 1)[0] ?? '',
      words: {
        nl: `${KIND_NAMES.nl[kind].many} (${format}), ${IN.nl[language]}`,
        en: `${KIND_NAMES.en[kind].many} (${format}), ${IN.en[language]}`,
      },
    })),
  ),
  {
    path: `en${SUPPLEMENT_DUMP.path}`,
    encodingFormat: SUPPLEMENT_DUMP.contentType,
    words: {
      nl: 'Wat andere bestanden niet kunnen zeggen (jsonl)',
      en: 'What other files cannot say (jsonl)',
    },
  },
  {
    path: `en${LINKED_DUMP.path}`,
    encodingFormat: LINKED_DUMP.mediaType,
    words: { nl: 'Alle records als linked data (N-Triples)', en: 'All records as linked data (N-Triples)' },
  },
  {
    path: 'en/api',
    encodingFormat: 'application/json',
    protocol: 'https://spec.openapis.org/oas/v3.1.0',
    words: { nl: 'API, beschreven door openapi.json', en: 'API, described by openapi.json' },
  },
  {
    path: 'oai?verb=Identify',
    encodingFormat: 'text/xml',
    protocol: 'http://www.openarchives.org/OAI/openarchivesprotocol.html',
    words: { nl: 'OAI-PMH, voor aggregatoren', en: 'OAI-PMH, for aggregators' },
  },
  {
    path: 'en/reconcile',
    encodingFormat: 'application/json',
    protocol: 'https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/',
    words: { nl: 'Namen vergelijken, voor OpenRefine', en: 'Matching of names, for OpenRefine' },
  },
];

/** What is known of the archive as a dataset, in the edition of a request. */
export type ReadDatasetFacts = (request: ArchiveRequest) => Promise<DatasetFacts>;

/** Creates the reader of what is known of the archive. The period is that of the events, if the archive does not say it. */
export function createDatasetFacts(baseUrl: string, openViews: OpenRecordViews): ReadDatasetFacts {
  return async ({ open }) => {
    const { archive = { title: { nl: 'Archief', en: 'Archive' } }, ...edition } = open.edition;
    const decades = archive.coverage?.period
      ? []
      : await openViews(open, 'en').look(({ graph }) => listDecades(graph));
    const [first, last] = [decades[0], decades.at(-1)];
    const year = (number: number) => String(number).padStart(4, '0');
    const period = first && last ? `${year(first.start)}/${year(last.start + 9)}` : undefined;
    const coverage = { period, ...archive.coverage };
    return { baseUrl, archive: { ...archive, coverage }, edition, distributions: DISTRIBUTIONS };
  };
}

/** The archive as a dataset, as registers read it: an address that leads to the page or to linked data, and the latter. */
export function datasetRoutes({ hasPages }: RouteDependencies, readFacts: ReadDatasetFacts): Route[] {
  const route = (path: string, contentType: string, handle: Route['handle']): Route => ({
    ...plainRoute(path, DATASET, contentType, handle),
    ...{ atRoot: true, parameters: ['edition'] },
  });
  return [
    ...Object.entries(LINKED_FORMS).map(([form, { contentType, write }]) =>
      route(`/dataset.${form}`, contentType, async (request) => ({
        body: [write(datasetOf(await readFacts(request)))],
      })),
    ),
    {
      ...route('/dataset', HTML, (request) => {
        const page = hasPages ? `./${request.preferredLanguage}/dataset/` : './dataset.jsonld';
        return linkedDataOf(request, './dataset') ?? { location: page, status: 303 };
      }),
      dependsOn: 'state',
    },
  ];
}
