import { type Kind, LANGUAGES, type Language, type Supplement } from '@archiefkast/types';
import { type Database, isSqlite } from './connect.ts';
import { type Edition, findEdition } from './edition.ts';
import {
  CODE_STEP,
  codeOf,
  hasSupplements,
  kindOf,
  offsetOf,
  ownerOf,
  SUPPLEMENTS,
  type TextKind,
  textKindOf,
  textsOf,
} from './stored-texts.ts';

/** A rendered record as stored. */
export interface StoredText {
  form: TextKind;
  position: number;
  text: string;
}

/** The rendered text of a record that the record at `source` embeds. */
export interface EmbeddedText extends StoredText {
  source: number;
  /** Its place in the slot. */
  ordinal: number;
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

const ENTRY = 'entries.edition = ? and entries.kind = ? and entries.position';
const TEXT_OF_ENTRY = 'texts on texts.id = entries.version + ?';
const CHANGE_TIME = `
  select entries.kind, entries.position, versions.uuid, entries.changed_at as changedAt from entries
  join versions on versions.version = entries.version where`;

const EMBEDDED = `
  select sources.position as source, embeds.form, embeds.ordinal, targets.position, texts.text from editions
  left join entries as sources on sources.edition = editions.id and sources.kind = ? and sources.position in`;
const TEXTS_OF_EMBEDDED = `
  left join entries as targets on targets.edition = editions.id and targets.record = embeds.record
  left join texts on texts.id = embeds.form * ${CODE_STEP} + targets.version + ?
  where editions.id = ? and editions.status = 'published'`;

const RECORD_BY_UUID = `
  select entries.position, texts.text, supplements.text as supplement from editions
  left join versions on versions.uuid = ? and versions.kind = ?
  left join entries on entries.edition = editions.id and entries.record = versions.record
    and entries.version = versions.version
  left join ${TEXT_OF_ENTRY}
  left join texts as supplements on supplements.id = entries.version + ?
  where editions.id = ? and editions.status = 'published'`;

/**
 * Queries for rendered records, in constant SQL, which SQLite prepares once; of a cross join it reads the first table first. Each
 * function runs one statement unless it says
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
    const tables = column === 'uuid' ? 'versions cross join entries' : 'entries cross join versions';
    const rows = await select<StoredRecord>(
      `select entries.position, versions.id, versions.uuid from ${tables}
       where entries.edition = ? and entries.kind = ? and versions.kind = entries.kind
         and entries.record = versions.record and entries.version = versions.version
         and ${column} in ${marks(values)}`,
      ...[edition, codeOf(kind), ...values],
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
    const groups = [...Map.groupBy(keys, ({ kind }) => kind)];
    const rows = await select<Coded<StoredText>>(
      groups
        .map(
          ([textKind, group]) => `
            select ${codeOf(textKind)} as form, entries.position, texts.text from entries
            join ${TEXT_OF_ENTRY} where ${ENTRY} in ${marks(group)}`,
        )
        .join(' union all '),
      ...groups.flatMap(([textKind, group]) => [
        ...[textsOf(textKind, language), edition, codeOf(ownerOf(textKind))],
        ...group.map(({ position }) => position),
      ]),
    );
    return rows.map(decoded);
  }

  /** The texts of one kind at a range of positions, in order; those that do not exist are left out. */
  async function fetchRun(
    edition: number,
    language: Language,
    form: TextKind,
    { first, last }: Run,
  ): Promise<StoredText[]> {
    const rows = await select<Omit<StoredText, 'form'>>(
      `select entries.position, texts.text from entries join ${TEXT_OF_ENTRY} where ${ENTRY} between ? and ?
       order by entries.position`,
      ...[textsOf(form, language), edition, codeOf(ownerOf(form)), first, last],
    );
    return rows.map((row) => ({ form, ...row }));
  }

