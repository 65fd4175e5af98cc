import { apiReference, COLLECTIONS, isUuid, type Kind } from '@archiefkast/types';
import { positionsBetween } from '../batches.ts';
import type { Datestamps, RecordName } from '../storage/datestamps.ts';
import type { RecordKey } from '../storage/edition.ts';
import { Problem } from './problems.ts';
import type { ArchiveRequest, Redirect, RouteDependencies } from './route.ts';

/** The kind and position of the record that a UUID names in the edition of a request; undefined if none. */
export async function findRecord(
  { queries }: Pick<RouteDependencies, 'queries'>,
  { open: { edition } }: Pick<ArchiveRequest, 'open'>,
  uuid: string,
): Promise<RecordKey | undefined> {
  return isUuid(uuid) ? await queries.findRecord(edition.id, uuid.toLowerCase()) : undefined;
}

type Archive = Pick<RouteDependencies, 'datestamps' | 'baseUrl'>;
type GoneRecord = Awaited<ReturnType<Datestamps['findGone']>>;

/**
 * Where a reader is led who asks for a record that the edition does not have, because another one has replaced it. Programs are not
 * led there: they would take it for the record that they asked for.
 *
 * @param kind that of the address; undefined if its address is the same for all kinds
 * @param locate the address of the other record, relative to that of the request
 * @throws Problem if no other record has replaced it
 */
export async function redirectToReplacement(
  archive: Archive,
  request: ArchiveRequest,
  kind: Kind | undefined,
  locate: (replacement: RecordName) => string,
): Promise<Redirect> {
  const gone = await findGone(archive, request, kind);
  if (!gone?.replacedBy) throw problemOf(archive, request, kind, gone);
  return { location: locate(gone.replacedBy), status: 301 };
}

/** Why an edition does not have the record of a kind that the segment `uuid` of a request names: it is gone, or unknown. */
export async function missingRecord(archive: Archive, request: ArchiveRequest, kind: Kind): Promise<Problem> {
  return problemOf(archive, request, kind, await findGone(archive, request, kind));
}

async function findGone(
  { datestamps }: Archive,
  { segment }: ArchiveRequest,
  kind: Kind | undefined,
): Promise<GoneRecord> {
  const uuid = segment('uuid').toLowerCase();
  const gone = isUuid(uuid) ? await datestamps.findGone(uuid) : undefined;
  return gone && (kind ?? gone.kind) === gone.kind ? gone : undefined;
}

function problemOf(
  { baseUrl }: Archive,
  { segment, language }: ArchiveRequest,
  kind: Kind | undefined,
  gone: GoneRecord,
): Problem {
  if (!gone) {
    const expected = kind ? `a UUID from the list of ${COLLECTIONS[kind]}` : 'the UUID of a record';
    return new Problem('not-found', `No ${kind ?? 'record'} with UUID ${segment('uuid')}.`, expected);
  }
  const { replacedBy } = gone;
  const instead = replacedBy ? `; the ${replacedBy.kind} ${replacedBy.uuid} has taken its place` : '';
  const detail = `The ${gone.kind} with UUID ${segment('uuid').toLowerCase()} is no longer published${instead}.`;
  return new Problem('record-gone', detail, undefined, {
    ...(replacedBy && { replaced_by: apiReference(baseUrl, language, replacedBy.kind, replacedBy.uuid) }),
  });
}

/** The keys of the records of a kind between two offsets in its list. */
export function keysInRange(kind: Kind, start = 0, end = 0): RecordKey[] {
  return positionsBetween(start, end).map((position) => ({ kind, position }));
}
