import { graphOf, type LinkedArchive, type LinkedNode, linksOf } from '@archiefkast/formats/linked-data';
import type { RecordKey } from '../storage/edition.ts';
import { MissingTextError } from '../storage/texts.ts';
import { type Addresses, namingOf } from './identity.ts';
import { notesIn } from './notes.ts';
import type { OpenEdition } from './open-editions.ts';
import type { OpenRecordViews, Relations } from './record-views.ts';

/** Reads records as graphs, in the order of their keys. @throws MissingTextError if one cannot be read */
export type GraphReader = (
  open: OpenEdition,
  keys: readonly RecordKey[],
  options?: Pick<LinkedArchive, 'isWhole'>,
) => Promise<LinkedNode[]>;

/**
 * Creates the reader of graphs: a statement and a look at the relations for all records that are read at once.
 *
 * @param manifestPath the path of the IIIF manifest of a record, if there are manifests
 */
export function createGraphReader(
  addresses: Addresses,
  openViews: OpenRecordViews,
  manifestPath: LinkedArchive['manifestPath'],
): GraphReader {
  return async (open, keys, options) => {
    const { id, archive } = open.edition;
    const views = openViews(open, 'en');
    const found = await views.list(keys);
    if (found.length < keys.length) throw new MissingTextError(id, `one of ${keys.length} records`);
    const linked = {
      ...namingOf(archive, addresses),
      licence: archive?.licence?.url,
      manifestPath,
      ...options,
    };
    return views.look((relations) =>
      found.map(({ record, key }) =>
        graphOf(
          { ...record, notes: notesIn(archive, relations, key) },
          linksIn(linked.isWhole ? withoutCards(relations) : relations, key),
          linked,
        ),
      ),
    );
  };
}

/** The records that a record refers to, by property of its linked data. */
export function linksIn({ referred, card }: Relations, { kind, position }: RecordKey) {
  return linksOf(kind, (other, field) => referred(other, field, position).map((each) => card(other, each)));
}

/** A graph that does not name its linked records needs only their UUIDs. */
function withoutCards(relations: Relations): Relations {
  const { graph } = relations;
  return { ...relations, card: (kind, position) => ({ kind, uuid: graph.uuid(kind, position) }) };
}
