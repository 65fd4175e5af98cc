import type { Kind, Language } from '@archive/types';
import type { Database } from '../database/connect.ts';
import type { Form } from '../render/render-record.ts';

/** A record by its place: its kind, and its position in the list of that kind (from 1). */
export interface RecordPlace {
  kind: Kind;
  position: number;
}

/** A rendered record as stored. */
export interface StoredText {
  form: Form;
  position: number;
  text: string;
}

/** A rendered record that the record of `source` embeds. */
export interface EmbeddedText extends StoredText {
  source: number;
}

/** An edition does not have what it must have: it was swept while it was being read. */
export class MissingTextError extends Error {
  override name = 'MissingTextError';

  constructor(edition: number, what: string) {
    super(`edition ${edition} does not have ${what}`);
  }
}

/**
 * Looks rendered records up in the database. Every function is one statement at most, and tells by the row of the
 * edition itself whether that is still whole: a sweep takes the row out of the published ones before it deletes
 * anything else.
 */
export function createTextQueries(database: Database) {
  return {
    /** The texts of records of any kinds. */
    async fetchTexts(
      edition: number,
      language: Language,
      places: readonly RecordPlace[],
    ): Promise<StoredText[]> {
      if (places.length === 0) return [];
      const positions = Map.groupBy(places, ({ kind }) => kind);
      const query = database('texts').select('form', 'position', 'text');
      // Each kind with its whole key: of a key that is shared by several, SQLite would read all that begins with it.
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

    /**
     * The texts of one form at positions from `first` to `last`, in order.
     *
     * @throws MissingTextError when the edition does not have all of them
     */
    async fetchRun(
      edition: number,
      language: Language,
      form: Form,
      { first, last }: { first: number; last: number },
    ): Promise<StoredText[]> {
      const rows: StoredText[] = await database('texts')
        .select('form', 'position', 'text')
        .where({ edition, language, form })
        .whereBetween('position', [first, last])
        .orderBy('position');
      if (rows.length <= last - first) {
        throw new MissingTextError(edition, `every ${form} from position ${first} to ${last}`);
      }
      return rows;
    },

    /**
     * The texts that records of one kind embed, in the order of their slots.
     *
     * @throws MissingTextError when the edition is not kept any more
     */
    async fetchEmbedded(
      edition: number,
      language: Language,
      kind: Kind,
      sources: readonly number[],
    ): Promise<EmbeddedText[]> {
      const rows: (EmbeddedText | Record<keyof EmbeddedText, null>)[] = await database('editions')
        .leftJoin('links', (join) => {
          join
            .on('links.edition', 'editions.id')
            .andOnVal('links.source_form', kind)
            .andOnIn('links.source', [...sources]);
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
     * The position of the record of `kind` with this uuid (lower case); undefined when there is none.
     *
     * @throws MissingTextError when the edition is not kept any more
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

/** Looks rendered records up in the database. */
export type TextQueries = ReturnType<typeof createTextQueries>;
