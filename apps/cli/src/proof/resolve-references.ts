import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { KindContent } from './kind-content.ts';
import { keyOfReference } from './references.ts';

/** References to nothing that are named one by one; more are counted. */
const NAMED = 10;

/** What the references of a harvest came to. */
export interface ResolvedReferences {
  /** References that lead to a record. */
  resolved: number;
  /** Those that lead nowhere, in sentences. */
  unresolved: string[];
  /** Kinds that were not harvested, so that references to them could not be checked. */
  unchecked: Kind[];
}

/** Checks that every reference leads to a record, where the records of its kind were harvested. */
export function resolveReferences(contents: ReadonlyMap<Kind, KindContent>): ResolvedReferences {
  const unresolved: string[] = [];
  const unchecked = new Set<Kind>();
  let resolved = 0;
  for (const [kind, { references }] of contents) {
    for (const [target, named] of references) {
      const keys = contents.get(target)?.keys;
      if (!keys) {
        unchecked.add(target);
        continue;
      }
      for (const [reference, { uuid, field, times }] of named) {
        const key = keyOfReference(reference);
        if (keys.has(key)) resolved += times;
        else unresolved.push(`${COLLECTIONS[kind]}: ${uuid}: ${field}: there is no ${target} ${key}`);
      }
    }
  }
  const more = unresolved.length - NAMED;
  if (more > 0) unresolved.splice(NAMED, more, `and ${more} more references to nothing`);
  return { resolved, unresolved, unchecked: [...unchecked] };
}