  /** The last time at which records changed before another; undefined if none did. */
  async function fetchMomentBefore(edition: number, moment: number | null): Promise<number | undefined> {
    const earlier = moment === null ? [] : [moment];
    const [row] = await select<{ moment: number | null }>(
      `select max(changed_at) as moment from entries where edition = ?${moment === null ? '' : ' and changed_at < ?'}`,
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
    async fetchTopSubjects(edition: number, language: Language): Promise<Omit<StoredText, 'form'>[]> {
      // Quotes inside JSON strings are escaped, so only the field itself matches.
      return await select(
        `select entries.position, texts.text from entries join ${TEXT_OF_ENTRY}
         where entries.edition = ? and entries.kind = ? and texts.text like '%"parent":null%' order by entries.position`,
        ...[textsOf('subject', language), edition, codeOf('subject')],
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
      const only = forms.length > 0 ? ` and embeds.form in ${marks(forms)}` : '';
      const rows = await select<Coded<EmbeddedText>>(
        `${EMBEDDED} ${marks(sources)} left join embeds on embeds.version = sources.version${only}${TEXTS_OF_EMBEDDED}`,
        ...[codeOf(kind), ...sources, ...forms.map(codeOf), offsetOf(language), edition],
      );
      if (rows.length === 0) throw new MissingTextError(edition, `what the ${kind}s embed`);
      // MariaDB would sort them in a table of its own, on disk because of the texts.
      rows.sort((a, b) => a.source - b.source || a.form - b.form || a.ordinal - b.ordinal);
      return rows.filter((row) => row.text !== null).map(decoded);
    },

    /** The records of a kind that records of another embed, in the order of their slots. */
    async fetchLinks(
      edition: number,
      kind: Kind,
      sources: readonly number[],
      target: Kind,
    ): Promise<{ source: number; position: number; uuid: string }[]> {
      return await select(
        `select sources.position as source, targets.position, versions.uuid from entries as sources
         cross join embeds on embeds.version = sources.version and embeds.form = ?
         cross join entries as targets on targets.edition = sources.edition and targets.record = embeds.record
         cross join versions on versions.version = targets.version
         where sources.edition = ? and sources.kind = ? and sources.position in ${marks(sources)}
         order by sources.position, embeds.ordinal`,
        ...[codeOf(target), edition, codeOf(kind), ...sources],
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
      // Without supplements any text kind that records of this kind do not have.
      const form = hasSupplements(kind) ? SUPPLEMENTS[kind] : SUPPLEMENTS.person;
      const rows = await select<{ position: number | null; text: string | null; supplement: string | null }>(
        RECORD_BY_UUID,
        ...[uuid, codeOf(kind), textsOf(kind, language), textsOf(form, LANGUAGES[0]), edition],
      );
      if (rows.length === 0) throw new MissingTextError(edition, `the ${kind} ${uuid}`);
      // One row for each version, of which the edition has one at the most.
      for (const { position, text, supplement } of rows)
        if (position !== null && text !== null)
          return { position, text, supplement: supplement ?? undefined };
      return undefined;
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
        `${CHANGE_TIME} ${ENTRY} between ? and ? order by entries.position`,
        ...[edition.id, codeOf(kind), first, last],
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
      let moment: number | null | undefined = null;
      while (moment !== undefined && rows.length < limit) {
        const condition = moment === null ? 'is null' : '= ?';
        const ofMoment = await select<ChangeRow>(
          `${CHANGE_TIME} entries.edition = ? and entries.changed_at ${condition}
           order by entries.kind, entries.position limit ?`,
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

type ChangeRow = Pick<ChangeTime, 'position' | 'uuid'> & { kind: number; changedAt: number | null };

function toChangeTime({ kind, changedAt, ...row }: ChangeRow, { publishedAt }: Edition): ChangeTime {
  const moment = changedAt === null ? publishedAt : new Date(Number(changedAt));
  return { ...row, kind: kindOf(kind), changedAt: moment.toISOString() };
}

/** A row with the code of its text kind. */
type Coded<Row extends { form: TextKind }> = Omit<Row, 'form'> & { form: number };

/** Gives a row, in place, its text kind for the code. */
function decoded<Row extends { form: number }>(row: Row): Omit<Row, 'form'> & { form: TextKind } {
  return Object.assign(row, { form: textKindOf(row.form) });
}
