import { graphOf, type LinkedArchive, type LinkedNode } from '@archiefkast/formats/linked-data';
import { linksOf } from '@archiefkast/site/kinds';
import type { OpenEdition } from '../../edition/follow-editions.ts';
import type { RecordKey } from '../../storage/edition.ts';
import { MissingTextError } from '../../storage/texts.ts';
import type { RouteDependencies } from '../route.ts';
import { nodeAt, type OpenPageReader, type PageGraph } from './pages/page-data.ts';

/** Reads records as graphs, in the order of their keys. */
export type GraphReader = (
  open: OpenEdition,
  keys: readonly RecordKey[],
  options?: Pick<LinkedArchive, 'isWhole'>,
) => Promise<LinkedNode[]>;

/** Creates the reader of graphs: a statement and a look at the relations for all records that are read at once. */
export function createGraphReader(
  { baseUrl }: Pick<RouteDependencies, 'baseUrl'>,
  openReader: OpenPageReader,
): GraphReader {
  return async (open, keys, options) => {
    const { id, archive } = open.edition;
    const reader = openReader(open, 'en');
    const found = await reader.read(keys);
    if (found.length < keys.length) throw new MissingTextError(id, `one of ${keys.length} records`);
    const linked = { baseUrl, licence: archive?.licence?.url, ...options };
    return reader.look((look) => {
      const linking = linked.isWhole ? withoutCards(look) : look;
      return found.map(({ record, key: { kind, position } }) =>
        graphOf(record, linksOf(nodeAt(linking, kind, position)), linked),
      );
    });
  };
}

/** A graph that does not name its linked records needs only their UUIDs. */
function withoutCards(look: PageGraph): PageGraph {
  return { ...look, listed: (kind, position) => ({ kind, uuid: look.graph.uuid(kind, position) }) };
}
