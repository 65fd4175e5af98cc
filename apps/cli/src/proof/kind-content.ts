import type { OfferedDump } from '@archiefkast/client';
import {
  DumpHasher,
  type HashedBytes,
  type RecordWatch,
  recordFields,
  type WatchRecords,
} from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types';
import type { LooseRecord } from '../records/record-lines.ts';
import { eachReference, namedKinds } from './references.ts';

/** First occurrence of a reference, and number of occurrences. */
export interface FoundReference {
  /** Uuid of the record. */
  uuid: string;
  field: string;
  times: number;
}

/** Content of a kind's records, collected while they are read: keys, references and a hash. */
export interface KindContent extends RecordWatch {
  see(records: readonly unknown[], lines: Uint8Array): void;
  /** Uuids of the records, and ids of subjects. Empty if no record refers to the kind. */
  readonly keys: ReadonlySet<string>;
  /** References, by kind and by their text; empty for kinds that are not harvested. */
  readonly references: ReadonlyMap<Kind, ReadonlyMap<string, FoundReference>>;
  /** Unknown fields, which a lenient harvest keeps. */
  readonly extraFields: ReadonlySet<string>;
  /** Size and SHA-256 of the records as JSON lines. */
  lines(): HashedBytes;
  /** Differences from a dump: see `DumpHasher`. */
  differences(dump: OfferedDump): string[];
}

/**
 * Creates the content of a kind.
 *
 * @param kinds the harvested kinds: references to other kinds are not stored, and keys only if one of these refers to them
 */
export function createKindContent(kind: Kind, kinds: readonly Kind[]): KindContent {
  const known = recordFields(kind);
  const isNamed = kinds.some((each) => namedKinds(each).has(kind));
  const keys = new Set<string>();
  const references = new Map<Kind, Map<string, FoundReference>>();
  const extraFields = new Set<string>();
  const hasher = new DumpHasher();

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
      const objects = records.map(Object);
      for (const record of objects) seeRecord(record);
      hasher.add(objects, lines);
    },
    keys,
    references,
    extraFields,
    lines: () => hasher.lines(),
    differences: (dump) => hasher.differences(dump),
  };
}

/** Contents of the kinds of a harvest. */
export interface GatheredContents {
  /** Content of the last walk of each kind. */
  contents: ReadonlyMap<Kind, KindContent>;
  watchRecords: WatchRecords;
}

/** Collects the contents of all harvested kinds during the walks, so that checks read no file again. */
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
