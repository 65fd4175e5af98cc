/** What differs between the records of a kind in two editions, ascending. */
export interface KindDifferences {
  /** Positions in the new edition. */
  added: readonly number[];
  /** Positions in the new edition, and in the earlier one. */
  changed: readonly { position: number; earlier: number }[];
  /** Positions in the earlier edition. */
  removed: readonly number[];
}

/** An index cannot be patched; it has to be built. */
export class UnpatchableError extends Error {
  override readonly name = 'UnpatchableError';
}

/** A change of a list of values, one for each record. */
export interface Edit {
  /** The row (from 0) of the earlier list before which, or of which, a value changes. */
  at: number;
  /** Whether the value of that row is dropped. */
  isDropped: boolean;
  /** Which of the new values is put there: the n-th changed or added one; undefined for none. */
  put: number | undefined;
}

/** The steps from the records of a kind in one edition to those in another: rows are from 0. */
export class KindEdits {
  /** In order of row. */
  readonly edits: readonly Edit[];
  /** The new row of each earlier one, plus 1; 0 if it was removed. */
  readonly newRows: Uint32Array;
  /** The new rows that were changed or added, ascending. */
  readonly written: Uint32Array;
  /** Whether the records are in other rows than before. */
  readonly isShifted: boolean;
  /** Number of records in the new edition. */
  readonly after: number;

  /**
   * @param before number of records in the earlier edition
   * @param after number of records in the new edition
   * @throws UnpatchableError if records that both have are not in the same order, or the numbers do not fit the changes
   */
  constructor(before: number, after: number, { added, changed, removed }: KindDifferences) {
    const edits: Edit[] = [];
    const written: number[] = [];
    this.newRows = new Uint32Array(before);
    const left = { added: added.values(), changed: changed.values(), removed: removed.values() };
    let [add, change, remove] = [
      left.added.next().value,
      left.changed.next().value,
      left.removed.next().value,
    ];
    let row = 0;
    const write = (at: number, isDropped: boolean) => {
      edits.push({ at, isDropped, put: written.push(row) - 1 });
    };
    for (let at = 0; at <= before; at++) {
      for (; add === row + 1; row++) {
        write(at, false);
        add = left.added.next().value;
      }
      if (at === before) break;
      if (remove === at + 1) {
        edits.push({ at, isDropped: true, put: undefined });
        remove = left.removed.next().value;
        continue;
      }
      if (change?.position === row + 1 && change.earlier === at + 1) {
        write(at, true);
        change = left.changed.next().value;
      }
      row += 1;
      this.newRows[at] = row;
    }
    if (row !== after || add !== undefined || change !== undefined || remove !== undefined)
      throw new UnpatchableError(`${before} records: the changes do not lead to ${after} in the same order`);
    this.after = after;
    this.edits = edits;
    this.written = Uint32Array.from(written);
    this.isShifted = removed.length > 0 || added.length > 0;
  }

  /** Applies the edits to an array with a number for each record. @param put the new values */
  spliceNumbers(values: Float64Array, put: readonly number[]): Float64Array {
    const spliced = new Float64Array(this.after);
    for (let at = 0; at < values.length; at++) {
      const row = this.newRows[at] ?? 0;
      if (row > 0) spliced[row - 1] = values[at] ?? 0;
    }
    for (const [which, row] of this.written.entries()) spliced[row] = put[which] ?? Number.NaN;
    return spliced;
  }
}
