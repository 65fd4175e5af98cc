import { type Kind, LANGUAGES, type Language, type Supplement } from '@archiefkast/types';
import { type Database, isSqlite } from './connect.ts';
import { type Edition, findEdition } from './edition.ts';
import { hasSupplements, SUPPLEMENTS, type TextKind } from './text-kinds.ts';

/** A rendered record as stored. */
export interface StoredText {
  form: TextKind;
  position: number;
  text: string;
}

/** The rendered text of a record that the record at `source` embeds. */
export interface EmbeddedText extends StoredText {
  source: number;
}

/** A range of positions, from `first` to `last` inclusive. */
export interface Run {
  first: number;
  last: number;
}

/** A record of an edition, without its text. */
interface StoredRecord {
  position: number;
  id: number;
  uuid: string;
}

/** A record, and when it last changed. */
interface ChangeTime extends Pick<StoredRecord, 'position' | 'uuid'> {
  kind: Kind;
  changedAt: string;
}

/** A text of an edition is missing, because the edition was deleted while it was being read. */
export class MissingTextError extends Error {
  override name = 'MissingTextError';

  constructor(edition: number, what: string) {
    super(`edition ${edition} does not have ${what}`);
  }
}

const TEXT = 'texts.form, texts.position, texts.text';
const AT_POSITIONS = 'texts.edition = ? and texts.language = ? and texts.form = ? and texts.position in';
const CHANGE_TIME = 'kind, position, uuid, changed_at as changedAt';

const EMBEDDED = `
  select links.source, ${TEXT} from editions
  left join links on links.edition = editions.id and links.source_form = ? and links.source in`;
const TEXTS_OF_LINKS = `
  left join texts on texts.edition = links.edition and texts.language = ? and texts.form = links.target_form
    and texts.position = links.target
  where editions.id = ? and editions.status = 'published'
  order by links.source, links.target_form, links.ordinal`;

const RECORD_BY_UUID = `
  select records.position, texts.text, supplements.text as supplement from editions
  left join records on records.edition = editions.id and records.kind = ? and records.uuid = ?
  left join texts on texts.edition = records.edition and texts.language = ? and texts.form = ?
    and texts.position = records.position
  left join texts as supplements on supplements.edition = records.edition and supplements.language = ?
    and supplements.form = ? and supplements.position = records.position
  where editions.id = ? and editions.status = 'published'`;

/**
 * Queries for rendered records, in constant SQL, which SQLite prepares once. Each function runs one statement unless it says
 * otherwise. The row of an edition shows whether it is complete: a sweep changes its status before it deletes anything.
 */
