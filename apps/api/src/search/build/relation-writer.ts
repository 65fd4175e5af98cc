import { type Kind, UUID_PATTERN } from '@archiefkast/types';
import { NumberList } from '../../number-list.ts';
import { UuidTable } from '../../uuid-table.ts';
import { RELATIONS, type Relation } from '../fields/relations.ts';
import type { RecordFields } from '../fields/search-fields.ts';
import type { Pairs } from '../file/arrays.ts';

/** The uuid at the end of a reference: a uuid, or a URL or path. */
const UUID_AT_THE_END = new RegExp(`(?:^|/)(${UUID_PATTERN})/?(?:\\?[^#]*)?$`);
/** Length of a uuid with a slash on each side. */
const UUID_ROOM = 38;

/** The kinds to which records refer. */
export const TARGETS = new Set(RELATIONS.map(({ target }) => target));

/** Collects the references between records. */
export class RelationWriter {
  readonly #uuids = new UuidTable();
  /** Row plus 1 of the record of each uuid, by index of the uuid; 0 if there is none yet. */
  readonly #rows = new NumberList(Uint32Array);
  /** Rows of subjects by id, to which `parent` refers. */
  readonly #subjects = new Map<number, number>();
  readonly #parents: number[] = [];
  readonly #named = new Map(RELATIONS.map(({ name }) => [name, emptyNamed()]));

  /** Adds a record. @param row row within its kind, from 0 */
  add(kind: Kind, row: number, record: RecordFields): void {
    this.#identify(kind, row, record);
    for (const relation of RELATIONS) {
      if (relation.source === kind) this.#addNamed(relation, row, record[relation.field]);
    }
  }

  /** Notes the row of a record that was not added, if one that was added refers to its uuid. @param row row within its kind, from 0 */
  resolve(uuid: string, row: number): void {
    const number = this.#uuids.find(uuid);
    if (number !== undefined) this.#rows.set(number, row + 1);
  }

  /** Notes the row of a subject that was not added. @param row row within its kind, from 0 */
  resolveSubject(id: number, row: number): void {
    this.#subjects.set(id, row);
  }

  /** The references of a relation, without dangling ones, once all records of its kinds have been added; in place, so only once. */
  takePairs({ name, field }: Relation): Pairs {
    const { sources, names } = this.#named.get(name) ?? emptyNamed();
    let length = 0;
    for (let at = 0; at < sources.length; at++) {
      const named = names.at(at) ?? 0;
      const target =
        field === 'parent' ? this.#subjects.get(this.#parents[named] ?? -1) : (this.#rows.at(named) ?? 0) - 1;
      if (target === undefined || target < 0) continue;
      sources.set(length, sources.at(at) ?? 0);
      names.set(length, target);
      length += 1;
    }
    return { sources: sources.view.subarray(0, length), targets: names.view.subarray(0, length) };
  }

  /** Releases the memory of a relation whose pairs have been written. */
  release({ name, field }: Relation): void {
    const { sources, names } = this.#named.get(name) ?? emptyNamed();
    sources.clear();
    names.clear();
    if (field === 'parent') this.#subjects.clear();
  }

  /** Adds the `uuid` and `id` by which others refer to a record. */
  #identify(kind: Kind, row: number, { uuid, id }: RecordFields): void {
    if (!TARGETS.has(kind)) return;
    const number = this.#numberNamed(uuid);
    if (number !== undefined) this.#rows.set(number, row + 1);
    if (kind === 'subject' && typeof id === 'number') this.#subjects.set(id, row);
  }

  #addNamed({ name, field }: Relation, row: number, value: unknown): void {
    const named = this.#named.get(name);
    const values = Array.isArray(value) ? value : [value];
    const seen = values.length > 1 ? new Set<number>() : undefined;
    for (const each of values) {
      const number = field === 'parent' ? this.#numberOfParent(each) : this.#numberNamed(each);
      if (number === undefined || seen?.has(number)) continue;
      seen?.add(number);
      named?.sources.push(row);
      named?.names.push(number);
    }
  }

  /** The index of the uuid of a reference: a uuid, an API reference or a record. */
  #numberNamed(value: unknown): number | undefined {
    const text = typeof value === 'object' && value !== null && 'uuid' in value ? value.uuid : value;
    const uuid = typeof text === 'string' ? uuidAtTheEnd(text) : undefined;
    return uuid === undefined ? undefined : this.#numberOf(uuid);
  }

  #numberOf(uuid: string): number {
    const number = this.#uuids.numberOf(uuid);
    if (number === this.#rows.length) this.#rows.push(0);
    return number;
  }

  #numberOfParent(id: unknown): number | undefined {
    return typeof id === 'number' ? this.#parents.push(id) - 1 : undefined;
  }
}

function emptyNamed() {
  return { sources: new NumberList(Uint32Array), names: new NumberList(Uint32Array) };
}

function uuidAtTheEnd(reference: string): string | undefined {
  // Matching only the end is several times faster than the whole URL.
  const end = reference.includes('?') ? reference : reference.slice(-UUID_ROOM);
  return UUID_AT_THE_END.exec(end)?.[1];
}
