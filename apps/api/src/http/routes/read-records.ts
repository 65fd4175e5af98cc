import type { Kind } from '@archiefkast/types';
import type { Chunk } from '../../read/assemble.ts';
import type { RecordPlace } from '../../read/texts.ts';
import { selectionsAsked } from '../request/fields.ts';
import type { ArchiveRequest, RouteDependencies } from './route.ts';

/**
 * The records that a request is answered with, or those fields of them that it asks for.
 *
 * @param kinds the kinds of records that it can be answered with
 * @throws Problem for a field that none of these has
 */
export async function readRecords(
  { reader, fieldReader }: Pick<RouteDependencies, 'reader' | 'fieldReader'>,
  { language, parameters, open: { edition } }: ArchiveRequest,
  kinds: readonly Kind[],
  places: readonly RecordPlace[],
): Promise<Chunk[][]> {
  const selections = selectionsAsked(parameters, kinds);
  return selections
    ? fieldReader.read(edition, language, places, selections)
    : reader.read(edition, language, places);
}
