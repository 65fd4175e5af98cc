import type { Kind } from '@archiefkast/types';
import type { FaultList, Origins } from './faults.ts';
import { nameOf } from './record-schemas.ts';
import type { Records } from './records.ts';

/** A record that refers to others. */
export interface Owner {
  kind: Kind;
  /** Its line in the file, or the row of its table. */
  at: number;
  record: { id: number };
}

/** Checks that every reference of a bundle resolves to a record. */
export class ReferenceCheck {
  readonly #records: Records;
  readonly #faults: FaultList;
  readonly #origins: Origins;
  /** Kinds whose file cannot be read; references to them are not checked. */
  readonly #unread: readonly Kind[];
  readonly #postponed: { owner: Owner; field: string; uuid: string }[] = [];
  readonly #parents = new Map<number, { owner: Owner; parent: number }>();

  constructor(records: Records, faults: FaultList, source: Origins & { unread: readonly Kind[] }) {
    this.#records = records;
    this.#faults = faults;
    this.#origins = source;
    this.#unread = source.unread;
  }

  /** Checks references to records of a kind that has been read already. */
  require(owner: Owner, field: string, target: Kind, uuids: readonly string[]): void {
    if (this.#unread.includes(target)) return;
    for (const [position, uuid] of uuids.entries()) {
      if (this.#records.find(target, uuid)) continue;
      const at = uuids.length > 1 ? `${field}[${position}]` : field;
      const where = this.#origins.fileOf(target);
      this.#refuse(owner, at, `refers to the ${target} ${uuid}, which is not in ${where}`);
    }
  }

  /** Defers the check of references among records of one kind until all of it has been read. */
  postpone(owner: Owner, field: string, uuids: readonly string[]): void {
    for (const uuid of uuids) this.#postponed.push({ owner, field, uuid });
  }

  /** Defers the check of a subject's parent until all subjects have been read. */
  noteParent(owner: Owner, parent: number | null): void {
    if (parent !== null) this.#parents.set(owner.record.id, { owner, parent });
  }

  /** Runs the deferred checks, once all records of `kind` have been read. */
  finish(kind: Kind): void {
    for (const { owner, field, uuid } of this.#postponed.splice(0)) this.require(owner, field, kind, [uuid]);
    if (kind !== 'subject' || this.#unread.includes('subject')) return;
    for (const { owner, parent } of this.#parents.values()) {
      if (this.#records.byId.subject.has(parent)) continue;
      const where = this.#origins.fileOf('subject');
      this.#refuse(owner, 'parent', `refers to the subject with id ${parent}, which is not in ${where}`);
    }
    this.#refuseCycles();
    this.#parents.clear();
  }

  /** Reports each cycle of parents once, at its first subject. */
  #refuseCycles(): void {
    const visited = new Set<number>();
    for (const start of this.#parents.keys()) {
      const path: Owner[] = [];
      let id = start;
      while (!visited.has(id)) {
        visited.add(id);
        const step = this.#parents.get(id);
        if (!step) break;
        path.push(step.owner);
        id = step.parent;
      }
      const from = path.findIndex(({ record }) => record.id === id);
      if (from !== -1) this.#refuseCycle(path.slice(from));
    }
  }

  /** Reports a cycle of subjects by their names and ids: `Handel (1) → Markt (2) → Handel (1)`. */
  #refuseCycle(cycle: readonly Owner[]): void {
    const first = cycle.reduce((least, owner) => (owner.at < least.at ? owner : least));
    const begin = cycle.indexOf(first);
    const steps = [...cycle.slice(begin), ...cycle.slice(0, begin), first].map(({ kind, record }) => {
      const name = nameOf(kind, { ...record });
      return name === '' ? `${record.id}` : `${name} (${record.id})`;
    });
    const shown = steps.length > SHOWN ? [...steps.slice(0, SHOWN), '…'] : steps;
    const place = this.#origins.at('subject', first.at, 'parent');
    this.#faults.add({ ...place, reason: `is a cycle: ${shown.join(' → ')}` }, 'reference');
  }

  #refuse(owner: Owner, field: string, reason: string): void {
    const { kind, at, record } = owner;
    const name = nameOf(kind, { ...record });
    const said = `${kind} ${record.id}${name && `, ${name}`}`;
    this.#faults.add({ ...this.#origins.at(kind, at, field), reason, record: said }, 'reference');
  }
}

/** Maximum number of records of a cycle in a message. */
const SHOWN = 10;
