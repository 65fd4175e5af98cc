import type { Kind } from '@archiefkast/types';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { type Edition, type EditionContents, findEdition } from './edition.ts';
import { codeOf, kindOf } from './stored-texts.ts';
import { MissingTextError } from './texts.ts';

/** A span of time, both ends inclusive, in milliseconds since 1970. */
export interface Span {
  from: number;
  until: number;
}

/** The span of all times. */
export const ALWAYS: Span = { from: 0, until: Number.MAX_SAFE_INTEGER };

/** Since when the records of an edition are shown to harvesters as they are, in milliseconds since 1970. */
export interface Moments {
  /** Of those that are shown otherwise than in the edition before: when this one was last served. */
  own: number;
  /** Of no record an earlier time: see `Edition.allChangedAt`. */
  least: number;
}

/** The second that begins after a moment, both in milliseconds since 1970. */
export function secondAfter(moment: number): number {
  return (Math.floor(moment / 1_000) + 1) * 1_000;
}

/** An edition, with the times of its records, and the span in which these are sought. */
export interface DatedScope extends Moments, Span {
  edition: number;
}

/** A record of an edition, and the time that is asked for. */
interface DatedRecord {
  position: number;
  uuid: string;
  at: number;
}

/** What names a record. */
export interface RecordName {
  kind: Kind;
  uuid: string;
}

/** Entries that are read and sorted for a part of a list. */
const MOST_SORTED = 500;

/** Rows of records that are gone, read by one statement. */
const GONE_ROWS = 5_000;

type Range = [first: number, last: number];

/** The times of entries to look for, inclusive; undefined if there are none in the span, as all may have changed later. */
function storedSpan({ from, until, least }: Span & Pick<Moments, 'least'>): Range | undefined {
  return until < least ? undefined : [from <= least ? 0 : from, until];
}

function isAlways([first, last]: Range): boolean {
  return first === ALWAYS.from && last === ALWAYS.until;
}

function isWithin(moment: number, [first, last]: Range): boolean {
  return first <= moment && moment <= last;
}

/**
 * Queries for when records changed or went. For harvesters, who come back with `from`, these times are no clock's: each edition is served
 * in a later second than the one before, and an answer has every change before the second after its edition was served, whatever is
 * published later, and whenever a server sees it.
 */
export type Datestamps = ReturnType<typeof createDatestamps>;

