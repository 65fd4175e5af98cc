import { forKinds, KINDS, type Kind } from '@archiefkast/types';

/** What is kept in memory of a record while its bundle is published. */
export interface KnownRecord {
  kind: Kind;
  id: number;
  uuid: string;
  /** Its line in the file, or the row of its table. */
  at: number;
  isPublished: boolean;
  /** Its position in the served list of its kind, from 1; 0 if it is not served. */
  position: number;
  /** Of a location: its events that are served, by id. */
  events?: KnownRecord[];
  /** Of an event: its location. */
  location?: KnownRecord | undefined;
  /** Of an event: uuids of its subjects, if its location or the supplement has them. */
  subjects?: readonly string[];
}

/** The first record with an id or uuid that another one has too. */
export interface Clash {
  field: 'id' | 'uuid';
  first: KnownRecord;
}

/** The records of a bundle: what their references and positions need, not their content. */
export class Records {
  /** The records of each kind by id, in the order of the bundle. */
  readonly byId = forKinds(() => new Map<number, KnownRecord>());
  /** Number of served records of each kind, once they are ranked. */
  readonly counts = forKinds(() => 0);
  readonly #byUuid = new Map<string, KnownRecord>();

  /** Adds a record, unless there is one with its id or uuid. */
  add(
    kind: Kind,
    { id, uuid, published }: { id: number; uuid: string; published: boolean },
    at: number,
  ): KnownRecord | Clash {
    const sameId = this.byId[kind].get(id);
    if (sameId) return { field: 'id', first: sameId };
    const sameUuid = this.#byUuid.get(uuid);
    if (sameUuid) return { field: 'uuid', first: sameUuid };
    const known: KnownRecord = { kind, id, uuid, at, isPublished: published, position: 0 };
    this.byId[kind].set(id, known);
    this.#byUuid.set(uuid, known);
    return known;
  }

  /** The record of `kind` with a uuid; undefined if there is none. */
  find(kind: Kind, uuid: string): KnownRecord | undefined {
    const record = this.#byUuid.get(uuid);
    return record?.kind === kind ? record : undefined;
  }

  /** The position of a record in the served list of its kind, from 1; 0 if it is not served. */
  position(kind: Kind, uuid: string): number {
    return this.find(kind, uuid)?.position ?? 0;
  }

  /** Whether a record is served. */
  isServed(kind: Kind, uuid: string): boolean {
    return this.position(kind, uuid) !== 0;
  }

  /** Gives published records their positions, by id, and locations their events. */
  rank(): void {
    for (const kind of KINDS) {
      const served = [...this.byId[kind].values()].filter(({ isPublished }) => isPublished);
      served.sort((a, b) => a.id - b.id);
      for (const [rank, record] of served.entries()) {
        record.position = rank + 1;
        const { location } = record;
        if (!location) continue;
        location.events ??= [];
        location.events.push(record);
      }
      this.counts[kind] = served.length;
    }
  }

  /** Releases the memory of the records. */
  clear(): void {
    for (const kind of KINDS) this.byId[kind].clear();
    this.#byUuid.clear();
  }
}
