import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import { type End, RELATIONS } from '../fields/relations.ts';
import type { RecordFields } from '../fields/search-fields.ts';
import type { Arrays } from '../file/arrays.ts';
import { type DocNumbers, orderName, ROWIDS, readDocNumbers } from '../file/index-file.ts';
import type { Order } from '../query/query.ts';

/** The related records of each row of a kind: those of row `r` are `rows[starts[r]]` to `rows[starts[r + 1] - 1]`. */
interface Adjacency {
  starts: Uint32Array<ArrayBuffer>;
  rows: Uint32Array<ArrayBuffer>;
}

/** An order of related records. */
export type GraphOrder = Extract<Order, `name_${string}` | 'date'>;

/** The graph of the records of an edition as numbers: plain data, which can be sent to another thread. */
export interface GraphArrays {
  /** By `endName`: the records that refer to each record, in list order, or those that it refers to, in its own order. */
  ends: ReadonlyMap<string, Adjacency>;
  /** The rank of each record of a kind in an order, by `rankName`. */
  ranks: ReadonlyMap<string, Uint32Array<ArrayBuffer>>;
  /** The rowid of each record, by document number. */
  rowids: Uint32Array<ArrayBuffer>;
}

const ORDERS: readonly GraphOrder[] = [...LANGUAGES.map((language) => `name_${language}` as const), 'date'];

/** Key of an end of a relation in the arrays of a graph. */
function endName({ relation, hits }: End): string {
  return `${relation.name} ${hits}`;
}

/** Key of the ranks of a kind in the arrays of a graph. */
function rankName(order: GraphOrder, kind: Kind): string {
  return `${order} ${kind}`;
}

/** Reads the graph of the records from the arrays of an index. */
export function readGraphArrays(arrays: Arrays, docs: DocNumbers): GraphArrays {
  const ends = RELATIONS.flatMap((relation): [string, Adjacency][] => {
    const { sources, targets } = arrays.pairs(relation);
    const recordsOf = (kind: Kind) => docs.spanOf(kind).records;
    return [
      [endName({ relation, hits: 'source' }), adjacencyOf(targets, sources, recordsOf(relation.target))],
      [endName({ relation, hits: 'target' }), adjacencyOf(sources, targets, recordsOf(relation.source))],
    ];
  });
  const ranks = ORDERS.flatMap((order) => {
    const rankOf = inverseOf(arrays.words(orderName(order)));
    return KINDS.map((kind): [string, Uint32Array<ArrayBuffer>] => {
      const { start, records } = docs.spanOf(kind);
      return [rankName(order, kind), rankOf.slice(start, start + records)];
    });
  });
  return { ends: new Map(ends), ranks: new Map(ranks), rowids: arrays.words(ROWIDS).slice() };
}

/** The buffers of the arrays, to transfer them to another thread. */
export function buffersOf({ ends, ranks, rowids }: GraphArrays): ArrayBuffer[] {
  const adjacent = [...ends.values()].flatMap(({ starts, rows }) => [starts.buffer, rows.buffer]);
  return [...adjacent, ...[...ranks.values()].map(({ buffer }) => buffer), rowids.buffer];
}

/** Groups pairs by row, with a stable counting sort. */
function adjacencyOf(from: Uint32Array, to: Uint32Array, records: number): Adjacency {
  const starts = new Uint32Array(records + 1);
  for (const row of from) starts[row + 1] = (starts[row + 1] ?? 0) + 1;
  for (let row = 0; row < records; row++) starts[row + 1] = (starts[row + 1] ?? 0) + (starts[row] ?? 0);
  const places = starts.slice();
  const rows = new Uint32Array(from.length);
  for (let at = 0; at < from.length; at++) {
    const row = from[at] ?? 0;
    const place = places[row] ?? 0;
    places[row] = place + 1;
    rows[place] = to[at] ?? 0;
  }
  return { starts, rows };
}

