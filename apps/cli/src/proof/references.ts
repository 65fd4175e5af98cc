import { COLLECTIONS, forKinds, type Kind } from '@archiefkast/types';
import { type Fields, isObject, REFERENCE_FIELDS } from '@archiefkast/types/internal';
import { uuidOfReference } from '@archiefkast/types/links';

/**
 * Receives a reference.
 *
 * @param reference its text in the record: an address, a uuid, or the id of a parent subject
 */
export type OnReference = (field: string, kind: Kind, reference: string) => void;

/** Visits all references in a record: API references, embedded records and their references, and a subject's parent. */
export function eachReference(kind: Kind, record: Fields, visit: OnReference, within = ''): void {
  for (const { name, target } of REFERENCE_FIELDS[kind]) {
    const value = record[name];
    if (Array.isArray(value)) for (const each of value) referTo(within + name, target, each, visit);
    else referTo(within + name, target, value, visit);
  }
}

function referTo(field: string, kind: Kind, value: unknown, visit: OnReference): void {
  if (typeof value === 'string' || typeof value === 'number') visit(field, kind, String(value));
  else if (isObject(value)) {
    visit(field, kind, String(value['uuid']));
    eachReference(kind, value, visit, `${field}.`);
  }
}

/** The key of the record that a reference points to; an invalid reference is returned unchanged, so that it is reported. */
export function keyOfReference(reference: string): string {
  return uuidOfReference(reference) ?? reference;
}

/** Unresolved references that are listed; further ones are counted. */
const NAMED = 10;

/** The first occurrence of a reference, and the number of occurrences. */
interface FoundReference {
  kind: Kind;
  uuid: string;
  field: string;
  target: Kind;
  reference: string;
  times: number;
}

/**
 * Resolves every reference of a harvest to a kind that was harvested.
 *
 * @returns the number of resolved references, unresolved ones as sentences, and the kinds that were not harvested, to which
 *   references are not checked
 */
export async function resolveReferences(
  kinds: readonly Kind[],
  records: (kind: Kind) => AsyncIterable<readonly Fields[]>,
) {
  const keys = new Map(kinds.map((kind) => [kind, new Set<string>()]));
  const unchecked = new Set<Kind>();
  const all: FoundReference[] = [];
  for (const kind of kinds) {
    const found = forKinds(() => new Map<string, FoundReference>());
    for await (const batch of records(kind)) {
      for (const record of batch) {
        const uuid = String(record['uuid']).toLowerCase();
        keys.get(kind)?.add(uuid);
        if (kind === 'subject') keys.get(kind)?.add(String(record['id']));
        eachReference(kind, record, (field, target, reference) => {
          const known = found[target].get(reference);
          if (known) known.times += 1;
          else if (keys.has(target))
            found[target].set(reference, { kind, uuid, field, target, reference, times: 1 });
          else unchecked.add(target);
        });
      }
    }
    for (const named of Object.values(found)) all.push(...named.values());
  }
  let resolved = 0;
  const unresolved: string[] = [];
  for (const { kind, uuid, field, target, reference, times } of all) {
    const key = keyOfReference(reference);
    if (keys.get(target)?.has(key)) resolved += times;
    else unresolved.push(`${COLLECTIONS[kind]}: ${uuid}: ${field}: unknown ${target} ${key}`);
  }
  const more = unresolved.length - NAMED;
  if (more > 0) unresolved.splice(NAMED, more, `and ${more} more references to unknown records`);
  return { resolved, unresolved, unchecked: [...unchecked] };
}
