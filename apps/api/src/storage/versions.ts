import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kind } from '@archiefkast/types';
import type { Database } from './connect.ts';
import type { EditionContents } from './edition.ts';
import { codeOf, kindOf } from './stored-texts.ts';

/** A version of a record, as the database has it. */
export interface StoredVersion {
  version: number;
  uuid: string;
  /** Digest of all that its texts were rendered from. */
  input: string;
  /** Differs where what the record says of itself differs. */
  digest: string;
  measures: string;
  /** Its position in the edition that was asked for; null if that has another version, or none. */
  position: number | null;
  /** Since when the record says this, in milliseconds since 1970; null: since that edition was published. */
  changedAt: number | null;
  /** Digest of what harvesters are shown of the record in that edition; null if that has another version, or none. */
  shown: string | null;
  /** Since when they are shown this, in milliseconds since 1970; null: since that edition is served. */
  datestamp: number | null;
}

/** Versions per statement. */
const BATCH_VERSIONS = 5_000;

/** The numbers of all records that the database has, by kind and uuid; one that has several versions comes repeatedly. */
export async function* listRecordNumbers(
  database: Database,
): AsyncGenerator<{ kind: Kind; uuid: string; number: number }> {
  for (let last = 0; ; ) {
    await nextTurn();
    const rows: { version: number; record: number; kind: number; uuid: string }[] = await database('versions')
      .select('version', 'record', 'kind', 'uuid')
      .where('version', '>', last)
      .orderBy('version')
      .limit(BATCH_VERSIONS);
    for (const { kind, uuid, record } of rows) yield { kind: kindOf(kind), uuid, number: record };
    if (rows.length < BATCH_VERSIONS) return;
    last = rows.at(-1)?.version ?? last;
  }
}

/** The versions that the database has of records of a kind. @param edition that in which they have a position */
export async function listVersions(
  database: Database,
  kind: Kind,
  uuids: readonly string[],
  edition: EditionContents | undefined,
): Promise<StoredVersion[]> {
  if (uuids.length === 0) return [];
  return await database('versions')
    .leftJoin('entries', (join) => {
      join.on('entries.record', 'versions.record').on('entries.version', 'versions.version');
      join.andOnVal('entries.edition', edition?.id ?? 0);
    })
    .select('versions.version', 'uuid', 'input', 'digest', 'measures')
    .select('position', 'changed_at as changedAt', 'shown', 'datestamp')
    .whereIn('uuid', uuids)
    .where('versions.kind', codeOf(kind));
}
