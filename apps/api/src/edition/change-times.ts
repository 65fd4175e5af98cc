import type { Kind } from '@archiefkast/types';
import type { Database } from '../storage/connect.ts';
import type { Edition } from '../storage/edition.ts';
import type { Run } from '../storage/stored-texts.ts';

/** A record by its place and uuid, and since when it says what it says. */
export interface ChangeTime {
  kind: Kind;
  position: number;
  uuid: string;
  changedAt: string;
}

/** Looks up when records changed last. Every function is one statement. */
export function createChangeTimeQueries(database: Database) {
  return {
    /** When the records of a kind at a run of positions changed last. */
    async fetchChangeTimes(edition: Edition, kind: Kind, { first, last }: Run): Promise<ChangeTime[]> {
      const rows: ChangeRow[] = await database('records')
        .select(COLUMNS)
        .where({ edition: edition.id, kind })
        .whereBetween('position', [first, last])
        .orderBy('position');
      return rows.map((row) => toChangeTime(row, edition));
    },

    /** The records that changed last, newest first. */
    async fetchLastChanged(edition: Edition, limit: number): Promise<ChangeTime[]> {
      const rows: ChangeRow[] = await database('records')
        .select(COLUMNS)
        .where({ edition: edition.id })
        // What changed with this edition has the edition's own time, which is not written again.
        .orderByRaw('CASE WHEN changed_at IS NULL THEN 0 ELSE 1 END')
        .orderBy([{ column: 'changed_at', order: 'desc' }, 'kind', 'position'])
        .limit(limit);
      return rows.map((row) => toChangeTime(row, edition));
    },
  };
}

const COLUMNS = ['kind', 'position', 'uuid', 'changed_at'];

interface ChangeRow extends Omit<ChangeTime, 'changedAt'> {
  changed_at: string | null;
}

function toChangeTime({ kind, position, uuid, changed_at }: ChangeRow, { publishedAt }: Edition): ChangeTime {
  return { kind, position, uuid, changedAt: changed_at ?? publishedAt.toISOString() };
}
