import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { isUuid } from '@archiefkast/types/links';
import { NAME_OF_KIND, pageSchema, schemaOf } from './answer-schemas.ts';
import { addressOf, type ClientParts } from './client-parts.ts';
import { createListing, type Listing } from './create-listing.ts';
import { OptionError } from './errors/archive-errors.ts';
import { WrongAnswerError } from './errors/request-errors.ts';
import type { FieldPath, Selected } from './selected.ts';

/** All records of one kind. */
export interface RecordList<Item> extends Listing<Item> {
  /**
   * Reads one record.
   *
   * @throws StatusError with status 404 if the record is unknown
   */
  get(uuid: string): Promise<Item>;
}

/** All records of one kind, with an optional selection of fields. */
export interface SelectableList<Item> extends RecordList<Item> {
  /**
   * The same records with these fields only: `name`, `location.name`. The server refuses unknown ones.
   */
  select<Path extends FieldPath<Item>>(...fields: Path[]): RecordList<Selected<Item, Path>>;
}

/** Creates the list of the records of a kind. */
export function createRecordList<Item>(parts: ClientParts, kind: Kind): SelectableList<Item> {
  return {
    ...listOf<Item>(parts, kind),
    select<Path extends FieldPath<Item>>(...fields: Path[]) {
      return listOf<Selected<Item, Path>>(parts, kind, fields.join(','));
    },
  };
}

function listOf<Item>(parts: ClientParts, kind: Kind, fields?: string): RecordList<Item> {
  const { request, schemas, signal } = parts;
  const path = COLLECTIONS[kind];
  const name = fields === undefined ? NAME_OF_KIND[kind] : undefined;
  const schema = schemaOf<Item>(schemas, name);
  const listing = createListing<Item>({
    ...parts,
    url: addressOf(parts, path, { fields }),
    schema: pageSchema<Item>(schemas, name),
    what: path,
  });
  return {
    ...listing,
    async get(uuid) {
      if (!isUuid(uuid)) throw new OptionError(`uuid: expected a UUID, not "${uuid}"`);
      const url = addressOf(parts, `${path}/${uuid}`, { fields });
      const { body } = await request({ url, schema, expected: `a ${kind}`, signal });
      if (body === undefined) throw new WrongAnswerError(url, `expected a ${kind}, not status 304`, '');
      return body;
    },
  };
}
