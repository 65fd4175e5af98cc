import { setImmediate as nextTurn } from 'node:timers/promises';
import { nameOf, toRecordView, wordingOf } from '@archiefkast/formats/record-view';
import { RIS_TYPE, risOf } from '@archiefkast/formats/ris';
import { recordPage } from '@archiefkast/types';
import { fileMadeBy } from '../../edition/dumps.ts';
import { type Addresses, originalOf } from '../../edition/identity.ts';
import { notesIn } from '../../edition/notes.ts';
import type { OpenRecordViews } from '../../edition/record-views.ts';
import type { RecordKey } from '../../storage/edition.ts';
import type { ArchiveRequest, Route } from '../route.ts';
import { findHits, MOST_FOUND } from './search.ts';

/** References that are read at once. */
const PART_REFERENCES = 500;

/** The hits of a search as references: one file for a reference manager. */
export function risRoute(addresses: Addresses, openViews: OpenRecordViews): Route {
  /** The references of the pages of records, in order. */
  function readReferences({ open, language }: ArchiveRequest, keys: readonly RecordKey[]): Promise<string> {
    const { archive, id, publishedAt } = open.edition;
    const cited = {
      archiveName: archive?.title?.[language],
      publisher: archive?.publisher?.[language] ?? archive?.title?.[language],
      edition: id,
      day: publishedAt.toISOString().slice(0, 10),
    };
    const base = originalOf(archive, addresses)?.address ?? addresses.baseUrl;
    return openViews(open, language).look((relations) => {
      const references = keys.map((key) => {
        const record = toRecordView(key.kind, relations.graph.card(key.kind, key.position));
        const { uuid } = record;
        return risOf({
          ...cited,
          ...{ uuid, language, title: nameOf(record, language).text },
          summary: wordingOf(record, 'summary', language).text,
          notes: notesIn(archive, relations, key).map((note) => note[language]),
          address: recordPage(base, language, key.kind, uuid),
        });
      });
      return references.join('');
    });
  }

  async function* write(request: ArchiveRequest, hits: readonly RecordKey[]): AsyncGenerator<Buffer> {
    for (let start = 0; start < hits.length; start += PART_REFERENCES) {
      await nextTurn();
      yield Buffer.from(await readReferences(request, hits.slice(start, start + PART_REFERENCES)));
    }
  }

  return {
    path: '/api/search.ris',
    name: 'Hits of a search (RIS)',
    description:
      'Records of all kinds as references to their pages, for Zotero and other reference managers. With q, only those that match, by relevance; with sort, in another order.',
    group: 'Bulk',
    content: { contentType: RIS_TYPE },
    problems: ['too-many-hits'],
    parameters: ['edition', 'q', 'sort'],
    async handle(request) {
      const hits = await findHits(request, { most: MOST_FOUND });
      return { body: fileMadeBy(() => write(request, hits)) };
    },
  };
}