function inverseOf(order: Uint32Array): Uint32Array<ArrayBuffer> {
  const rankOf = new Uint32Array(order.length);
  for (let rank = 0; rank < order.length; rank++) rankOf[order[rank] ?? 0] = rank;
  return rankOf;
}

/** Maximum number of rows in a sort key. */
const MOST_ROWS = 2 ** 25;

/** The graph of the records of an edition, and their cards; used in the calling thread. */
export class RecordGraph {
  readonly #arrays: GraphArrays;
  readonly #docs: DocNumbers;
  readonly #selectCard: StatementSync;
  readonly #ordered = new Map<string, Uint32Array>();
  /** Size of the arrays in bytes. */
  byteLength: number;

  /** @param database an open index file, closed by the caller */
  constructor(database: DatabaseSync, arrays: GraphArrays) {
    this.#arrays = arrays;
    this.byteLength = buffersOf(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#docs = readDocNumbers(database);
    this.#selectCard = database.prepare('SELECT fields FROM card WHERE rowid = ?');
  }

  /**
   * The distinct positions of the records related to one record.
   *
   * @param ends ends of relations whose hits are of one kind
   * @param position position of the record at the other end
   */
  related(ends: readonly End[], position: number): number[] {
    const found = new Set<number>();
    for (const end of ends) {
      const { starts, rows } = this.#arrays.ends.get(endName(end)) ?? {};
      const last = starts?.[position] ?? 0;
      for (let at = starts?.[position - 1] ?? last; at < last; at++) found.add((rows?.[at] ?? 0) + 1);
    }
    return [...found];
  }

  /** Sorts positions of records of a kind. */
  sort(kind: Kind, positions: readonly number[], order: GraphOrder): number[] {
    if (positions.length < 2) return [...positions];
    const ranks = this.#arrays.ranks.get(rankName(order, kind));
    const keyed = Float64Array.from(positions, (each) => (ranks?.[each - 1] ?? 0) * MOST_ROWS + each).sort();
    return Array.from(keyed, (key) => key % MOST_ROWS);
  }

  /** The positions of all records of a kind in an order; kept after the first call, which takes 10 ms for a million. */
  ordered(kind: Kind, order: GraphOrder): Uint32Array {
    const name = rankName(order, kind);
    const kept = this.#ordered.get(name);
    if (kept) return kept;
    const ranks = this.#arrays.ranks.get(name) ?? new Uint32Array();
    const byRank = new Uint32Array(ranks.reduce((most, rank) => Math.max(most, rank), 0) + 1);
    for (const [at, rank] of ranks.entries()) byRank[rank] = at + 1;
    const ordered = byRank.filter((position) => position > 0);
    this.#ordered.set(name, ordered);
    this.byteLength += ordered.byteLength;
    return ordered;
  }

  /** The positions of the records of a kind before and after one, in an order of all of them; undefined at its ends. */
  neighbours(
    kind: Kind,
    position: number,
    order: GraphOrder,
  ): { previous: number | undefined; next: number | undefined } {
    const ranks = this.#arrays.ranks.get(rankName(order, kind)) ?? new Uint32Array();
    const own = ranks[position - 1] ?? 0;
    let [previous, next]: [number, number] = [-1, -1];
    for (let at = 0; at < ranks.length; at++) {
      const rank = ranks[at] ?? 0;
      if (rank < own && (previous < 0 || rank > (ranks[previous] ?? 0))) previous = at;
      else if (rank > own && (next < 0 || rank < (ranks[next] ?? 0))) next = at;
    }
    return {
      previous: previous < 0 ? undefined : previous + 1,
      next: next < 0 ? undefined : next + 1,
    };
  }

  /** The fields of a record that lists show, without empty ones. */
  card(kind: Kind, position: number): RecordFields {
    const rowid = this.#arrays.rowids[this.#docs.docOf(kind, position - 1)] ?? 0;
    const card = this.#selectCard.get(rowid);
    return JSON.parse(String(card?.['fields'] ?? '{}'));
  }
}
