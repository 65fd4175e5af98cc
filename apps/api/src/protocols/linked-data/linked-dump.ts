import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { KINDS } from '@archiefkast/types';
import { LINKED_DUMP } from '../../edition/dump-names.ts';
import { fileMadeBy } from '../../edition/dumps.ts';
import type { OpenEdition } from '../../edition/open-editions.ts';
import { keysInRange } from '../../http/find-record.ts';
import type { Route } from '../../http/route.ts';
import type { ProtocolTools } from '../protocol.ts';

/** Compresses in another thread, at a level that takes less time than writing. */
const compress = (text: string) => promisify<string, ZlibOptions, Buffer>(gzip)(text, { level: 3 });

/** Records of the dump of linked data that are in memory at once. */
const PART_GRAPHS = 500;

/** All records as linked data, in both languages. */
export function linkedDumpRoute({ readGraphs }: ProtocolTools): Route {
  /** Each part is compressed while the next one is written: members of one file in gzip. */
  async function* write(open: OpenEdition): AsyncGenerator<Buffer> {
    let compressed = compress('');
    for (const kind of KINDS) {
      const count = open.edition.counts[kind];
      for (let start = 0; start < count; start += PART_GRAPHS) {
        await nextTurn();
        const keys = keysInRange(kind, start, Math.min(start + PART_GRAPHS, count));
        const graphs = await readGraphs(open, keys, { isWhole: true });
        yield await compressed;
        compressed = compress(graphs.map(LINKED_FORMS.nt.write).join(''));
      }
    }
    yield await compressed;
  }
  const { path, contentType } = LINKED_DUMP;
  return {
    path,
    name: 'All records as linked data (N-Triples)',
    description:
      'All records as linked data in both languages, in N-Triples, compressed. The same in every language.',
    group: 'Bulk',
    content: { contentType, isCompressed: true },
    parameters: ['edition'],
    handle: ({ open }) => ({ body: fileMadeBy(() => write(open)) }),
  };
}