export function createTextQueries(database: Database) {
  async function select<Row>(sql: string, ...values: readonly (string | number)[]): Promise<Row[]> {
    const result = await database.raw(sql, values);
    return isSqlite(database) ? result : result[0];
  }

  /** @throws MissingTextError if the edition is no longer kept */
  async function requireEdition(edition: number, what: string): Promise<void> {
    if (!(await findEdition(database, edition))) throw new MissingTextError(edition, what);
  }

  /** The records of a kind of which a column has one of these values; UUIDs in lower case. */
  async function findRecords(
    edition: number,
    kind: Kind,
    column: keyof StoredRecord,
    values: readonly (string | number)[],
  ): Promise<StoredRecord[]> {
    const rows = await select<StoredRecord>(
      `select position, id, uuid from records where edition = ? and kind = ? and ${column} in ${marks(values)}`,
      ...[edition, kind, ...values],
    );
    return rows.map(({ position, id, uuid }) => ({ position, id: Number(id), uuid }));
  }

  /** The texts of any text kind; those that do not exist are left out. */
  async function fetchTexts(
    edition: number,
    language: Language,
    keys: readonly { kind: TextKind; position: number }[],
  ): Promise<StoredText[]> {
    if (keys.length === 0) return [];
    const kinds = [...Map.groupBy(keys, ({ kind }) => kind)];
    // The complete key for each kind: with a shared prefix, SQLite would scan the whole prefix.
    const conditions = kinds.map(([, group]) => `(${AT_POSITIONS} ${marks(group)})`);
    const values = kinds.flatMap(([form, group]) => [
      ...[edition, language, form],
      ...group.map(({ position }) => position),
    ]);
    return await select(`select ${TEXT} from texts where ${conditions.join(' or ')}`, ...values);
  }

  /** The texts of one kind at a range of positions, in order; those that do not exist are left out. */
  async function fetchRun(
    edition: number,
    language: Language,
    form: TextKind,
    { first, last }: Run,
  ): Promise<StoredText[]> {
    return await select(
      `select ${TEXT} from texts where edition = ? and language = ? and form = ? and position between ? and ?
       order by position`,
      ...[edition, language, form, first, last],
    );
  }

  /** The last time at which records changed before another; undefined if none did. */
  async function fetchMomentBefore(edition: number, moment: string | null): Promise<string | undefined> {
    const earlier = moment === null ? [] : [moment];
    const [row] = await select<{ moment: string | null }>(
      `select max(changed_at) as moment from records where edition = ?${moment === null ? '' : ' and changed_at < ?'}`,
      ...[edition, ...earlier],
    );
    return row?.moment ?? undefined;
  }

  return {
    findRecords,
    fetchTexts,
    fetchRun,

    /**
     * The texts of one kind at positions, in the order given.
     *
     * @throws MissingTextError if the edition does not have all of them
     */
    async fetchAt(
      edition: number,
      language: Language,
      kind: TextKind,
      positions: readonly number[],
    ): Promise<StoredText[]> {
      const rows = await fetchTexts(
        edition,
        language,
        positions.map((position) => ({ kind, position })),
      );
      const texts = new Map(rows.map((row) => [row.position, row]));
      return positions.map((position) => {
        const text = texts.get(position);
        if (!text) throw new MissingTextError(edition, `the ${kind} at position ${position}`);
        return text;
      });
    },

    /** The texts of the subjects without a parent. */
    async fetchTopSubjects(edition: number, language: Language): Promise<StoredText[]> {
      // Quotes inside JSON strings are escaped, so only the field itself matches.
      return await select(
        `select ${TEXT} from texts where edition = ? and language = ? and form = 'subject' and text like '%"parent":null%'
         order by position`,
        ...[edition, language],
      );
    },

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
      forms: readonly TextKind[] = [],
    ): Promise<EmbeddedText[]> {
      const only = forms.length > 0 ? ` and links.target_form in ${marks(forms)}` : '';
      const rows = await select<EmbeddedText | Record<keyof EmbeddedText, null>>(
        `${EMBEDDED} ${marks(sources)}${only}${TEXTS_OF_LINKS}`,
        ...[kind, ...sources, ...forms, language, edition],
      );
      if (rows.length === 0) throw new MissingTextError(edition, `what the ${kind}s embed`);
      return rows.filter((row) => row.text !== null);
    },

    /** The records of a kind that records of another embed, in the order of their slots. */
    async fetchLinks(
      edition: number,
      kind: Kind,
      sources: readonly number[],
      target: Kind,
    ): Promise<{ source: number; position: number; uuid: string }[]> {
      return await select(
        `select links.source, records.position, records.uuid from links
         join records on records.edition = links.edition and records.kind = ? and records.position = links.target
         where links.edition = ? and links.source_form = ? and links.target_form = ? and links.source in ${marks(sources)}
         order by links.source, links.ordinal`,
        ...[target, edition, kind, target, ...sources],
      );
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
      const [row] = await select<{ position: number | null; text: string | null; supplement: string | null }>(
        RECORD_BY_UUID,
        ...[kind, uuid, language, kind, LANGUAGES[0], form, edition],
      );
      if (!row) throw new MissingTextError(edition, `the ${kind} ${uuid}`);
      const { position, text, supplement } = row;
      return position === null || text === null
        ? undefined
        : { position, text, supplement: supplement ?? undefined };
    },

    /**
     * The texts of the supplements of the records at a range of positions, in order; two statements.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async readSupplements(edition: number, kind: Supplement['kind'], run: Run): Promise<StoredText[]> {
      const texts = await fetchRun(edition, LANGUAGES[0], SUPPLEMENTS[kind], run);
      await requireEdition(edition, `supplements of ${kind}s from position ${run.first}`);
      return texts;
    },

    /**
     * The position of the record with this UUID (lower case); undefined, after a second statement, if it does not exist.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async findPosition(edition: number, kind: Kind, uuid: string): Promise<number | undefined> {
      const [record] = await findRecords(edition, kind, 'uuid', [uuid]);
      if (!record) await requireEdition(edition, `the ${kind} ${uuid}`);
      return record?.position;
    },

    /** The last changes of the records in a range of positions. */
    async fetchChangeTimes(edition: Edition, kind: Kind, { first, last }: Run): Promise<ChangeTime[]> {
      const rows = await select<ChangeRow>(
        `select ${CHANGE_TIME} from records where edition = ? and kind = ? and position between ? and ? order by position`,
        ...[edition.id, kind, first, last],
      );
      return rows.map((row) => toChangeTime(row, edition));
    },

    /** Whether nothing in an edition is older than it, as in the first edition of an archive. */
    async isFirst({ id }: Edition): Promise<boolean> {
      return (await fetchMomentBefore(id, null)) === undefined;
    },

    /** The most recently changed records, newest first; at most two statements for each time at which some changed. */
    async fetchLastChanged(edition: Edition, limit: number): Promise<ChangeTime[]> {
      const rows: ChangeRow[] = [];
      // NULL means changed in this edition. The index has the records of one time in order, but not those of all times.
      let moment: string | null | undefined = null;
      while (moment !== undefined && rows.length < limit) {
        const condition = moment === null ? 'is null' : '= ?';
        const ofMoment = await select<ChangeRow>(
          `select ${CHANGE_TIME} from records where edition = ? and changed_at ${condition} order by kind, position limit ?`,
          ...[edition.id, ...(moment === null ? [] : [moment]), limit - rows.length],
        );
        rows.push(...ofMoment);
        moment = rows.length < limit ? await fetchMomentBefore(edition.id, moment) : undefined;
      }
      return rows.map((row) => toChangeTime(row, edition));
    },
  };
}

/** Queries for rendered records. */
export type TextQueries = ReturnType<typeof createTextQueries>;

/** Placeholders for a list of values. */
function marks(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`;
}

type ChangeRow = Omit<ChangeTime, 'changedAt'> & { changedAt: string | null };

function toChangeTime({ changedAt, ...row }: ChangeRow, { publishedAt }: Edition): ChangeTime {
  return { ...row, changedAt: changedAt ?? publishedAt.toISOString() };
}
