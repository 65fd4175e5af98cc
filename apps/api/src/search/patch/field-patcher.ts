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
  readonly #listBlocks: StatementSync;
  readonly #selectFolded: StatementSync;
  readonly #selectShown: StatementSync;
  readonly #replace: StatementSync;

  constructor(database: DatabaseSync) {
    this.#listBlocks = database.prepare('SELECT block FROM field WHERE kind = ? AND name = ? ORDER BY block');
    const where = 'FROM field WHERE kind = ? AND name = ? AND block = ?';
    this.#selectFolded = database.prepare(`SELECT folded AS bytes ${where}`);
    this.#selectShown = database.prepare(`SELECT coalesce(shown, folded) AS bytes ${where}`);
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
    const blocks = this.#listBlocks.all(kind, name).map(({ block }) => Number(block));
    // A field that has no block yet gets an empty one.
    if (blocks.length === 0) blocks.push(0);
    for (const [place, block] of blocks.entries()) {
      const folded = read(this.#selectFolded, kind, name, block);
      // Records added at the end are in the last block.
      const end = place === blocks.length - 1 ? Number.POSITIVE_INFINITY : first + folded.length;
      let last = done;
      while ((edits[last]?.at ?? Number.POSITIVE_INFINITY) < end) last += 1;
      if (last > done) {
        const here = edits.slice(done, last);
        const shown = read(this.#selectShown, kind, name, block);
        const newFolded = splice(folded, first, here, values.folded);
        const newShown = splice(shown, first, here, values.shown);
        if (!newFolded.equals(folded.bytes) || !newShown.equals(shown.bytes)) {
          this.#replace.run(kind, name, block, newFolded, newShown.equals(newFolded) ? null : newShown);
          isPatched = true;
        }
        shown.free();
      }
      first += folded.length;
      done = last;
      folded.free();
    }
    return isPatched;
  }
}

/** A block of a field; empty if it does not exist. */
function read(select: StatementSync, kind: Kind, name: string, block: number): Column {
  return Column.taking([select.get(kind, name, block)?.['bytes']]);
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
