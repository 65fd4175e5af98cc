import { KINDS, type Kind } from '@archiefkast/types';
import { UuidTable } from '../../uuid-table.ts';

/** What is kept in memory of every record of a bundle while it is published, by kind and row of the file. */
export interface KindIndex {
  readonly ids: number[];
  /** Number in the table of all uuids. */
  readonly numbers: number[];
  readonly lines: number[];
  /** Tells whether the line is still what it was when it is read again. */
  readonly fingerprints: number[];
  readonly published: boolean[];
  /** Row in the file by id. */
  readonly byId: Map<number, number>;
  /** Position in the served list (from 1) by row in the file; 0 when unpublished. Filled by `rank`. */
  positions: Uint32Array;
  /** How many are published. Filled by `rank`. */
  count: number;
}

/** All records of a bundle, with the rows of their uuids. */
export class RecordIndex {
  readonly kinds: Readonly<Record<Kind, KindIndex>> = {
    person: emptyIndex(),
    subject: emptyIndex(),
    location: emptyIndex(),
    event: emptyIndex(),
  };
  /** About how many bytes the records take as JSON. */
  bytes = 0;
  readonly #uuids = new UuidTable();
  /** Kind and row of the record of each uuid, by its number. */
  readonly #owners: number[] = [];

  /** Adds a record; returns the record that has its id or uuid already, if any. */
  add(
    kind: Kind,
    record: { id: number; uuid: string; published: boolean },
    line: number,
    fingerprint: number,
  ): Clash | undefined {
    const index = this.kinds[kind];
    const sameId = index.byId.get(record.id);
    if (sameId !== undefined) return { field: 'id', kind, line: index.lines[sameId] ?? 0 };
    if (!this.#uuids.add(record.uuid)) {
      const owner = this.#ownerOf(record.uuid) ?? 0;
      const other = KINDS[owner % KINDS.length] ?? kind;
      const line = this.kinds[other].lines[Math.floor(owner / KINDS.length)] ?? 0;
      return { field: 'uuid', kind: other, line };
    }
    this.bytes += roughSize(record);
    const row = index.ids.length;
    index.ids.push(record.id);
    index.numbers.push(this.#uuids.size - 1);
    index.lines.push(line);
    index.fingerprints.push(fingerprint);
    index.published.push(record.published);
    index.byId.set(record.id, row);
    this.#owners.push(row * KINDS.length + KINDS.indexOf(kind));
    return undefined;
  }

  /** The row in its file (from 0) of the record of `kind` with this uuid. */
  row(kind: Kind, uuid: string): number | undefined {
    const owner = this.#ownerOf(uuid);
    if (owner === undefined || owner % KINDS.length !== KINDS.indexOf(kind)) return undefined;
    return Math.floor(owner / KINDS.length);
  }

  /** The uuid of the record of `kind` at a row of its file. */
  uuidAt(kind: Kind, row: number): string {
    return this.#uuids.at(this.kinds[kind].numbers[row] ?? 0);
  }

  /** The position of a record in the served list of its kind, from 1; 0 when it is not served. */
  position(kind: Kind, uuid: string): number {
    const row = this.row(kind, uuid);
    return row === undefined ? 0 : (this.kinds[kind].positions[row] ?? 0);
  }

  /** Kind and row of the record of a uuid, as one number. */
  #ownerOf(uuid: string): number | undefined {
    const number = this.#uuids.find(uuid);
    return number === undefined ? undefined : this.#owners[number];
  }

  /** Gives every published record its position: its rank by id, dense, from 1. */
  rank(): void {
    for (const kind of KINDS) {
      const index = this.kinds[kind];
      const rows = [...index.ids.keys()].filter((row) => index.published[row]);
      rows.sort((a, b) => (index.ids[a] ?? 0) - (index.ids[b] ?? 0));
      index.positions = new Uint32Array(index.ids.length);
      for (const [rank, row] of rows.entries()) index.positions[row] = rank + 1;
      index.count = rows.length;
    }
  }
}

/** A record whose id or uuid another record has. */
export interface Clash {
  field: 'id' | 'uuid';
  kind: Kind;
  line: number;
}

/** Texts as they are, and the names of fields and the references beside them: within a tenth of the size as JSON. */
function roughSize(record: object): number {
  let bytes = 400;
  for (const value of Object.values(record)) {
    if (typeof value === 'string') bytes += value.length;
    else if (Array.isArray(value)) bytes += 40 * value.length;
  }
  return bytes;
}

function emptyIndex(): KindIndex {
  return {
    ids: [],
    numbers: [],
    lines: [],
    fingerprints: [],
    published: [],
    byId: new Map(),
    positions: new Uint32Array(),
    count: 0,
  };
}
