import type { DatasetFacts, Distribution } from '@archiefkast/formats/dataset';
import { KIND_NAMES, LANGUAGES } from '@archiefkast/types';
import { DUMP_FORMATS, DUMPS, SUPPLEMENT_DUMP } from '../edition/dump-names.ts';
import { type Addresses, namingOf } from '../edition/identity.ts';
import type { OpenRecordViews } from '../edition/record-views.ts';
import type { ArchiveRequest } from './route.ts';

/** The name of these routes. */
export const DATASET = 'The archive as a dataset';

const IN = { nl: { nl: 'in het Nederlands', en: 'in het Engels' }, en: { nl: 'in Dutch', en: 'in English' } };

/** What the archive can be had as in any case: dumps in both languages, and the API. */
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
    path: 'en/api',
    encodingFormat: 'application/json',
    protocol: 'https://spec.openapis.org/oas/v3.1.0',
    words: { nl: 'API, beschreven door openapi.json', en: 'API, described by openapi.json' },
  },
];

/** What is known of the archive as a dataset, in the edition of a request. */
export type ReadDatasetFacts = (request: ArchiveRequest) => Promise<DatasetFacts>;

/**
 * Creates the reader of what is known of the archive. The period is that of the events, if the archive does not say it.
 *
 * @param offered what protocols offer besides
 */
export function createDatasetFacts(
  addresses: Addresses,
  openViews: OpenRecordViews,
  offered: readonly Distribution[],
): ReadDatasetFacts {
  const all = [...DISTRIBUTIONS, ...offered];
  // Files come before services.
  const distributions = [
    ...all.filter(({ protocol }) => !protocol),
    ...all.filter(({ protocol }) => protocol),
  ];
  return async ({ open }) => {
    const { archive, ...edition } = open.edition;
    const decades = archive?.coverage?.period
      ? []
      : await openViews(open, 'en').look(({ graph }) => [...graph.countDecades().keys()]);
    const [first, last] = [decades[0], decades.at(-1)];
    const year = (number: number) => String(number).padStart(4, '0');
    const period =
      first !== undefined && last !== undefined ? `${year(first * 10)}/${year(last * 10 + 9)}` : undefined;
    const coverage = { period, ...archive?.coverage };
    return { ...namingOf(archive, addresses), archive: { ...archive, coverage }, edition, distributions };
  };
}
