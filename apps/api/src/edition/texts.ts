import type { Kind, Language } from '@archiefkast/types';
import { compileQuery } from '../storage/compiled-query.ts';
import type { Database } from '../storage/connect.ts';
import type { Edition } from '../storage/edition.ts';
import {
  fetchAt,
  MissingTextError,
  type Run,
  type StoredText,
  type TextKind,
} from '../storage/stored-texts.ts';
import type { RecordKey } from './record-keys.ts';

/** The rendered text of a record that the record at `source` embeds. */
export interface EmbeddedText extends StoredText {
  source: number;
}

/**
 * Queries for rendered records. Each function runs at most one statement. The row of the edition shows whether the
 * edition is complete: a sweep changes its status before it deletes anything.
 */
export function createTextQueries(database: Database) {
  const selectText = compileQuery<
    'edition' | 'language' | 'kind' | 'uuid',
    { position: number | null; text: string | null } | undefined
  >(database, ['edition', 'language', 'kind', 'uuid'], ({ edition, language, kind, uuid }) =>
    database('editions')
      .leftJoin('records', (join) => {
        join
          .on('records.edition', 'editions.id')
          .andOnVal('records.kind', kind)
          .andOnVal('records.uuid', uuid);
      })
      .leftJoin('texts', (join) => {
        join
          .on('texts.edition', 'records.edition')
          .andOnVal('texts.language', language)
          .andOnVal('texts.form', kind)
          .andOn('texts.position', 'records.position');
      })
      .where({ 'editions.id': edition, 'editions.status': 'published' })
      .first('records.position', 'texts.text'),
  );
  return {
    ...createChangeTimeQueries(database),

    /** The texts of the subjects without a parent. */
    async fetchTopSubjects(edition: number, language: Language): Promise<StoredText[]> {
      return await database('texts')
        .select('form', 'position', 'text')
        .where({ edition, language, form: 'subject' })
        // Quotes inside JSON strings are escaped, so only the field itself matches.
        .where('text', 'like', '%"parent":null%')
        .orderBy('position');
    },

    /** The texts of records of any kind. */
    async fetchTexts(edition: number, language: Language, keys: readonly RecordKey[]): Promise<StoredText[]> {
      if (keys.length === 0) return [];
      const positions = Map.groupBy(keys, ({ kind }) => kind);
      const query = database('texts').select('form', 'position', 'text');
      // The complete key for each kind: with a shared prefix, SQLite would scan the whole prefix.
      for (const [form, group] of positions) {
        query.orWhere((one) => {
          one.where({ edition, language, form }).whereIn(
            'position',
            group.map(({ position }) => position),
          );
        });
      }
      return await query;
    },

    /** The texts of one kind at positions: see `fetchAt`. */
    fetchAt: (edition: number, language: Language, form: TextKind, positions: readonly number[]) =>
      fetchAt(database, edition, language, form, positions),

    /**
     * The texts that records of one kind embed, in the order of their slots.
     *
     * @param forms the text kinds to fetch; all by default
     * @throws MissingTextError if the edition is no longer kept
     */
    async fetchEmbedded(
      edition: number,
      language: Language,
      kind: Kind,
      sources: readonly number[],
      forms?: readonly TextKind[],
    ): Promise<EmbeddedText[]> {
      const rows: (EmbeddedText | Record<keyof EmbeddedText, null>)[] = await database('editions')
        .leftJoin('links', (join) => {
          join
            .on('links.edition', 'editions.id')
            .andOnVal('links.source_form', kind)
            .andOnIn('links.source', [...sources]);
          if (forms) join.andOnIn('links.target_form', [...forms]);
        })
        .leftJoin('texts', (join) => {
          join
            .on('texts.edition', 'links.edition')
            .andOnVal('texts.language', language)
            .andOn('texts.form', 'links.target_form')
            .andOn('texts.position', 'links.target');
        })
        .select('links.source', 'texts.form', 'texts.position', 'texts.text')
        .where({ 'editions.id': edition, 'editions.status': 'published' })
        .orderBy(['links.source', 'links.target_form', 'links.ordinal']);
      if (rows.length === 0) throw new MissingTextError(edition, `what the ${kind}s embed`);
      return rows.filter((row) => row.text !== null);
    },

    /**
     * The text of the record with this UUID (lower case); undefined if it does not exist.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async findText(
      edition: number,
      language: Language,
      kind: Kind,
      uuid: string,
    ): Promise<Omit<StoredText, 'form'> | undefined> {
      const row = await selectText({ edition, language, kind, uuid });
      if (!row) throw new MissingTextError(edition, `the ${kind} ${uuid}`);
      const { position, text } = row;
      return position === null || text === null ? undefined : { position, text };
    },

    /** The positions of the existing records with these UUIDs (lower case), by UUID. */
    async findPositions(edition: number, kind: Kind, uuids: readonly string[]): Promise<Map<string, number>> {
      const rows: { uuid: string; position: number }[] = await database('records')
        .select('uuid', 'position')
        .where({ edition, kind })
        .whereIn('uuid', uuids);
      return new Map(rows.map(({ uuid, position }) => [uuid, position]));
    },

    /** The positions of the existing records with these ids, by id. */
    async findPositionsOfIds(
      edition: number,
      kind: Kind,
      ids: readonly number[],
    ): Promise<Map<number, number>> {
      const rows: { id: number | string; position: number }[] = await database('records')
        .select('id', 'position')
        .where({ edition, kind })
        .whereIn('id', ids);
      return new Map(rows.map(({ id, position }) => [Number(id), position]));
    },

    /** The id and UUID of the record at a position. @throws MissingTextError if the edition is no longer kept */
    async nameAt(edition: number, kind: Kind, position: number): Promise<{ id: number; uuid: string }> {
      const row: { id: number | string; uuid: string } | undefined = await database('records')
        .where({ edition, kind, position })
        .first('id', 'uuid');
      if (!row) throw new MissingTextError(edition, `the ${kind} at position ${position}`);
      return { id: Number(row.id), uuid: row.uuid };
    },

    /**
     * The position of the record with this UUID (lower case); undefined if it does not exist.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async findPosition(edition: number, kind: Kind, uuid: string): Promise<number | undefined> {
      const row: { position: number | null } | undefined = await database('editions')
        .leftJoin('records', (join) => {
          join
            .on('records.edition', 'editions.id')
            .andOnVal('records.kind', kind)
            .andOnVal('records.uuid', uuid);
        })
        .where({ 'editions.id': edition, 'editions.status': 'published' })
        .first('records.position');
      if (!row) throw new MissingTextError(edition, `the ${kind} ${uuid}`);
      return row.position ?? undefined;
    },
  };
}

/** Queries for rendered records. */
export type TextQueries = ReturnType<typeof createTextQueries>;

/** A record's key and uuid, and when it last changed. */
interface ChangeTime extends RecordKey {
  uuid: string;
  changedAt: string;
}

/** Queries for the last change of records. Each function runs one statement. */
function createChangeTimeQueries(database: Database) {
  return {
    /** The last changes of the records in a range of positions. */
    async fetchChangeTimes(edition: Edition, kind: Kind, { first, last }: Run): Promise<ChangeTime[]> {
      const rows: ChangeRow[] = await database('records')
        .select(COLUMNS)
        .where({ edition: edition.id, kind })
        .whereBetween('position', [first, last])
        .orderBy('position');
      return rows.map((row) => toChangeTime(row, edition));
    },

    /** The most recently changed records, newest first. */
    async fetchLastChanged(edition: Edition, limit: number): Promise<ChangeTime[]> {
      const rows: ChangeRow[] = await database('records')
        .select(COLUMNS)
        .where({ edition: edition.id })
        // NULL means changed in this edition: the time is that of the edition.
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
