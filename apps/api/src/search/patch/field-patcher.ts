import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import { FieldWriter } from '../build/field-writer.ts';
import { Column } from '../file/columns.ts';
import type { Edit } from './kind-edits.ts';

/** The new values of one field, in memory. */
export class NewValues {
  readonly #folded: Buffer[] = [];
  readonly #shown: Buffer[] = [];
  readonly #writer = new FieldWriter(({ folded, shown }) => {
    this.#folded.push(Buffer.from(folded));
    this.#shown.push(Buffer.from(shown ?? folded));
  });

  /** Adds the value of the next changed or added record. */
  add(value: string): void {
    this.#writer.add(value);
  }

  /** All values: for comparison, and for display. */
  take(): Values {
    this.#writer.flush();
    return { folded: new Column(this.#folded), shown: new Column(this.#shown) };
  }
}

/** Values of consecutive records: for comparison, and for display. */
interface Values {
  folded: Column;
  shown: Column;
}

/** Applies edits to the fields of an index file, rewriting only the blocks that differ. */
export class FieldPatcher {
  readonly #select: StatementSync;
  readonly #replace: StatementSync;

  constructor(database: DatabaseSync) {
    this.#select = database.prepare(
      'SELECT block, folded, coalesce(shown, folded) AS shown FROM field WHERE kind = ? AND name = ? ORDER BY block',
    );
    this.#replace = database.prepare(
      'INSERT OR REPLACE INTO field (kind, name, block, folded, shown) VALUES (?, ?, ?, ?, ?)',
    );
  }

  /**
   * Applies edits to a field.
   *
   * @param edits in order of row
   * @returns whether a block was rewritten
   */
  patch(kind: Kind, name: string, edits: readonly Edit[], values: Values): boolean {
    let isPatched = false;
    let first = 0;
    let done = 0;
    const blocks = this.#blocks(kind, name);
    for (const [place, { block, folded, shown }] of blocks.entries()) {
      // Records added at the end are in the last block.
      const end = place === blocks.length - 1 ? Number.POSITIVE_INFINITY : first + folded.length;
      let last = done;
      while ((edits[last]?.at ?? Number.POSITIVE_INFINITY) < end) last += 1;
      const here = edits.slice(done, last);
      const newFolded = splice(folded, first, here, values.folded);
      const newShown = splice(shown, first, here, values.shown);
      if (!newFolded.equals(folded.bytes) || !newShown.equals(shown.bytes)) {
        this.#replace.run(kind, name, block, newFolded, newShown.equals(newFolded) ? null : newShown);
        isPatched = true;
      }
      first += folded.length;
      done = last;
    }
    return isPatched;
  }

  /** The blocks of a field: an empty one if it has none yet. */
  #blocks(kind: Kind, name: string): (Values & { block: number })[] {
    const blocks = this.#select.all(kind, name).map((row) => ({
      block: Number(row['block']),
      folded: columnOf(row['folded']),
      shown: columnOf(row['shown']),
    }));
    return blocks.length > 0 ? blocks : [{ block: 0, folded: new Column([]), shown: new Column([]) }];
  }
}

function columnOf(bytes: unknown): Column {
  return new Column(bytes instanceof Uint8Array ? [bytes] : []);
}

/** Applies edits to a block. @param first row of its first value */
function splice(block: Column, first: number, edits: readonly Edit[], values: Column): Buffer {
  const pieces: Uint8Array[] = [];
  let row = 0;
  for (const { at, isDropped, put } of edits) {
    pieces.push(block.bytes.subarray(block.startOf(row), block.startOf(at - first)));
    if (put !== undefined) pieces.push(values.bytes.subarray(values.startOf(put), values.startOf(put + 1)));
    row = at - first + (isDropped ? 1 : 0);
  }
  pieces.push(block.bytes.subarray(block.startOf(row)));
  return Buffer.concat(pieces);
}
