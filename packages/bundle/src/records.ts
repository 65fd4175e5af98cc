import { forKinds, KINDS, type Kind } from '@archiefkast/types';
import { type Fields, REFERENCE_FIELDS } from '@archiefkast/types/internal';
import type { FaultList, Origins } from './faults.ts';

/** What is kept in memory of a record while its bundle is published: little, as there may be a million. */
export interface KnownRecord {
  readonly kind: Kind;
  readonly id: number;
  readonly uuid: string;
  /** Its line in the file, or the row of its table. */
  readonly at: number;
  /** Its position in the served list of its kind, from 1; 0 if it is not served. */
  position: number;
  /** Its number in the database; 0 if the database does not have it. */
  number: number;
  /** Hash of its names in both languages: those that refer to it are shown with them. */
  names: number;
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
  /** The records of all kinds by uuid: one that has the uuid of another kind's by its kind as well. */
  readonly #byUuid = new Map<string, KnownRecord>();
  /** Number of served records of each kind, once they are ranked. */
  readonly counts = forKinds(() => 0);
  /** The events at a location: those that are served, by id, once events are ranked. */
  readonly eventsAt = new Map<KnownRecord, KnownRecord[]>();
  /** The locations that name one as related, by its uuid, in the order of the bundle. */
  readonly relatedTo = new Map<string, KnownRecord[]>();
  /** Uuids of the subjects of an event, if its location or the supplement has them. */
  readonly subjectsOf = new Map<string, readonly string[]>();

