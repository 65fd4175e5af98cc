import { type Kind, UUID_PATTERN } from '@archiefkast/types';
import { UuidTable } from '../../uuid-table.ts';
import { RELATIONS, type Relation } from '../fields/relations.ts';
import type { RecordFields } from '../fields/search-fields.ts';
import { Numbers, type Pairs } from '../file/arrays.ts';

/** The uuid in which a reference ends: it is one itself, or an address, with or without its root. */
const UUID_AT_THE_END = new RegExp(`(?:^|/)(${UUID_PATTERN})/?(?:\\?[^#]*)?$`);
/** Characters of a uuid with a slash before and after it. */
const UUID_ROOM = 38;

/** Gathers which records name which, while the records come one after another. */
export class RelationWriter {
  readonly #uuids = new UuidTable();
  /** Row, plus 1, of the record of each uuid, by its number; 0 while there is none. */
  readonly #rows = new Numbers();
  /** Subjects are named by id, as parents. */
  readonly #subjects = new Map<number, number>();
  readonly #parents: number[] = [];
  readonly #named = new Map(
    RELATIONS.map(({ name }) => [name, { sources: new Numbers(), names: new Numbers() }]),
  );

  /** @param row the record's place among those of its kind, from 0 */
  add(kind: Kind, row: number, record: RecordFields): void {
    const number = this.#numberNamed(record['uuid']);
    if (number !== undefined) this.#rows.set(number, row + 1);
    if (kind === 'subject' && typeof record['id'] === 'number') this.#subjects.set(record['id'], row);
    for (const relation of RELATIONS) {
      if (relation.source === kind) this.#addNamed(relation, row, record[relation.field]);
    }
  }

  /** Which records name which by a relation; of those that are there. */
  pairsOf({ name, field }: Relation): Pairs {
    const { sources, names } = this.#named.get(name) ?? { sources: new Numbers(), names: new Numbers() };
    const pairs = { sources: new Uint32Array(sources.length), targets: new Uint32Array(sources.length) };
    let length = 0;
    for (let at = 0; at < sources.length; at++) {
      const named = names.at(at);
      const target =
        field === 'parent' ? this.#subjects.get(this.#parents[named] ?? -1) : this.#rows.at(named) - 1;
      if (target === undefined || target < 0) continue;
      pairs.sources[length] = sources.at(at);
      pairs.targets[length] = target;
      length += 1;
    }
    return { sources: pairs.sources.subarray(0, length), targets: pairs.targets.subarray(0, length) };
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

  /** The number of the uuid that a reference names: itself a uuid, an API reference or a record. */
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

function uuidAtTheEnd(reference: string): string | undefined {
  // Over the whole of an address the pattern takes several times as long.
  const end = reference.includes('?') ? reference : reference.slice(-UUID_ROOM);
  return UUID_AT_THE_END.exec(end)?.[1];
}
