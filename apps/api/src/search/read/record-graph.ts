import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types/kinds';
import type { RecordFields } from '../fields/fields.ts';
import type { End } from '../fields/relations.ts';
import { type DocNumbers, readDocNumbers } from '../file/index-file.ts';
import { endName, type GraphArrays, type GraphOrder, rankName } from './graph-arrays.ts';

/** Rows that can be told apart in the key of a sort. */
const MOST_ROWS = 2 ** 25;

/** How the records of an edition hang together, and what lists show of them: looked up in the thread that asks. */
export class RecordGraph {
  readonly #arrays: GraphArrays;
  readonly #docs: DocNumbers;
  readonly #selectCard: StatementSync;

  /** @param database an index file, open for reading; whoever opened it closes it */
  constructor(database: DatabaseSync, arrays: GraphArrays) {
    this.#arrays = arrays;
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
