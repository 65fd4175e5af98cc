import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { KindContent } from './kind-content.ts';
import { keyOfReference } from './references.ts';

/** Unresolved references that are listed; further ones are counted. */
const NAMED = 10;

/** Result of resolving the references of a harvest. */
export interface ResolvedReferences {
  /** Number of resolved references. */
  resolved: number;
  /** Unresolved references, as sentences. */
  unresolved: string[];
  /** Kinds that were not harvested: references to them are not checked. */
  unchecked: Kind[];
}

/** Resolves every reference to a kind that was harvested. */
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
        else unresolved.push(`${COLLECTIONS[kind]}: ${uuid}: ${field}: unknown ${target} ${key}`);
      }
    }
  }
  const more = unresolved.length - NAMED;
  if (more > 0) unresolved.splice(NAMED, more, `and ${more} more references to unknown records`);
  return { resolved, unresolved, unchecked: [...unchecked] };
}
