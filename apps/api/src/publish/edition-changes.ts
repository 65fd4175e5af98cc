import { KINDS, type Kind } from '@archiefkast/types';
import { type Changes, noChanges } from '../storage/changes.ts';
import type { TextKind } from '../storage/stored-texts.ts';
import type { RecordIndex } from './bundle/record-index.ts';

/** How a record differs from the edition before: it is new, its own fields differ, or those of a record that it embeds. */
const ADDED = 1;
const CHANGED = 2;
const AFFECTED = 4;

/**
 * The changes of an edition that is being written since the one before. A record has changed if its own fields have, or
 * those of a record that it embeds, at any depth: locations embed events, and events embed locations. Takes a byte per
 * record.
 */
export class EditionChanges {
  readonly #flags: Readonly<Record<Kind, Uint8Array>>;
  readonly #removed: Readonly<Record<Kind, string[]>> = { person: [], subject: [], location: [], event: [] };

  /** @param counts number of records of each kind */
  constructor(counts: Readonly<Record<Kind, number>>) {
    this.#flags = {
      person: new Uint8Array(counts.person),
      subject: new Uint8Array(counts.subject),
      location: new Uint8Array(counts.location),
      event: new Uint8Array(counts.event),
    };
  }

  /** Adds a record of the edition before that is not in this one, in the order of their ids. */
  addRemoved(kind: Kind, uuid: string): void {
    this.#removed[kind].push(uuid);
  }

  /** Adds a record that is new, or whose own fields differ. */
  addDifferent(kind: Kind, position: number, isNew: boolean): void {
    this.#flag(kind, position, isNew ? ADDED : CHANGED);
  }

  /** Adds the records that a record embeds, which have been added themselves: subjects and persons. */
  addEmbedded(kind: Kind, position: number, textKind: TextKind, targets: readonly number[]): void {
    if (textKind !== 'subject' && textKind !== 'person') return;
    const flags = this.#flags[textKind];
    if (targets.some((target) => flags[target - 1] !== 0)) this.#flag(kind, position, AFFECTED);
  }

  /**
   * The changes, once all records have been added.
   *
   * @param locations position of the location of each event; 0 for none
   */
  finish(locations: Uint32Array, index: RecordIndex): Changes {
    const { event, location } = this.#flags;
    // Of an event, locations show its own fields.
    for (const [at, place] of locations.entries()) {
      if (place > 0 && ((event[at] ?? 0) & (ADDED | CHANGED)) !== 0) this.#flag('location', place, AFFECTED);
    }
    for (const [at, place] of locations.entries()) {
      if (place > 0 && location[place - 1] !== 0) this.#flag('event', at + 1, AFFECTED);
    }
    const changes = noChanges();
    for (const kind of KINDS) {
      changes[kind].removed.push(...this.#removed[kind]);
      for (const [position, row] of this.#different(kind, index)) {
        const isNew = ((this.#flags[kind][position - 1] ?? 0) & ADDED) !== 0;
        changes[kind][isNew ? 'added' : 'changed'].push(index.uuidAt(kind, row));
      }
    }
    return changes;
  }

  #flag(kind: Kind, position: number, flag: number): void {
    const flags = this.#flags[kind];
    flags[position - 1] = (flags[position - 1] ?? 0) | flag;
  }

  /** Positions and rows of the records that differ, by position. */
  #different(kind: Kind, index: RecordIndex): [position: number, row: number][] {
    const flags = this.#flags[kind];
    const found: [number, number][] = [];
    for (const [row, position] of index.kinds[kind].positions.entries()) {
      if (position > 0 && flags[position - 1] !== 0) found.push([position, row]);
    }
    return found.sort(([a], [b]) => a - b);
  }
}