  /**
   * Adds a record. Of records with the same id or uuid, the first has it; the others are found by what they have alone, so
   * that references to them are no faults too.
   *
   * @returns the first one with its id or uuid, if there is one
   */
  add(
    kind: Kind,
    { id, uuid, published }: { id: number; uuid: string; published: boolean },
    at: number,
  ): Clash | undefined {
    const [sameId, sameUuid] = [this.byId[kind].get(id), this.#byUuid.get(uuid)];
    const known = { kind, id, uuid, at, position: published ? UNRANKED : 0, number: 0, names: 0 };
    if (!sameId) this.byId[kind].set(id, known);
    if (!sameUuid) this.#byUuid.set(uuid, known);
    else if (!this.find(kind, uuid)) this.#byUuid.set(kind + uuid, known);
    if (sameId) return { field: 'id', first: sameId };
    return sameUuid && { field: 'uuid', first: sameUuid };
  }

  /** The record of `kind` with a uuid; undefined if there is none. */
  find(kind: Kind, uuid: string): KnownRecord | undefined {
    const first = this.#byUuid.get(uuid);
    return !first || first.kind === kind ? first : this.#byUuid.get(kind + uuid);
  }

  /** Whether a record is served. */
  isServed(kind: Kind, uuid: string): boolean {
    return Boolean(this.find(kind, uuid)?.position);
  }

  /** Notes where an event is. */
  placeEvent(event: KnownRecord, location: KnownRecord): void {
    const events = this.eventsAt.get(location);
    if (events) events.push(event);
    else this.eventsAt.set(location, [event]);
  }

  /** Notes which locations one names as related. */
  relateLocation(location: KnownRecord, related: readonly string[]): void {
    for (const uuid of related) {
      const naming = this.relatedTo.get(uuid);
      if (naming) naming.push(location);
      else this.relatedTo.set(uuid, [location]);
    }
  }

  /**
   * Gives the published records of a kind their positions, by id, once all have been added. Then only subjects, which parents
   * name by id, are still found by it.
   */
  rank(kind: Kind): void {
    const served = [...this.byId[kind].values()].filter(({ position }) => position !== 0);
    served.sort(byId);
    for (const [rank, record] of served.entries()) record.position = rank + 1;
    this.counts[kind] = served.length;
    if (kind !== 'subject') this.byId[kind].clear();
    if (kind !== 'event') return;
    for (const [location, events] of this.eventsAt) {
      const shown = events.filter(({ position }) => position !== 0);
      // A copy, as an array that has grown keeps room to grow.
      this.eventsAt.set(location, shown.toSorted(byId));
    }
  }

  /** Releases the memory of the records. */
  clear(): void {
    for (const kind of KINDS) this.byId[kind].clear();
    this.#byUuid.clear();
    this.eventsAt.clear();
    this.relatedTo.clear();
    this.subjectsOf.clear();
  }
}

const byId = (a: KnownRecord, b: KnownRecord) => a.id - b.id;

/** The position of a published record before all are known. */
const UNRANKED = -1;

/** A record that refers to others: little of it, as it may be kept until all records of its kind have been read. */
export interface Owner {
  kind: Kind;
  id: number;
  name: string;
  /** Its line in the file, or the row of its table. */
  at: number;
}

/** Checks that every reference of a bundle resolves to a record. Those to kinds whose file cannot be read are not checked. */
export function createReferenceCheck(
  records: Records,
  faults: FaultList,
  source: Origins & { unread: readonly Kind[] },
) {
  const postponed: { owner: Owner; field: string; uuid: string }[] = [];
  const parents = new Map<number, { owner: Owner; parent: number }>();

  const refuse = ({ kind, id, name, at }: Owner, field: string, reason: string) => {
    const said = `${kind} ${id}${name && `, ${name}`}`;
    faults.add({ ...source.at(kind, at, field), reason, record: said });
  };

  /** Checks references to records of a kind that has been read already. */
  const require = (owner: Owner, field: string, target: Kind, uuids: readonly string[]) => {
    if (source.unread.includes(target)) return;
    for (const [position, uuid] of uuids.entries()) {
      if (records.find(target, uuid)) continue;
      const at = uuids.length > 1 ? `${field}[${position}]` : field;
      refuse(owner, at, `refers to the ${target} ${uuid}, which is not in ${source.fileOf(target)}`);
    }
  };

  /** Reports each cycle of parents once, at its first subject, by names and ids: `Handel (1) → Markt (2) → Handel (1)`. */
  const refuseCycles = () => {
    const visited = new Set<number>();
    for (const start of parents.keys()) {
      const path: Owner[] = [];
      let step = parents.get(start);
      for (; step && !visited.has(step.owner.id); step = parents.get(step.parent)) {
        visited.add(step.owner.id);
        path.push(step.owner);
      }
      const cycle = step && path.includes(step.owner) ? path.slice(path.indexOf(step.owner)) : [];
      const [first] = cycle.toSorted((a, b) => a.at - b.at);
      if (!first) continue;
      const begin = cycle.indexOf(first);
      const steps = [...cycle.slice(begin), ...cycle.slice(0, begin), first].map(({ id, name }) =>
        name === '' ? `${id}` : `${name} (${id})`,
      );
      const shown = steps.length > SHOWN ? [...steps.slice(0, SHOWN), '…'] : steps;
      const place = source.at('subject', first.at, 'parent');
      faults.add({ ...place, reason: `is a cycle: ${shown.join(' → ')}` });
    }
  };

  return {
    require,
    /** Checks the references of a record; those to records of its own kind that were not read yet, once all of these have been. */
    note(owner: Owner, fields: Fields): void {
      for (const { name, target } of REFERENCE_FIELDS[owner.kind]) {
        const uuids = [fields[name]].flat().filter((each) => typeof each === 'string');
        if (target !== owner.kind) require(owner, name, target, uuids);
        else
          for (const uuid of uuids)
            if (!records.find(target, uuid)) postponed.push({ owner, field: name, uuid });
      }
      const { parent } = fields;
      if (typeof parent === 'number') parents.set(owner.id, { owner, parent });
    },
    /** Runs the deferred checks, once all records of `kind` have been read. */
    finish(kind: Kind): void {
      for (const { owner, field, uuid } of postponed.splice(0)) require(owner, field, kind, [uuid]);
      if (kind !== 'subject' || source.unread.includes('subject')) return;
      for (const { owner, parent } of parents.values()) {
        if (records.byId.subject.has(parent)) continue;
        const where = source.fileOf('subject');
        refuse(owner, 'parent', `refers to the subject with id ${parent}, which is not in ${where}`);
      }
      refuseCycles();
      parents.clear();
    },
  };
}

/** Maximum number of records of a cycle in a message. */
const SHOWN = 10;
