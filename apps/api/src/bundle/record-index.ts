import { KINDS, type Kind } from '@archive/types';
import { UuidTable } from './uuid-table.ts';

/** What is kept in memory of every record of a bundle while it is published, by kind and place in the file. */
export interface KindIndex {
  readonly ids: number[];
  /** Number in the table of all uuids. */
  readonly numbers: number[];
  readonly lines: number[];
  readonly published: boolean[];
  /** Place in the file by id. */
  readonly byId: Map<number, number>;
  /** Position in the served list (from 1) by place in the file; 0 when unpublished. Filled by `rank`. */
  positions: Uint32Array;
  /** How many are published. Filled by `rank`. */
  count: number;
}

/** All records of a bundle, with the places of their uuids. */
export class RecordIndex {
  readonly kinds: Readonly<Record<Kind, KindIndex>> = {
    person: emptyIndex(),
    subject: emptyIndex(),
    location: emptyIndex(),
    event: emptyIndex(),
  };
  readonly #uuids = new UuidTable();
  /** Kind and place of the record of each uuid, by its number. */
  readonly #owners: number[] = [];

  /** Adds a record; returns the record that has its id or uuid already, if any. */
  add(kind: Kind, record: { id: number; uuid: string; published: boolean }, line: number): Clash | undefined {
    const index = this.kinds[kind];
    const sameId = index.byId.get(record.id);
    if (sameId !== undefined) return { field: 'id', kind, line: index.lines[sameId] ?? 0 };
    if (!this.#uuids.add(record.uuid)) {
      const other = this.#ownerOf(record.uuid);
      return (
        other && { field: 'uuid', kind: other.kind, line: this.kinds[other.kind].lines[other.place] ?? 0 }
      );
    }
    const place = index.ids.length;
    index.ids.push(record.id);
    index.numbers.push(this.#uuids.size - 1);
    index.lines.push(line);
    index.published.push(record.published);
    index.byId.set(record.id, place);
    this.#owners.push(place * KINDS.length + KINDS.indexOf(kind));
    return undefined;
  }

  /** The place in its file of the record of `kind` with this uuid. */
  place(kind: Kind, uuid: string): number | undefined {
    const owner = this.#ownerOf(uuid);
    return owner?.kind === kind ? owner.place : undefined;
  }

  /** The uuid of the record of `kind` at a place in its file. */
  uuidAt(kind: Kind, place: number): string {
    return this.#uuids.at(this.kinds[kind].numbers[place] ?? 0);
  }

  /** The position of a record in the served list of its kind, from 1; 0 when it is not served. */
  position(kind: Kind, uuid: string): number {
    const place = this.place(kind, uuid);
    return place === undefined ? 0 : (this.kinds[kind].positions[place] ?? 0);
  }

  #ownerOf(uuid: string): { kind: Kind; place: number } | undefined {
    const number = this.#uuids.find(uuid);
    const owner = number === undefined ? undefined : this.#owners[number];
    if (owner === undefined) return undefined;
    const kind = KINDS[owner % KINDS.length];
    return kind && { kind, place: Math.floor(owner / KINDS.length) };
  }

  /** Gives every published record its position: its rank by id, dense, from 1. */
  rank(): void {
    for (const kind of KINDS) {
      const index = this.kinds[kind];
      const places = [...index.ids.keys()].filter((place) => index.published[place]);
      places.sort((a, b) => (index.ids[a] ?? 0) - (index.ids[b] ?? 0));
      index.positions = new Uint32Array(index.ids.length);
      for (const [rank, place] of places.entries()) index.positions[place] = rank + 1;
      index.count = places.length;
    }
  }
}

/** A record whose id or uuid another record has. */
export interface Clash {
  field: 'id' | 'uuid';
  kind: Kind;
  line: number;
}

function emptyIndex(): KindIndex {
  return {
    ids: [],
    numbers: [],
    lines: [],
    published: [],
    byId: new Map(),
    positions: new Uint32Array(),
    count: 0,
  };
}
