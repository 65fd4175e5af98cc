import { COLLECTIONS, type Kind } from '@archive/types';
import type { LooseRecord } from '../records/placed-records.ts';
import { referencesOf } from './references.ts';

/** References to nothing that are named one by one; more are counted. */
const NAMED = 10;

/** Checks that every reference leads to a record. */
export interface ReferenceCheck {
  see(kind: Kind, record: LooseRecord & { uuid: string }): void;
  /**
   * Says what the references came to.
   *
   * @param kinds those of which all records were seen
   */
  finish(kinds: readonly Kind[]): { resolved: number; unresolved: string[]; unchecked: Kind[] };
}

/** References to a record that was not seen yet. */
interface Waiting {
  /** The record and field that named it first. */
  from: string;
  times: number;
}

/** Makes a check. Of the records it remembers their keys only. */
export function createReferenceCheck(): ReferenceCheck {
  const seen = new Map<Kind, Set<string>>();
  const waiting = new Map<Kind, Map<string, Waiting>>();
  let resolved = 0;

  function refer(kind: Kind, key: string, from: () => string): void {
    if (seen.get(kind)?.has(key)) {
      resolved += 1;
      return;
    }
    const keys = getOrMake(waiting, kind, () => new Map<string, Waiting>());
    const known = keys.get(key);
    if (known) known.times += 1;
    else keys.set(key, { from: from(), times: 1 });
  }

  return {
    see(kind, record) {
      const keys = getOrMake(seen, kind, () => new Set<string>());
      keys.add(record.uuid);
      if (kind === 'subject') keys.add(String(record['id']));
      for (const { field, kind: target, key } of referencesOf(kind, record)) {
        refer(target, key, () => `${COLLECTIONS[kind]}: ${record.uuid}: ${field}`);
      }
    },
    finish(kinds) {
      const unresolved: string[] = [];
      for (const kind of kinds) {
        for (const [key, { from, times }] of waiting.get(kind) ?? []) {
          if (seen.get(kind)?.has(key)) resolved += times;
          else unresolved.push(`${from}: there is no ${kind} ${key}`);
        }
      }
      const more = unresolved.length - NAMED;
      if (more > 0) unresolved.splice(NAMED, more, `and ${more} more references to nothing`);
      return { resolved, unresolved, unchecked: [...waiting.keys()].filter((kind) => !kinds.includes(kind)) };
    },
  };
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
