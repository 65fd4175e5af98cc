import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types/kinds';
import { DATE_ORDERS, dateKey, dayOf, nameKey } from '../build/order-writer.ts';
import type { Pause } from '../build/pause.ts';
import { plainText, type RecordFields, searchableColumns } from '../fields/search-fields.ts';
import type { Arrays, ArrayWriter } from '../file/arrays.ts';
import type { Columns } from '../file/columns.ts';
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

const BY_NUMBER: readonly Sorting<number>[] = [
  ...DATE_ORDERS.map((order) => ({
    order,
    keyOf: (kind: Kind, record: RecordFields) => dateKey(order, dayOf(kind, record)),
    compare: byNumber,
  })),
  { order: 'id', keyOf: (_, record) => Number(plainText(record['id'])), compare: byNumber },
];

const SORTED_FIELDS = [
  ...['last_name', 'first_name', 'title_nl', 'name_nl', 'name_en'],
  ...['birth_date', 'date', 'date_start', 'date_end', 'id'],
];

/** The fields of each kind by which it is sorted. */
const KEY_FIELDS = new Map(
  KINDS.map((kind) => [kind, searchableColumns(kind).filter((name) => SORTED_FIELDS.includes(name))]),
);

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
    for (const [kind, names] of KEY_FIELDS) for (const name of names) columns.pin(kind, name);
  }

  /** Patches every order. @param arrays those of the earlier edition */
  async write(arrays: Arrays, writer: ArrayWriter, pause: Pause): Promise<void> {
    for (const sorting of BY_NAME) await this.#patch(sorting, arrays, writer, pause);
    for (const sorting of BY_NUMBER) await this.#patch(sorting, arrays, writer, pause);
  }

  async #patch<Key>(sorting: Sorting<Key>, arrays: Arrays, writer: ArrayWriter, pause: Pause): Promise<void> {
    const name = orderName(sorting.order);
    const unchanged = this.#unchanged(arrays.words(name));
    const { docs, written } = this.#renumbering;
    const keyed = Array.from(written, (doc) => ({ doc, key: this.#keyOf(sorting, doc) }));
    await pause();
    keyed.sort((one, other) => sorting.compare(one.key, other.key) || one.doc - other.doc);
    await pause();
    const patched = new Uint32Array(docs.total);
    let from = 0;
    for (const [place, { doc, key }] of keyed.entries()) {
      const isBefore = (other: number) =>
        (sorting.compare(this.#keyOf(sorting, other), key) || other - doc) < 0;
      const to = firstNot(isBefore, unchanged, from);
      patched.set(unchanged.subarray(from, to), from + place);
      patched[to + place] = doc;
      from = to;
      await pause();
    }
    patched.set(unchanged.subarray(from), from + keyed.length);
    writer.write(name, patched);
  }

  /** The order of the unchanged records, by their new numbers. */
  #unchanged(order: Uint32Array): Uint32Array {
    const { newDocs } = this.#renumbering;
    return order
      .map((doc) => newDocs[doc] ?? 0)
      .filter((next) => next > 0 && !this.#isWritten[next - 1])
      .map((next) => next - 1);
  }

  #keyOf<Key>({ keyOf }: Sorting<Key>, doc: number): Key {
    const { kind, position } = this.#renumbering.docs.recordOf(doc);
    const record: Record<string, string> = {};
    for (const name of KEY_FIELDS.get(kind) ?? [])
      record[name] = this.#columns.folded(kind, name).valueAt(position - 1);
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
