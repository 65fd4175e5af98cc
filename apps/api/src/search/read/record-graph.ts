import type { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { type End, RELATIONS, type Relation } from '../fields/relations.ts';
import type { RecordFields } from '../fields/search-fields.ts';
import { fieldNumber, UNDATED } from '../file/index-file.ts';
import { type RecordSlots, Records } from '../file/records.ts';
import { createNear, type PlaceData } from './places.ts';

/** The orders of related records. */
export const GRAPH_ORDERS = ['name_nl', 'name_en', 'date'] as const;

export type GraphOrder = (typeof GRAPH_ORDERS)[number];

/** What the graph needs of all records: plain data, which can be sent to another thread. */
export interface GraphData extends RecordSlots {
  /** The document numbers of all records in each order. */
  orders: ReadonlyMap<GraphOrder, Uint32Array<ArrayBuffer>>;
  places: PlaceData;
  /** The slot of the first location that is a town, by its folded name: its name is its city. */
  towns: ReadonlyMap<string, number>;
}

/** The buffers of the data, to transfer them to another thread. */
export function buffersOf({ slots, orders, places }: GraphData): ArrayBuffer[] {
  const { positions, latitudes, longitudes } = places;
  return [slots, ...orders.values(), positions, latitudes, longitudes].map(({ buffer }) => buffer);
}

/** The events with a date, which has 10 characters, and the first and last day of any event. */
const EVENTS_BY_DECADE = `
  SELECT decade, sum(events) AS events FROM (
    SELECT CAST(substr(folded, 1, 3) AS INTEGER) AS decade, count(*) AS events
    FROM value WHERE field = $date AND length(folded) = 10 GROUP BY decade
    ${['day', 'day DESC']
      .map(
        (order) => `UNION ALL SELECT * FROM (
          SELECT day / 100000, 0 FROM record INDEXED BY record_day
          WHERE kind = $event AND day < ${UNDATED} ORDER BY ${order} LIMIT 1
        )`,
      )
      .join('\n')}
  ) GROUP BY decade ORDER BY decade`;

/** The positions of a kind in an order. */
interface OrderedKind {
  positions: Uint32Array;
  /** The place of each position (minus 1) in `positions`. */
  ranks: Uint32Array;
}

const PARENT = RELATIONS.findIndex(({ name }) => name === 'subject.parent');

/** Numbers of records by kind. */
export type RecordsBelow = Readonly<Record<Exclude<Kind, 'subject'>, number>>;

/** The graph of the records of an edition, and their cards; used in the calling thread. */
export type RecordGraph = ReturnType<typeof createRecordGraph>;

/** Creates the graph. @param database an open index file, closed by the caller */
export function createRecordGraph(database: DatabaseSync, data: GraphData) {
  const records = new Records(data);
  let byteLength = [...buffersOf(data), data.places.tree].reduce((sum, each) => sum + each.byteLength, 0);
  const kept = new Map<string, OrderedKind>();
  const selectSources = database.prepare(
    'SELECT source AS slot FROM reference WHERE relation = ? AND target = ?',
  );
  const selectTargets = database.prepare(
    'SELECT target AS slot FROM reference WHERE relation = ? AND source = ? ORDER BY place',
  );
  const selectRoots = database.prepare(
    'SELECT slot FROM record WHERE kind = ? AND slot NOT IN (SELECT source FROM reference WHERE relation = ?) ORDER BY id',
  );
  const selectCard = database.prepare('SELECT card FROM record WHERE slot = ?');
  const selectUuid = database.prepare('SELECT uuid FROM record WHERE slot = ?');
  const selectBelow = database.prepare('SELECT persons, locations, events FROM below WHERE subject = ?');
  const selectNarrower = database.prepare(`
    SELECT source AS slot FROM reference CROSS JOIN below ON subject = source
    WHERE relation = ? AND target = ? ORDER BY persons + locations + events DESC, source LIMIT ?`);
  let decades: ReadonlyMap<number, number> | undefined;

  /** The records of a kind in an order; kept after the first call. */
  function inOrder(kind: Kind, order: GraphOrder): OrderedKind {
    const known = kept.get(`${order} ${kind}`);
    if (known) return known;
    const { start, records: ofKind } = records.spanOf(kind);
    const docs = data.orders.get(order) ?? new Uint32Array();
    const positions = docs
      .filter((doc) => doc >= start && doc < start + ofKind)
      .map((doc) => doc - start + 1);
    const ranks = new Uint32Array(ofKind);
    for (const [rank, position] of positions.entries()) ranks[position - 1] = rank;
    kept.set(`${order} ${kind}`, { positions, ranks });
    byteLength += positions.byteLength + ranks.byteLength;
    return { positions, ranks };
  }

  function positionsOf(kind: Kind, rows: readonly Record<string, unknown>[]): number[] {
    const { start } = records.spanOf(kind);
    return rows.map((row) => records.docAt(row['slot']) - start + 1);
  }

  const slotOf = (kind: Kind, position: number): number =>
    records.slots[records.spanOf(kind).start + position - 1] ?? 0;

  return {
    get byteLength(): number {
      return byteLength;
    },

    /**
     * The distinct positions of the records related to one record: of each end, those that refer to it in list order, those
     * that it refers to in its own.
     *
     * @param ends ends of relations whose hits are of one kind
     * @param position position of the record at the other end
     */
    related(ends: readonly End[], position: number): number[] {
      const found = new Set<number>();
      for (const { relation, hits } of ends) {
        const isSource = hits === 'source';
        const slot = slotOf(isSource ? relation.target : relation.source, position);
        const select = isSource ? selectSources : selectTargets;
        const positions = positionsOf(relation[hits], select.all(RELATIONS.indexOf(relation), slot));
        for (const each of isSource ? positions.sort((a, b) => a - b) : positions) found.add(each);
      }
      return [...found];
    },

    /** The positions of the records that could refer to others by a relation, and refer to none. */
    roots(relation: Relation): number[] {
      const { source } = relation;
      return positionsOf(source, selectRoots.all(KINDS.indexOf(source), RELATIONS.indexOf(relation)));
    },

    sort(kind: Kind, positions: readonly number[], order: GraphOrder): number[] {
      const { ranks } = inOrder(kind, order);
      return positions.toSorted((a, b) => (ranks[a - 1] ?? 0) - (ranks[b - 1] ?? 0));
    },

    /** The positions of all records of a kind in an order. */
    ordered: (kind: Kind, order: GraphOrder): Uint32Array => inOrder(kind, order).positions,

    /** The positions of the records of a kind before and after one, in an order of all of them; undefined at its ends. */
    neighbours(kind: Kind, position: number, order: GraphOrder) {
      const { positions, ranks } = inOrder(kind, order);
      const rank = ranks[position - 1] ?? 0;
      return { previous: positions[rank - 1], next: positions[rank + 1] };
    },

    /** How many records of each kind have a subject or one below it. */
    below(position: number): RecordsBelow {
      const found = selectBelow.get(slotOf('subject', position));
      const countOf = (kinds: string) => Number(found?.[kinds] ?? 0);
      return { person: countOf('persons'), location: countOf('locations'), event: countOf('events') };
    },

    /** The subjects right below one that have most records, most first. */
    largestNarrower: (position: number, limit: number): number[] =>
      positionsOf('subject', selectNarrower.all(PARENT, slotOf('subject', position), limit)),

    near: createNear(data.places),

    /** The position of the first location that is a town of this name; undefined if there is none. @param name folded */
    town(name: string): number | undefined {
      const slot = data.towns.get(name);
      return slot === undefined ? undefined : positionsOf('location', [{ slot }])[0];
    },

    /** The fields of a record that lists show, without empty ones. */
    card: (kind: Kind, position: number): RecordFields =>
      JSON.parse(String(selectCard.get(slotOf(kind, position))?.['card'] ?? '{}')),

    uuid: (kind: Kind, position: number): string => String(selectUuid.get(slotOf(kind, position))?.['uuid']),

    /**
     * The number of events in each decade (160 is 1600–1609), ascending: as many as `date:` finds. The first and the
     * last have an event, if only one that begins or ends then. Kept after the first call.
     */
    countDecades(): ReadonlyMap<number, number> {
      decades ??= new Map(
        database
          .prepare(EVENTS_BY_DECADE)
          .all({ date: fieldNumber('event', 'date'), event: KINDS.indexOf('event') })
          .map(({ decade, events }) => [Number(decade), Number(events)]),
      );
      return decades;
    },
  };
}
