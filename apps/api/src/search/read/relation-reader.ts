import type { Kind } from '@archiefkast/types';
import { type ReferenceField, relationNamed } from '../fields/relations.ts';
import type { Arrays } from '../file/arrays.ts';
import type { Column, Columns } from '../file/columns.ts';
import { matchWhole } from './match-field.ts';

/** Finds records by the records that they name, or that name them. */
export class RelationReader {
  readonly #columns: Columns;
  readonly #arrays: Arrays;

  constructor(columns: Columns, arrays: Arrays) {
    this.#columns = columns;
    this.#arrays = arrays;
  }

  /**
   * Calls `onHit` for every record that a field finds; perhaps more than once.
   *
   * @param record uuid or id of the record that is named
   */
  find(field: ReferenceField, record: string, onHit: (kind: Kind, row: number) => void): void {
    const row = this.#rowOf(field.kind, record);
    if (row === undefined) return;
    const named = new Set([row]);
    if (field.withDescendants) this.#addDescendants(named);
    for (const { relation, hits } of field.ends) {
      const { sources, targets } = this.#arrays.pairs(relation);
      const [from, to] = hits === 'source' ? [targets, sources] : [sources, targets];
      const kind = relation[hits];
      for (let at = 0; at < from.length; at++) {
        if (named.has(from[at] ?? -1)) onHit(kind, to[at] ?? 0);
      }
    }
  }

  /** A record's place among those of its kind, from 0. */
  #rowOf(kind: Kind, record: string): number | undefined {
    let found: number | undefined;
    const column: Column = this.#columns.folded(kind, record.includes('-') ? 'uuid' : 'id');
    matchWhole(column, Buffer.from(record), (row) => {
      found = row;
    });
    return found;
  }

  /** Adds the subjects below those in `rows`, at any depth. */
  #addDescendants(rows: Set<number>): void {
    const { sources, targets } = this.#arrays.pairs(relationNamed('subject.parent'));
    const children = new Map<number, number[]>();
    for (let at = 0; at < sources.length; at++) {
      const parent = targets[at] ?? 0;
      const known = children.get(parent);
      if (known) known.push(sources[at] ?? 0);
      else children.set(parent, [sources[at] ?? 0]);
    }
    // A set goes on to what is added while it is walked.
    for (const row of rows) for (const child of children.get(row) ?? []) rows.add(child);
  }
}
