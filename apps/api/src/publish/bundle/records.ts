import { forKinds, KINDS, type Kind } from '@archiefkast/types';

/** What is kept in memory of a record while its bundle is published: little, as there may be a million. */
export interface KnownRecord {
  readonly id: number;
  readonly uuid: string;
  /** Its line in the file, or the row of its table. */
  readonly at: number;
  /** Its position in the served list of its kind, from 1; 0 if it is not served. */
  position: number;
}

/** The first record with an id or uuid that another one has too. */
export interface Clash {
  field: 'id' | 'uuid';
  kind: Kind;
  first: KnownRecord;
}

/** The records of a bundle: what their references and positions need, not their content. */
export class Records {
  /** The records of each kind by id, in the order of the bundle. */
  readonly byId = forKinds(() => new Map<number, KnownRecord>());
  readonly #byUuid = forKinds(() => new Map<string, KnownRecord>());
  /** Number of served records of each kind, once they are ranked. */
  readonly counts = forKinds(() => 0);
  /** The events that are served at a location, by id, once they are ranked. */
  readonly eventsAt = new Map<KnownRecord, readonly KnownRecord[]>();
  /** Uuids of the subjects of an event, if its location or the supplement has them. */
  readonly subjectsOf = new Map<string, readonly string[]>();

  /** Adds a record, unless there is one with its id or uuid, which is returned. */
  add(
    kind: Kind,
    { id, uuid, published }: { id: number; uuid: string; published: boolean },
    at: number,
  ): Clash | undefined {
    const sameId = this.byId[kind].get(id);
    if (sameId) return { field: 'id', kind, first: sameId };
    for (const other of KINDS) {
      const first = this.#byUuid[other].get(uuid);
      if (first) return { field: 'uuid', kind: other, first };
    }
    const known = { id, uuid, at, position: published ? UNRANKED : 0 };
    this.byId[kind].set(id, known);
    this.#byUuid[kind].set(uuid, known);
    return undefined;
  }

  /** The record of `kind` with a uuid; undefined if there is none. */
  find(kind: Kind, uuid: string): KnownRecord | undefined {
    return this.#byUuid[kind].get(uuid);
  }

  /** The position of a record in the served list of its kind, from 1; 0 if it is not served. */
  position(kind: Kind, uuid: string): number {
    return this.find(kind, uuid)?.position ?? 0;
  }

  /** Whether a record is served. */
  isServed(kind: Kind, uuid: string): boolean {
    return this.position(kind, uuid) !== 0;
  }

  /**
   * Gives published records their positions, by id, and locations their events. Then only subjects, which parents name by
   * id, are still found by it.
   *
   * @param locationOf the location of an event
   */
  rank(locationOf: ReadonlyMap<KnownRecord, KnownRecord>): void {
    for (const kind of KINDS) {
      const served = [...this.byId[kind].values()].filter(({ position }) => position !== 0);
      served.sort((a, b) => a.id - b.id);
      for (const [rank, record] of served.entries()) record.position = rank + 1;
      this.counts[kind] = served.length;
      if (kind !== 'subject') this.byId[kind].clear();
      if (kind !== 'event') continue;
      // Copies, as arrays that have grown keep room to grow.
      for (const [location, events] of Map.groupBy(served, (event) => locationOf.get(event)))
        if (location) this.eventsAt.set(location, [...events]);
    }
  }

  /** Releases the memory of the records. */
  clear(): void {
    for (const kind of KINDS) {
      this.byId[kind].clear();
      this.#byUuid[kind].clear();
    }
    this.eventsAt.clear();
    this.subjectsOf.clear();
  }
}

/** The position of a published record before all are known. */
const UNRANKED = -1;
