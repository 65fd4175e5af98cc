import { LINKED_DUMP } from '../../edition/dump-names.ts';
import type { Protocol } from '../protocol.ts';
import { datasetRoutes } from './dataset.ts';
import { identityRoutes } from './identity.ts';
import { linkedDumpRoute } from './linked-dump.ts';

/** Linked data: of each record at its persistent address, of the archive as a dataset, and of all records in one file. */
export const LINKED_DATA: Protocol = {
  distributions: [
    {
      path: `en${LINKED_DUMP.path}`,
      encodingFormat: LINKED_DUMP.mediaType,
      words: { nl: 'Alle records als linked data (N-Triples)', en: 'All records as linked data (N-Triples)' },
    },
  ],
  createRoutes: (tools) => ({
    documented: [linkedDumpRoute(tools)],
    others: [...identityRoutes(tools), ...datasetRoutes(tools)],
  }),
};