/** Creates the queries: one statement each, unless they say otherwise. */
export function createDatestamps(database: Database) {
  const entriesOf = (edition: number) => database('entries').where({ edition });

  /**
   * The entries of a kind after a position whose time is in the span, as queries without common rows. The index of times finds
   * few entries that were changed in earlier editions; if there are many, the list itself soon has enough of them.
   */
  async function entriesIn({ edition, own, ...scope }: DatedScope, kind: Kind, after: number, limit: number) {
    const span = storedSpan(scope);
    if (!span) return [];
    const ofKind = () =>
      entriesOf(edition)
        .where({ 'entries.kind': codeOf(kind) })
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit);
    if (isAlways(span)) return [ofKind()];
    const changed = () => entriesOf(edition).whereBetween('datestamp', span);
    const some = changed()
      .limit(MOST_SORTED + 1)
      .select('position');
    if ((await count(database.from(some.as('some')))) > MOST_SORTED)
      return [ofKind().whereRaw('coalesce(datestamp, ?) between ? and ?', [own, ...span])];
    // With a plus, SQLite does not look these columns up in the primary key.
    const earlier = changed().whereRaw('+entries.kind = ? and +position > ?', [codeOf(kind), after]);
    return isWithin(own, span) ? [earlier, ofKind().whereNull('datestamp')] : [earlier];
  }

  /** Those that were gone when the edition was served: later ones may be in it. */
  function goneIn({ from, until, own }: DatedScope, kinds: readonly Kind[]) {
    return database('gone')
      .whereBetween('since', [from, Math.min(until, own)])
      .whereIn('kind', kinds.map(codeOf));
  }

  /** When records of an edition changed last, before another time; undefined if none did, but in this edition. */
  async function changeBefore(edition: number, moment: number | null): Promise<number | undefined> {
    const earlier = database('entries').where({ edition });
    if (moment !== null) earlier.where('changed_at', '<', moment);
    const [row] = await earlier.max({ at: 'changed_at' });
    return row?.['at'] === null ? undefined : Number(row?.['at']);
  }

  const count = async (rows: Knex.QueryBuilder) => Number((await rows.count({ n: '*' }).first())?.['n'] ?? 0);

  return {
    /** The times of an edition that is or was served; one statement. */
    async read({ id }: EditionContents): Promise<Moments> {
      const edition = await findEdition(database, id);
      return { own: edition?.servedAt?.getTime() ?? 0, least: edition?.allChangedAt ?? 0 };
    },
    /** The earliest of all times; two statements. */
    async earliest({ id }: EditionContents, { own, least }: Moments): Promise<number> {
      const [changed] = await entriesOf(id).min({ at: 'datestamp' });
      const [gone] = await database('gone').min({ at: 'since' });
      return Math.min(Math.max(Number(changed?.['at'] ?? own), least), Number(gone?.['at'] ?? own), own);
    },
    /**
     * The records of a kind after a position, in order, and their datestamps; at most four statements.
     *
     * @throws MissingTextError if the edition is no longer kept
     */
    async list(scope: DatedScope, kind: Kind, after: number, limit: number): Promise<DatedRecord[]> {
      const rows: (Omit<DatedRecord, 'at'> & { at: number | null })[] = [];
      for (const entries of await entriesIn(scope, kind, after, limit)) {
        const versions = entries.join('versions', 'versions.version', 'entries.version');
        rows.push(...(await versions.select('position', 'versions.uuid', 'datestamp as at')));
      }
      if (!(await findEdition(database, scope.edition)))
        throw new MissingTextError(scope.edition, `all ${kind}s`);
      return rows
        .sort((a, b) => a.position - b.position)
        .slice(0, limit)
        .map(({ at, ...row }) => ({ ...row, at: Math.max(Number(at ?? scope.own), scope.least) }));
    },
    /** The records that are gone after a uuid, in order, and since when. */
    async listGone(
      scope: DatedScope,
      kinds: readonly Kind[],
      after: string,
      limit: number,
    ): Promise<(Omit<DatedRecord, 'position'> & { kind: Kind })[]> {
      const rows: { uuid: string; kind: number; at: number }[] = await goneIn(scope, kinds)
        .where('uuid', '>', after)
        .orderBy('uuid')
        .limit(limit)
        .select('uuid', 'kind', 'since as at');
      return rows.map(({ uuid, kind, at }) => ({ uuid, kind: kindOf(kind), at: Number(at) }));
    },
    /** All records that are gone, by uuid, and since when; as many statements as they need. */
    async listAllGone(): Promise<(RecordName & { at: number })[]> {
      const all: (RecordName & { at: number })[] = [];
      for (let more = true; more; ) {
        const rows: { uuid: string; kind: number; at: number }[] = await database('gone')
          .where('uuid', '>', all.at(-1)?.uuid ?? '')
          .orderBy('uuid')
          .limit(GONE_ROWS)
          .select('uuid', 'kind', 'since as at');
        all.push(...rows.map(({ uuid, kind, at }) => ({ kind: kindOf(kind), uuid, at: Number(at) })));
        more = rows.length === GONE_ROWS;
      }
      return all;
    },
    /** Whether nothing in an edition is older than it, as in the first edition of an archive. */
    isFirst: async ({ id }: EditionContents): Promise<boolean> =>
      (await changeBefore(id, null)) === undefined,
    /** The records that changed last, newest first; at most two statements for each time at which some changed. */
    async listLast({ id, publishedAt }: Edition, limit: number): Promise<(DatedRecord & { kind: Kind })[]> {
      const last: (DatedRecord & { kind: Kind })[] = [];
      // Null means changed in this edition. The index has the records of one time in order, but not those of all times.
      let moment: number | null | undefined = null;
      while (moment !== undefined && last.length < limit) {
        const at = moment ?? publishedAt.getTime();
        const rows: { kind: number; position: number; uuid: string }[] = await database('entries')
          .join('versions', 'versions.version', 'entries.version')
          .where({ edition: id, changed_at: moment })
          .orderBy(['entries.kind', 'position'])
          .limit(limit - last.length)
          .select('entries.kind', 'position', 'versions.uuid');
        for (const row of rows) last.push({ ...row, kind: kindOf(row.kind), at });
        moment = last.length < limit ? await changeBefore(id, moment) : undefined;
      }
      return last;
    },
    /**
     * The record with this UUID (lower case), if it was served and is no more, or `archive.json` names it as replaced: since when, and
     * the record that takes its place, which may be gone as well.
     */
    async findGone(uuid: string) {
      const row: { kind: number; since: number; by: string | null; other: number | null } | undefined =
        await database('gone')
          .leftJoin('versions', 'versions.uuid', 'gone.replaced_by')
          .where({ 'gone.uuid': uuid })
          .first('gone.kind', 'since', 'replaced_by as by', 'versions.kind as other');
      if (!row) return undefined;
      const { kind, since, by, other } = row;
      const replacedBy: RecordName | undefined =
        by === null ? undefined : { kind: kindOf(other ?? kind), uuid: by };
      return { kind: kindOf(kind), since: Number(since), replacedBy };
    },
    /** The number of records in a scope, with those that are gone; at most three statements. */
    async count(scope: DatedScope, kinds: readonly Kind[]): Promise<number> {
      const gone = await count(goneIn(scope, kinds));
      const span = storedSpan(scope);
      if (!span) return gone;
      if (isAlways(span)) {
        const edition = await findEdition(database, scope.edition);
        return kinds.reduce((sum, kind) => sum + (edition?.counts[kind] ?? 0), gone);
      }
      const ofKinds = () => entriesOf(scope.edition).whereIn('kind', kinds.map(codeOf));
      const own = isWithin(scope.own, span) ? await count(ofKinds().whereNull('datestamp')) : 0;
      return gone + own + (await count(ofKinds().whereBetween('datestamp', span)));
    },
  };
}
