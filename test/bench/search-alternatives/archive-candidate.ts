import { rm, stat } from 'node:fs/promises';
import {
  buildSearchIndex,
  type IndexedRecord,
  openSearchIndex,
  parseQuery,
  type SearchIndex,
} from '../../../apps/api/src/search/index.ts';
import { type Candidate, PAGE } from './candidate.ts';

/**
 * The archive's own index, asked through its thread as the server does. Each query carries a number, so that none is
 * answered from the hits kept of an earlier one.
 *
 * @param field the person's field that holds the value
 * @param query what is typed to ask for a value
 */
export function createArchiveIndex(
  file: string,
  field: 'last_name' | 'content_nl',
  query: (wanted: string) => string,
): Candidate {
  let index: SearchIndex | undefined;
  let asked = 0;
  return {
    name: "the archive's own index file",
    async build(values) {
      const records = async function* (): AsyncGenerator<IndexedRecord> {
        for (const [row, value] of values.entries()) {
          yield { kind: 'person', position: row + 1, record: { [field]: value } };
        }
      };
      await buildSearchIndex(file, records());
      index = await openSearchIndex(file);
    },
    async answer(wanted) {
      asked += 1;
      const result = await index?.search(Object.assign(parseQuery(query(wanted)), { asked }), 0, PAGE);
      return {
        count: result?.count ?? 0,
        first: result?.hits.map(({ position }) => position - 1) ?? [],
      };
    },
    async size() {
      return (await stat(file)).size;
    },
    async close() {
      await index?.close();
      await rm(file);
    },
  };
}
