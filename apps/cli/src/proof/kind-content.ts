import { createHash } from 'node:crypto';
import { type RecordWatch, recordFields, type WatchRecords } from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types';
import type { LooseRecord } from '../records/placed-records.ts';
import { eachReference, namedKinds } from './references.ts';

/** Bytes, and what proves them. */
export interface HashedBytes {
  bytes: number;
  sha256: string;
}

/** Where a reference was found first, and how often it was. */
export interface FoundReference {
  /** Of the record. */
  uuid: string;
  field: string;
  times: number;
}

/** What the records of a kind hold, gathered while they are read. Of each only its key and what it names are kept. */
export interface KindContent extends RecordWatch {
  see(records: readonly unknown[], lines: Uint8Array): void;
  /** The uuids of the records, and of subjects their ids: what others name them by. Empty where none of them does. */
  readonly keys: ReadonlySet<string>;
  /** What they name, by its kind and as it stands there; nothing of a kind that is not harvested. */
  readonly references: ReadonlyMap<Kind, ReadonlyMap<string, FoundReference>>;
  /** Fields that the contract does not know, which a lenient harvest keeps. */
  readonly extraFields: ReadonlySet<string>;
  /** The lines of the records: what a file of them holds. */
  lines(): HashedBytes;
}

/**
 * Makes what gathers the content of a kind.
 *
 * @param kinds those that are harvested: of references to others it is only kept that there are some, and keys are kept
 *   only where records of one of these name them
 */
export function createKindContent(kind: Kind, kinds: readonly Kind[]): KindContent {
  const known = recordFields(kind);
  const isNamed = kinds.some((each) => namedKinds(each).has(kind));
  const keys = new Set<string>();
  const references = new Map<Kind, Map<string, FoundReference>>();
  const extraFields = new Set<string>();
  const hash = createHash('sha256');
  let bytes = 0;

  function namedOf(target: Kind): Map<string, FoundReference> {
    const named = references.get(target) ?? new Map<string, FoundReference>();
    references.set(target, named);
    return named;
  }

  function seeRecord(record: LooseRecord): void {
    const uuid = String(record['uuid']).toLowerCase();
    if (isNamed) keys.add(uuid);
    if (isNamed && kind === 'subject') keys.add(String(record['id']));
    const fields = Object.keys(record);
    const isAsKnown = fields.length === known.length && fields.every((field, at) => field === known[at]);
    if (!isAsKnown) for (const field of fields) if (!known.includes(field)) extraFields.add(field);
    eachReference(kind, record, (field, target, reference) => {
      const named = namedOf(target);
      if (!kinds.includes(target)) return;
      const found = named.get(reference);
      if (found) found.times += 1;
      else named.set(reference, { uuid, field, times: 1 });
    });
  }

  return {
    see(records, lines) {
      for (const record of records) seeRecord(Object(record));
      hash.update(lines);
      bytes += lines.length;
    },
    keys,
    references,
    extraFields,
    lines: () => ({ bytes, sha256: hash.copy().digest('hex') }),
  };
}

/** What is gathered of the records of a harvest while they come. */
export interface GatheredContents {
  /** Of each kind, that of its last walk. */
  contents: ReadonlyMap<Kind, KindContent>;
  watchRecords: WatchRecords;
}

/** Makes what gathers the contents of all kinds that are harvested, so that nothing is read again to be checked. */
export function gatherContents(kinds: readonly Kind[]): GatheredContents {
  const contents = new Map<Kind, KindContent>();
  return {
    contents,
    watchRecords(kind) {
      const content = createKindContent(kind, kinds);
      contents.set(kind, content);
      return content;
    },
  };
}
