import { apiReference, COLLECTIONS, isUuid, type Kind } from '@archiefkast/types';
import { positionsBetween } from '../batches.ts';
import type { RecordName } from '../storage/datestamps.ts';
import type { RecordKey } from '../storage/edition.ts';
import { MovedPermanently, Problem } from './problems.ts';
import type { ArchiveRequest, RouteDependencies } from './route.ts';

/** The kind and position of the record that a UUID names in the edition of a request; undefined if none. */
export async function findRecord(
  { queries }: Pick<RouteDependencies, 'queries'>,
  { open: { edition } }: Pick<ArchiveRequest, 'open'>,
  uuid: string,
): Promise<RecordKey | undefined> {
  return isUuid(uuid) ? await queries.findRecord(edition.id, uuid.toLowerCase()) : undefined;
}

/**
 * Why an edition does not have the record that the segment `uuid` of a request names: it is gone, or unknown.
 *
 * @param kind that of the address; undefined if its address is the same for all kinds
 * @param locate the address that takes the place of this one if another record has taken the place of the record, relative to
 *   this one; absent for programs, which would take the other record for the one that they asked for
 */
export async function missingRecord(
  { datestamps, baseUrl }: Pick<RouteDependencies, 'datestamps' | 'baseUrl'>,
  { segment, language }: ArchiveRequest,
  kind?: Kind,
  locate?: (replacement: RecordName) => string,
): Promise<MovedPermanently | Problem> {
  const uuid = segment('uuid').toLowerCase();
  const gone = isUuid(uuid) ? await datestamps.findGone(uuid) : undefined;
  if (!gone || (kind ?? gone.kind) !== gone.kind) {
    const expected = kind ? `a UUID from the list of ${COLLECTIONS[kind]}` : 'the UUID of a record';
    return new Problem('not-found', `No ${kind ?? 'record'} with UUID ${segment('uuid')}.`, expected);
  }
  const { replacedBy } = gone;
  if (replacedBy && locate) return new MovedPermanently(locate(replacedBy));
  const instead = replacedBy ? `; the ${replacedBy.kind} ${replacedBy.uuid} has taken its place` : '';
  const detail = `The ${gone.kind} with UUID ${uuid} is no longer published${instead}.`;
  return new Problem('record-gone', detail, undefined, {
    ...(replacedBy && { replaced_by: apiReference(baseUrl, language, replacedBy.kind, replacedBy.uuid) }),
  });
}

/** The keys of the records of a kind between two offsets in its list. */
export function keysInRange(kind: Kind, start = 0, end = 0): RecordKey[] {
  return positionsBetween(start, end).map((position) => ({ kind, position }));
}
