import type { Kind } from '@archiefkast/types';
import type { FaultList } from './faults.ts';
import type { Origins } from './origins.ts';
import type { RecordIndex } from './record-index.ts';

/** Checks that every reference of a bundle names a record. */
export class ReferenceCheck {
  readonly #index: RecordIndex;
  readonly #faults: FaultList;
  readonly #origins: Origins;
  /** Kinds whose file could not be read: what refers to them is not at fault. */
  readonly #unread = new Set<Kind>();
  readonly #postponed: { kind: Kind; line: number; field: string; uuid: string }[] = [];
  readonly #parents: { id: number; parent: number; line: number }[] = [];

  constructor(index: RecordIndex, faults: FaultList, origins: Origins) {
    this.#index = index;
    this.#faults = faults;
    this.#origins = origins;
  }

  /** The records of a kind are not known: references to them are taken as they are. */
  pass(kind: Kind): void {
    this.#unread.add(kind);
  }

  /** A reference to a record of a kind that has been read already. */
  require(kind: Kind, line: number, field: string, target: Kind, uuids: readonly string[]): void {
    if (this.#unread.has(target)) return;
    for (const [position, uuid] of uuids.entries()) {
      if (this.#index.row(target, uuid) === undefined) {
        const at = uuids.length > 1 ? `${field}[${position}]` : field;
        this.#refuse(
          kind,
          line,
          at,
          `refers to the ${target} ${uuid}, which ${this.#origins.fileOf(target)} does not have`,
        );
      }
    }
  }

  /** References among records of one kind, checked when all of it has been read. */
  postpone(kind: Kind, line: number, field: string, uuids: readonly string[]): void {
    for (const uuid of uuids) this.#postponed.push({ kind, line, field, uuid });
  }

  /** A subject's parent, checked when all subjects have been read. */
  noteParent(id: number, parent: number | null, line: number): void {
    if (parent !== null) this.#parents.push({ id, parent, line });
  }

  /** Checks what was put off until all records of `kind` were read. */
  finish(kind: Kind): void {
    for (const { line, field, uuid } of this.#postponed.splice(0)) {
      this.require(kind, line, field, kind, [uuid]);
    }
    this.#checkParents();
  }

  #checkParents(): void {
    const parents = this.#parents.splice(0);
    if (this.#unread.has('subject')) return;
    const parentOf = new Map(parents.map(({ id, parent }) => [id, parent]));
    const sound = new Set<number>();
    for (const { id, parent, line } of parents) {
      if (!this.#index.kinds.subject.byId.has(parent)) {
        this.#refuse(
          'subject',
          line,
          'parent',
          `refers to the subject with id ${parent}, which ${this.#origins.fileOf('subject')} does not have`,
        );
        continue;
      }
      const path: number[] = [];
      const seen = new Set<number>();
      for (let at: number | undefined = id; at !== undefined && !sound.has(at); at = parentOf.get(at)) {
        if (seen.has(at)) {
          if (at === id)
            this.#refuse('subject', line, 'parent', `is a cycle: ${describeCycle([...path, id])}`);
          break;
        }
        seen.add(at);
        path.push(at);
      }
      if (!seen.has(parentOf.get(path.at(-1) ?? id) ?? -1)) for (const each of path) sound.add(each);
    }
  }

  #refuse(kind: Kind, line: number, field: string, reason: string): void {
    this.#faults.add({ ...this.#origins.at(kind, line, field), reason });
  }
}

/** At most this many ids of a cycle are shown. */
const SHOWN = 10;

function describeCycle(ids: readonly number[]): string {
  return ids.length > SHOWN ? `${ids.slice(0, SHOWN).join(' → ')} → …` : ids.join(' → ');
}
