import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kind, LANGUAGES, type Language, type Supplement } from '@archiefkast/types';
import { positionBatches } from '../batches.ts';
import type { Database } from './connect.ts';
import { type EditionContents, hasEdition } from './edition.ts';
import { isSqlite } from './sqlite-client.ts';
import {
  CODE_STEP,
  codeOf,
  kindOf,
  offsetOf,
  ownerOf,
  parseSupplement,
  SUPPLEMENTS,
  type TextKind,
  textKindOf,
  textsOf,
} from './stored-texts.ts';

/** A rendered record as stored. */
export interface StoredText {
  textKind: TextKind;
  position: number;
  text: string;
}

/** The rendered text of a record that the record at `source` embeds. */
export interface EmbeddedText extends StoredText {
  source: number;
  /** Its place in the slot. */
  ordinal: number;
}

/** A record of an edition, without its text. */
interface StoredRecord {
  position: number;
  id: number;
  uuid: string;
}

/** A text of an edition is missing, because the edition was deleted while it was being read. */
export class MissingTextError extends Error {
  override name = 'MissingTextError';

  constructor(edition: number, what: string) {
    super(`edition ${edition} does not have ${what}`);
  }
}

const TEXT_OF_ENTRY = 'texts on texts.id = entries.version + ?';
const OF_EDITION = "where editions.id = ? and editions.status = 'published'";

/**
 * Queries for rendered records, in constant SQL, which SQLite prepares once; of a cross join it reads the first table first.
 * Each function runs one statement unless it says otherwise. The row of an edition shows whether it is complete: a sweep changes
 * its status before it deletes anything.
 */
