import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import { type End, RELATIONS } from '../fields/relations.ts';
import type { RecordFields } from '../fields/search-fields.ts';
import type { Arrays } from '../file/arrays.ts';
import { type DocNumbers, orderName, readDocNumbers } from '../file/index-file.ts';
import type { Order } from '../query/query.ts';

/** The records that a relation binds to each record of a kind: those of row `r` are `rows[starts[r]]` to `rows[starts[r + 1] - 1]`. */
interface Adjacency {
  starts: Uint32Array<ArrayBuffer>;
  rows: Uint32Array<ArrayBuffer>;
}

/** An order in which related records can be had. */
export type GraphOrder = Extract<Order, `name_${string}` | 'date'>;

/** How the records of an edition hang together, as numbers: plain data, which may be sent to another thread. */
export interface GraphArrays {
  /** By `endName`: those that name each record, in the order of their lists, or those that it names, in its own order. */
  ends: ReadonlyMap<string, Adjacency>;
  /** The place of each record of a kind in an order, by `rankName`. */
  ranks: ReadonlyMap<string, Uint32Array<ArrayBuffer>>;
}

const ORDERS: readonly GraphOrder[] = [...LANGUAGES.map((language) => `name_${language}` as const), 'date'];

/** Where an end of a relation is among the arrays of a graph. */
function endName({ relation, hits }: End): string {
  return `${relation.name} ${hits}`;
}

/** Where the places of records in an order are among the arrays of a graph. */
function rankName(order: GraphOrder, kind: Kind): string {
  return `${order} ${kind}`;
}

/** Reads from the arrays of an index how its records hang together. */
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
  return { ends: new Map(ends), ranks: new Map(ranks) };
}

/** The memory of the arrays, which can be handed over to another thread. */
export function buffersOf({ ends, ranks }: GraphArrays): ArrayBuffer[] {
  const adjacent = [...ends.values()].flatMap(({ starts, rows }) => [starts.buffer, rows.buffer]);
  return [...adjacent, ...[...ranks.values()].map(({ buffer }) => buffer)];
}

/** A counting sort: what stands beside the same row stays in its order. */
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

/** Rows that can be told apart in the key of a sort. */
const MOST_ROWS = 2 ** 25;

/** How the records of an edition hang together, and what lists show of them: looked up in the thread that asks. */
export class RecordGraph {
  readonly #arrays: GraphArrays;
  readonly #docs: DocNumbers;
  readonly #selectCard: StatementSync;
  /** Bytes of the arrays. */
  readonly byteLength: number;

  /** @param database an index file, open for reading; whoever opened it closes it */
  constructor(database: DatabaseSync, arrays: GraphArrays) {
    this.#arrays = arrays;
    this.byteLength = buffersOf(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#docs = readDocNumbers(database);
    this.#selectCard = database.prepare('SELECT fields FROM card WHERE doc = ?');
  }

  /**
   * The positions of the records at the ends of relations whose other end is one record, each once.
   *
   * @param ends those whose hits are all of one kind
   * @param position of the record at the other end
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

  /** Positions of records of a kind, in an order. */
  sort(kind: Kind, positions: readonly number[], order: GraphOrder): number[] {
    if (positions.length < 2) return [...positions];
    const ranks = this.#arrays.ranks.get(rankName(order, kind));
    const keyed = Float64Array.from(positions, (each) => (ranks?.[each - 1] ?? 0) * MOST_ROWS + each).sort();
    return Array.from(keyed, (key) => key % MOST_ROWS);
  }

  /** What lists show of a record: fields that are empty are left out. */
  card(kind: Kind, position: number): RecordFields {
    const card = this.#selectCard.get(this.#docs.docOf(kind, position - 1));
    return JSON.parse(String(card?.['fields'] ?? '{}'));
  }
}
