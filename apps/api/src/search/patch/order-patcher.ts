import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import { freeArray } from '../../number-list.ts';
import type { Pause } from '../../pause.ts';
import { DATE_ORDERS, dateKey, dayOf, nameKey } from '../build/order-writer.ts';
import { plainText, type RecordFields, searchableColumns } from '../fields/search-fields.ts';
import type { Arrays, ArrayWriter } from '../file/arrays.ts';
import type { Column, Columns } from '../file/columns.ts';
import { type DocNumbers, orderName } from '../file/index-file.ts';
import type { Order } from '../query/query.ts';

/** How records are sorted, by fields that the index has. */
interface Sorting<Key> {
  order: Order;
  keyOf(kind: Kind, record: RecordFields): Key;
  compare(one: Key, other: Key): number;
}

const byNumber = (one: number, other: number) => one - other;

const BY_NAME = LANGUAGES.map(
  (language): Sorting<Buffer> => ({
    order: `name_${language}`,
    // UTF-8 sorts by code point.
    keyOf: (kind, record) => Buffer.from(nameKey(kind, record, language)),
    compare: Buffer.compare,
  }),
);

const BY_DATE = DATE_ORDERS.map(
  (order): Sorting<number> => ({
    order,
    keyOf: (kind, record) => dateKey(order, dayOf(kind, record)),
    compare: byNumber,
  }),
);

const BY_ID: Sorting<number> = {
  order: 'id',
  keyOf: (_, record) => Number(plainText(record['id'])),
  compare: byNumber,
};

const NAME_FIELDS = ['last_name', 'first_name', 'title_nl', 'name_nl', 'name_en'];
const DATE_FIELDS = ['birth_date', 'date', 'date_start', 'date_end'];

/** The columns of each kind with the fields by which it is sorted. */
type KeyColumns = ReadonlyMap<Kind, ReadonlyMap<string, Column>>;

/** The numbers of the records in two editions. */
export interface Renumbering {
  /** The new document number of each earlier one, plus 1; 0 if the record was removed. */
  newDocs: Uint32Array;
  /** The new document numbers that were changed or added, ascending. */
  written: Uint32Array;
  /** The document numbers of the new edition. */
  docs: DocNumbers;
}

/** Sorts changed and added records into the orders of an index, by the columns of the new edition. */
export class OrderPatcher {
  readonly #renumbering: Renumbering;
  readonly #columns: Columns;
  readonly #isWritten: Uint8Array;

  constructor(renumbering: Renumbering, columns: Columns) {
    this.#renumbering = renumbering;
    this.#columns = columns;
    this.#isWritten = new Uint8Array(renumbering.docs.total);
    for (const doc of renumbering.written) this.#isWritten[doc] = 1;
  }

  /** Patches every order. @param arrays those of the earlier edition */
  async write(arrays: Arrays, writer: ArrayWriter, pause: Pause): Promise<void> {
    const patchAll = async <Key>(sortings: readonly Sorting<Key>[], fields: readonly string[]) => {
      const columns = this.#read(fields);
      for (const sorting of sortings) {
        const name = orderName(sorting.order);
        const earlier = arrays.words(name);
        const patched = await this.#patch(sorting, columns, earlier, pause);
        freeArray(earlier);
        writer.write(name, patched);
        freeArray(patched);
      }
      for (const ofKind of columns.values()) for (const column of ofKind.values()) column.free();
    };
    await patchAll(BY_NAME, NAME_FIELDS);
    await patchAll(BY_DATE, DATE_FIELDS);
    await patchAll([BY_ID], ['id']);
  }

  #read(fields: readonly string[]): KeyColumns {
    const namesOf = (kind: Kind) => searchableColumns(kind).filter((name) => fields.includes(name));
    return new Map(
      KINDS.map((kind) => [
        kind,
        new Map(namesOf(kind).map((name) => [name, this.#columns.folded(kind, name)])),
      ]),
    );
  }

  /** @param earlier the order in the earlier edition, which is overwritten */
  async #patch<Key>(
    sorting: Sorting<Key>,
    columns: KeyColumns,
    earlier: Uint32Array,
    pause: Pause,
  ): Promise<Uint32Array<ArrayBuffer>> {
    const unchanged = this.#unchanged(earlier);
    const { docs, written } = this.#renumbering;
    const keyed = Array.from(written, (doc) => ({ doc, key: this.#keyOf(sorting, columns, doc) }));
    await pause();
    keyed.sort((one, other) => sorting.compare(one.key, other.key) || one.doc - other.doc);
    await pause();
    const patched = new Uint32Array(docs.total);
    let from = 0;
    for (const [place, { doc, key }] of keyed.entries()) {
      const isBefore = (other: number) =>
        (sorting.compare(this.#keyOf(sorting, columns, other), key) || other - doc) < 0;
      const to = firstNot(isBefore, unchanged, from);
      patched.set(unchanged.subarray(from, to), from + place);
      patched[to + place] = doc;
      from = to;
      await pause();
    }
    patched.set(unchanged.subarray(from), from + keyed.length);
    return patched;
  }

  /** The order of the unchanged records, by their new numbers; in place. */
  #unchanged(order: Uint32Array): Uint32Array {
    const { newDocs } = this.#renumbering;
    let length = 0;
    for (const doc of order) {
      const next = newDocs[doc] ?? 0;
      if (next > 0 && !this.#isWritten[next - 1]) order[length++] = next - 1;
    }
    return order.subarray(0, length);
  }

  #keyOf<Key>({ keyOf }: Sorting<Key>, columns: KeyColumns, doc: number): Key {
    const { kind, position } = this.#renumbering.docs.recordOf(doc);
    const record: Record<string, string> = {};
    for (const [name, column] of columns.get(kind) ?? []) record[name] = column.valueAt(position - 1);
    return keyOf(kind, record);
  }
}

/** The place of the first number at or after `from` for which `isBefore` is false. */
function firstNot(isBefore: (doc: number) => boolean, docs: Uint32Array, from: number): number {
  let [low, high] = [from, docs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(docs[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
