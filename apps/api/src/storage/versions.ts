import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kind } from '@archiefkast/types';
import type { Database } from './connect.ts';
import type { Edition } from './edition.ts';
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
  /** If it is the version of the edition that was asked for: since when the record says this. */
  changedAt: number | undefined;
}

/** Versions per statement. */
const BATCH_VERSIONS = 5_000;

/** The numbers of all records that the database has, by kind and uuid; one that has several versions comes repeatedly. */
export async function* readRecordNumbers(
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

/** The versions that the database has of records of a kind. @param edition that whose versions have `changedAt` */
export async function findVersions(
  database: Database,
  kind: Kind,
  uuids: readonly string[],
  edition: Edition | undefined,
): Promise<StoredVersion[]> {
  if (uuids.length === 0) return [];
  const rows: (Omit<StoredVersion, 'changedAt'> & { edition: number | null; changedAt: number | null })[] =
    await database('versions')
      .leftJoin('entries', (join) => {
        join.on('entries.record', 'versions.record').on('entries.version', 'versions.version');
        join.andOnVal('entries.edition', edition?.id ?? 0);
      })
      .select('versions.version', 'uuid', 'input', 'digest', 'measures', 'edition', 'changed_at as changedAt')
      .whereIn('uuid', uuids)
      .where('versions.kind', codeOf(kind));
  return rows.map(({ edition: of, changedAt, ...row }) => ({
    ...row,
    changedAt: of === null ? undefined : Number(changedAt ?? edition?.servedAt),
  }));
}