export function createTextQueries(database: Database) {
  /** The rows of a statement: straight from the client of Knex, whose builder takes longer than SQLite does. */
  async function select<Row>(sql: string, ...values: readonly (string | number)[]): Promise<Row[]> {
    const { client } = database;
    const connection = await client.acquireConnection();
    try {
      const statement = { sql, bindings: values };
      const { response } = await client.query(connection, statement);
      client.emit('query-response', response, statement);
      return isSqlite(database) ? response : response[0];
    } finally {
      client.releaseConnection(connection);
    }
  }

  /** The records of a kind of which a column has one of these values; UUIDs in lower case. */
  async function listRecords(
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
  async function listTexts(
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
            select ${codeOf(textKind)} as textKind, entries.position, texts.text from entries
            join ${TEXT_OF_ENTRY}
            where entries.edition = ? and entries.kind = ? and entries.position in ${marks(group)}`,
        )
        .join(' union all '),
      ...groups.flatMap(([textKind, group]) => [
        ...[textsOf(textKind, language), edition, codeOf(ownerOf(textKind))],
        ...group.map(({ position }) => position),
      ]),
    );
    return rows.map(decoded);
  }

  /** The texts of the supplements of records; not every record has one. */
  function listSupplementTexts(
    edition: number,
    kind: Kind,
    positions: readonly number[],
  ): Promise<StoredText[]> {
    const keys = positions.map((position) => ({ kind: SUPPLEMENTS[kind], position }));
    return listTexts(edition, LANGUAGES[0], keys);
  }

  /** What an edition has of the record with a UUID (lower case). @throws MissingTextError if the edition is no longer kept */
  async function selectByUuid<Row extends { position: number }>(
    edition: number,
    uuid: string,
    columns: string,
    joins = '',
    ...values: readonly number[]
  ): Promise<Row | undefined> {
    const rows = await select<Row | { position: null }>(
      `select entries.position, ${columns} from editions
       left join versions on versions.uuid = ?
       left join entries on entries.edition = editions.id and entries.record = versions.record
         and entries.version = versions.version
       ${joins} ${OF_EDITION}`,
      ...[uuid, ...values, edition],
    );
    if (rows.length === 0) throw new MissingTextError(edition, `the record ${uuid}`);
    // One row for each version, of which the edition has one at the most.
    return rows.find((row): row is Row => row.position !== null);
  }

  return {
    listRecords,
    listTexts,

    /**
     * The texts of one kind at positions, in the order given.
     *
     * @throws MissingTextError if the edition does not have all of them
     */
    async listTextsAt(
      edition: number,
      language: Language,
      kind: TextKind,
      positions: readonly number[],
    ): Promise<StoredText[]> {
      const rows = await listTexts(
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

    /**
     * The texts that records of one kind embed, in the order of their slots.
     *
     * @param textKinds the text kinds to fetch; all by default
     * @param some which texts of a text kind to fetch, by their place in the slot; all by default
     * @throws MissingTextError if the edition is no longer kept
     */
    async listEmbedded(
      edition: number,
      language: Language,
      kind: Kind,
      sources: readonly number[],
      textKinds: readonly TextKind[] = [],
      some?: { textKind: TextKind; first: number; count: number },
    ): Promise<EmbeddedText[]> {
      if (sources.length === 0) return [];
      const only = textKinds.length > 0 ? ` and embeds.text_kind in ${marks(textKinds)}` : '';
      const within = some ? ' and (embeds.text_kind <> ? or embeds.ordinal >= ? and embeds.ordinal < ?)' : '';
      const range = some ? [codeOf(some.textKind), some.first, some.first + some.count] : [];
      const rows = await select<Coded<EmbeddedText>>(
        `select sources.position as source, embeds.text_kind as textKind, embeds.ordinal, targets.position, texts.text from editions
         left join entries as sources on sources.edition = editions.id and sources.kind = ?
           and sources.position in ${marks(sources)}
         left join embeds on embeds.version = sources.version${only}${within}
         left join entries as targets on targets.edition = editions.id and targets.record = embeds.record
         left join texts on texts.id = embeds.text_kind * ${CODE_STEP} + targets.version + ?
         ${OF_EDITION}`,
        ...[codeOf(kind), ...sources, ...textKinds.map(codeOf), ...range, offsetOf(language), edition],
      );
      if (rows.length === 0) throw new MissingTextError(edition, `what the ${kind}s embed`);
      // MariaDB would sort them in a table of its own, on disk because of the texts.
      rows.sort((a, b) => a.source - b.source || a.textKind - b.textKind || a.ordinal - b.ordinal);
      return rows.filter((row) => row.text !== null).map(decoded);
    },

    /** The records of a kind that records of another embed, in the order of their slots. */
    async listLinks(
      edition: number,
      kind: Kind,
      sources: readonly number[],
      target: Kind,
    ): Promise<{ source: number; position: number; uuid: string }[]> {
      return await select(
        `select sources.position as source, targets.position, versions.uuid from entries as sources
         cross join embeds on embeds.version = sources.version and embeds.text_kind = ?
         cross join entries as targets on targets.edition = sources.edition and targets.record = embeds.record
         cross join versions on versions.version = targets.version
         where sources.edition = ? and sources.kind = ? and sources.position in ${marks(sources)}
         order by sources.position, embeds.ordinal`,
        ...[codeOf(target), edition, codeOf(kind), ...sources],
      );
    },

    /** The kind and position of the record with this UUID (lower case); undefined if it does not exist. @throws MissingTextError */
    async findRecord(edition: number, uuid: string): Promise<{ kind: Kind; position: number } | undefined> {
      const found = await selectByUuid<{ kind: number; position: number }>(edition, uuid, 'entries.kind');
      return found && { ...found, kind: kindOf(found.kind) };
    },

    /**
     * The text of the record of a kind with this UUID (lower case), and that of its supplement; undefined if the record does
     * not exist.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async findText(
      edition: number,
      language: Language,
      kind: Kind,
      uuid: string,
    ): Promise<{ position: number; text: string; supplement: string | undefined } | undefined> {
      const found = await selectByUuid<{ position: number; text: string | null; supplement: string | null }>(
        ...[edition, uuid, 'texts.text, supplements.text as supplement'],
        `left join ${TEXT_OF_ENTRY} left join texts as supplements on supplements.id = entries.version + ?`,
        ...[textsOf(kind, language), textsOf(SUPPLEMENTS[kind], LANGUAGES[0])],
      );
      // A record of another kind has no such text.
      if (!found || found.text === null) return undefined;
      return { ...found, text: found.text, supplement: found.supplement ?? undefined };
    },

    /** The supplements of the records at positions, by position. */
    async supplementsAt(
      edition: number,
      kind: Kind,
      positions: readonly number[],
    ): Promise<Map<number, Supplement>> {
      const texts = await listSupplementTexts(edition, kind, positions);
      return new Map(texts.map(({ position, text }) => [position, parseSupplement(text)]));
    },

    /**
     * The texts of the supplements of the records at positions, by position; two statements.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async listSupplements(edition: number, kind: Kind, positions: readonly number[]): Promise<string[]> {
      const texts = await listSupplementTexts(edition, kind, positions);
      if (!(await hasEdition(database, edition)))
        throw new MissingTextError(edition, `supplements of ${kind}s from position ${positions[0]}`);
      return texts.toSorted((a, b) => a.position - b.position).map(({ text }) => text);
    },
  };
}

/** Queries for rendered records. */
export type TextQueries = ReturnType<typeof createTextQueries>;

/** Placeholders for a list of values. */
function marks(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`;
}

/** A row with the code of its text kind. */
type Coded<Row extends { textKind: TextKind }> = Omit<Row, 'textKind'> & { textKind: number };

/** Gives a row, in place, its text kind for the code. */
function decoded<Row extends { textKind: number }>(row: Row): Omit<Row, 'textKind'> & { textKind: TextKind } {
  return Object.assign(row, { textKind: textKindOf(row.textKind) });
}

/** Positions whose supplements are read at once: few records have one. */
const BATCH_POSITIONS = 1_000;

/**
 * The supplements of an edition as lines of JSON, in batches: those of persons, then those of events, each by id.
 *
 * @throws MissingTextError if the edition is no longer kept
 */
export async function* readSupplementLines(
  queries: Pick<TextQueries, 'listSupplements'>,
  { id, counts }: EditionContents,
): AsyncGenerator<string[]> {
  for (const kind of Object.keys(SUPPLEMENTS) as Kind[]) {
    for (const positions of positionBatches(counts[kind], BATCH_POSITIONS)) {
      await nextTurn();
      yield (await queries.listSupplements(id, kind, positions)).map((text) => `${text}\n`);
    }
  }
}
