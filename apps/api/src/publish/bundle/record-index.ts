import { KINDS, type Kind } from '@archiefkast/types';
import { HashSlots } from '../../hash-slots.ts';
import { NumberList } from '../../number-list.ts';
import { UuidTable } from '../../uuid-table.ts';

/** In-memory data of a kind's records during a publish, by row of the file. */
export interface KindIndex {
  /** Number of rows. */
  rows: number;
  /** Number of the uuid of the first row in the table of all uuids; those of the other rows follow. */
  firstUuid: number;
  readonly ids: NumberList;
  readonly lines: NumberList;
  /** Fingerprints of the lines, to detect a change between the two readings. */
  readonly fingerprints: NumberList;
  /** 1 for published ones. */
  readonly published: NumberList;
  byId: RowsById;
  /** Position in the served list (from 1) by row in the file; 0 when unpublished. Filled by `rank`. */
  positions: Uint32Array;
  /** Number of published records. Filled by `rank`. */
  count: number;
}

/** Identifiers and positions of all records of a bundle. */
export class RecordIndex {
  readonly kinds: Readonly<Record<Kind, KindIndex>> = {
    person: emptyIndex(),
    subject: emptyIndex(),
    location: emptyIndex(),
    event: emptyIndex(),
  };
  /** Estimated size of the records as JSON, in bytes. */
  bytes = 0;
  readonly #uuids = new UuidTable();

  /**
   * Adds a record, one kind after the other, so that the numbers of their uuids ascend by row. Returns the earlier record
   * with the same id or uuid, if any.
   */
  add(
    kind: Kind,
    record: { id: number; uuid: string; published: boolean },
    line: number,
    fingerprint: number,
  ): Clash | undefined {
    const index = this.kinds[kind];
    const sameId = index.byId.get(record.id);
    if (sameId !== undefined) return { field: 'id', kind, line: index.lines.at(sameId) ?? 0 };
    if (!this.#uuids.add(record.uuid)) {
      const other = KINDS.find((each) => this.row(each, record.uuid) !== undefined) ?? kind;
      const line = this.kinds[other].lines.at(this.row(other, record.uuid) ?? 0) ?? 0;
      return { field: 'uuid', kind: other, line };
    }
    this.bytes += roughSize(record);
    if (index.rows === 0) index.firstUuid = this.#uuids.size - 1;
    index.ids.push(record.id);
    index.lines.push(line);
    index.fingerprints.push(fingerprint);
    index.published.push(record.published ? 1 : 0);
    index.byId.add(index.rows);
    index.rows += 1;
    return undefined;
  }

  /** The row in its file (from 0) of the record of `kind` with this uuid; undefined if unknown. */
  row(kind: Kind, uuid: string): number | undefined {
    const { firstUuid, rows } = this.kinds[kind];
    const row = (this.#uuids.find(uuid) ?? -1) - firstUuid;
    return row >= 0 && row < rows ? row : undefined;
  }

  /** The uuid of the record of `kind` at a row of its file. */
  uuidAt(kind: Kind, row: number): string {
    return this.#uuids.at(this.kinds[kind].firstUuid + row);
  }

  /** The position of a record in the served list of its kind, from 1; 0 if it is not served. */
  position(kind: Kind, uuid: string): number {
    const row = this.row(kind, uuid);
    return row === undefined ? 0 : (this.kinds[kind].positions[row] ?? 0);
  }

  /** Assigns positions to the published records: their dense rank by id, from 1. */
  rank(): void {
    for (const kind of KINDS) {
      const index = this.kinds[kind];
      const rows = new NumberList(Uint32Array);
      for (let row = 0; row < index.rows; row++) if (index.published.at(row)) rows.push(row);
      const served = rows.view.sort((a, b) => (index.ids.at(a) ?? 0) - (index.ids.at(b) ?? 0));
      index.positions = new Uint32Array(index.rows);
      for (const [rank, row] of served.entries()) index.positions[row] = rank + 1;
      index.count = served.length;
    }
  }

  /** Whether the published records of a kind are in the order of their positions. */
  isSorted(kind: Kind): boolean {
    let last = 0;
    for (const position of this.kinds[kind].positions) {
      if (position === 0) continue;
      if (position < last) return false;
      last = position;
    }
    return true;
  }

  /** Releases what is only for the check. Later, subjects are found by the id of a parent, and locations have the ids of events. */
  release(): void {
    for (const kind of KINDS) {
      const index = this.kinds[kind];
      index.lines.clear();
      index.published.clear();
      if (kind !== 'subject') index.byId = new RowsById(index.ids);
      if (kind !== 'subject' && kind !== 'event') index.ids.clear();
    }
  }
}

/** The earlier record with the same id or uuid. */
export interface Clash {
  field: 'id' | 'uuid';
  kind: Kind;
  line: number;
}

/** Estimates the JSON size of a record from its texts and lists; within 10%. */
function roughSize(record: object): number {
  let bytes = 400;
  for (const value of Object.values(record)) {
    if (typeof value === 'string') bytes += value.length;
    else if (Array.isArray(value)) bytes += 40 * value.length;
  }
  return bytes;
}

/** The rows of a kind by id. */
class RowsById {
  readonly #ids: NumberList;
  #sought = 0;
  readonly #slots = new HashSlots(
    (row) => hash(this.#ids.at(row) ?? 0),
    (row) => this.#ids.at(row) === this.#sought,
  );

  /** @param ids the id of each row */
  constructor(ids: NumberList) {
    this.#ids = ids;
  }

  /** The row in the file of the record with this id; undefined if unknown. */
  get(id: number): number | undefined {
    this.#sought = id;
    return this.#slots.find(hash(id));
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  /** Adds a row, whose id is in the list and was not before. */
  add(row: number): void {
    this.#slots.add(row);
  }
}

/** Multiplicative hashing: D. Knuth, The Art of Computer Programming 3, 6.4. */
function hash(id: number): number {
  return Math.imul(id % 2 ** 32, 0x9e3779b1) >>> 7;
}

function emptyIndex(): KindIndex {
  const ids = new NumberList(Float64Array);
  return {
    rows: 0,
    firstUuid: 0,
    ids,
    lines: new NumberList(Uint32Array),
    fingerprints: new NumberList(Uint32Array),
    published: new NumberList(Uint8Array),
    byId: new RowsById(ids),
    positions: new Uint32Array(),
    count: 0,
  };
}
