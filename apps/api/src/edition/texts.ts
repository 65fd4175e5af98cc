import { type Kind, LANGUAGES, type Language, type Supplement } from '@archiefkast/types';
import { readBlocks } from '../storage/blocks.ts';
import { compileQuery } from '../storage/compiled-query.ts';
import type { Database } from '../storage/connect.ts';
import { type Edition, findEdition } from '../storage/edition.ts';
import {
  fetchAt,
  fetchSupplementTexts,
  hasSupplements,
  MissingTextError,
  type Run,
  type StoredText,
  SUPPLEMENTS,
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
    'edition' | 'language' | 'kind' | 'supplement' | 'uuid',
    { position: number | null; text: string | null; supplement: string | null } | undefined
  >(
    database,
    ['edition', 'language', 'kind', 'supplement', 'uuid'],
    ({ edition, language, kind, supplement, uuid }) =>
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
        .leftJoin('texts as supplements', (join) => {
          join
            .on('supplements.edition', 'records.edition')
            .andOnVal('supplements.language', language)
            .andOnVal('supplements.form', supplement)
            .andOn('supplements.position', 'records.position');
        })
        .where({ 'editions.id': edition, 'editions.status': 'published' })
        .first('records.position', 'texts.text', 'supplements.text as supplement'),
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

    /** The texts of any text kind; those that do not exist are left out. */
    async fetchTexts(
      edition: number,
      language: Language,
      keys: readonly { kind: TextKind; position: number }[],
    ): Promise<StoredText[]> {
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

    /** The blocks of a dump: see `readBlocks`. */
    readBlocks: (edition: number, language: Language, file: Parameters<typeof readBlocks>[3]) =>
      readBlocks(database, edition, language, file),

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

    /** The positions of the records of a text kind that records of one kind embed, in the order of their slots. */
    async fetchLinks(
      edition: number,
      kind: Kind,
      sources: readonly number[],
      form: TextKind,
    ): Promise<{ source: number; position: number }[]> {
      return await database('links')
        .select('source', 'target as position')
        .where({ edition, source_form: kind, target_form: form })
        .whereIn('source', [...sources])
        .orderBy(['source', 'ordinal']);
    },

    /**
     * The text of the record with this UUID (lower case), and that of its supplement; undefined if the record does not
     * exist.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async findText(
      edition: number,
      language: Language,
      kind: Kind,
      uuid: string,
    ): Promise<(Omit<StoredText, 'form'> & { supplement: string | undefined }) | undefined> {
      const form = hasSupplements(kind) ? SUPPLEMENTS[kind] : '';
      const row = await selectText({ edition, language, kind, supplement: form, uuid });
      if (!row) throw new MissingTextError(edition, `the ${kind} ${uuid}`);
      const { position, text, supplement } = row;
      return position === null || text === null
        ? undefined
        : { position, text, supplement: supplement ?? undefined };
    },

    /**
     * The supplements of the records at a range of positions, in order; two statements.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async readSupplements(edition: number, kind: Supplement['kind'], run: Run): Promise<StoredText[]> {
      const texts = await fetchSupplementTexts(database, edition, kind, run);
      if (!(await findEdition(database, edition))) {
        throw new MissingTextError(edition, `supplements of ${kind}s from position ${run.first}`);
      }
      return texts;
    },

    /** The number of supplements of an edition. */
    async countSupplements(edition: number): Promise<number> {
      const row: { records: number } | undefined = await database('texts')
        .where({ edition, language: LANGUAGES[0] })
        .whereIn('form', Object.values(SUPPLEMENTS))
        .first(database.raw('count(*) as records'));
      return row?.records ?? 0;
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

/** Queries for the last change of records. */
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

    /** Whether nothing in an edition is older than it, as in the first edition of an archive. */
    async isFirst(edition: Edition): Promise<boolean> {
      const older = await database('records')
        .where({ edition: edition.id })
        .whereNotNull('changed_at')
        .first('position');
      return older === undefined;
    },

    /** The most recently changed records, newest first; at most two statements for each time at which some changed. */
    async fetchLastChanged(edition: Edition, limit: number): Promise<ChangeTime[]> {
      const rows: ChangeRow[] = [];
      // NULL means changed in this edition. The index has the records of one time in order, but not those of all times.
      let moment: string | null | undefined = null;
      while (moment !== undefined && rows.length < limit) {
        const ofMoment: ChangeRow[] = await database('records')
          .select(COLUMNS)
          .where({ edition: edition.id, changed_at: moment })
          .orderBy(['kind', 'position'])
          .limit(limit - rows.length);
        rows.push(...ofMoment);
        moment = rows.length < limit ? await fetchMomentBefore(edition.id, moment) : undefined;
      }
      return rows.map((row) => toChangeTime(row, edition));
    },
  };

  /** The last time at which records changed before another; undefined if none did. */
  async function fetchMomentBefore(edition: number, moment: string | null): Promise<string | undefined> {
    const earlier = database('records').where({ edition });
    if (moment !== null) earlier.where('changed_at', '<', moment);
    const row: { moment?: string | null } | undefined = await earlier.max({ moment: 'changed_at' }).first();
    return row?.moment ?? undefined;
  }
}

const COLUMNS = ['kind', 'position', 'uuid', 'changed_at'];

interface ChangeRow extends Omit<ChangeTime, 'changedAt'> {
  changed_at: string | null;
}

function toChangeTime({ kind, position, uuid, changed_at }: ChangeRow, { publishedAt }: Edition): ChangeTime {
  return { kind, position, uuid, changedAt: changed_at ?? publishedAt.toISOString() };
}
