import { type Fields, type HarvestStore, recordsOf } from '@archiefkast/client/node';
import { type Kind, withoutMediaHosts } from '@archiefkast/types';
import { isObject } from '../proof/references.ts';
import { kindsOf } from '../records.ts';

/** A record that was added, changed or removed. */
export interface Change {
  change: 'added' | 'changed' | 'removed';
  kind: Kind;
  uuid: string;
  title: string;
  /** The changed fields; empty for added and removed records. */
  fields: string[];
}

/** Compares the records of two stores of the same kinds by their hashes; only records that differ are read. */
export function collectChanges(before: HarvestStore, after: HarvestStore): Change[] {
  return kindsOf(after).flatMap((kind) => [...compareKind(kind, before, after)]);
}

function* compareKind(kind: Kind, before: HarvestStore, after: HarvestStore): Generator<Change, void, void> {
  const old = new Map(before.records(kind).map(({ uuid, ...place }) => [uuid, place]));
  const readOld = createReader(before, kind);
  const readNew = createReader(after, kind);
  for (const { uuid, page, hash } of after.records(kind)) {
    const known = old.get(uuid);
    old.delete(uuid);
    if (!known) {
      yield { change: 'added', kind, uuid, title: titleOf(readNew.read(uuid, page)), fields: [] };
      continue;
    }
    const isSame =
      Buffer.compare(known.hash, hash) === 0 && readOld.supplement(uuid) === readNew.supplement(uuid);
    if (isSame) continue;
    const record = readNew.read(uuid, page);
    const fields = differingFields(readOld.read(uuid, known.page), record);
    if (fields.length > 0) yield { change: 'changed', kind, uuid, title: titleOf(record), fields };
  }
  for (const [uuid, { page }] of old)
    yield { change: 'removed', kind, uuid, title: titleOf(readOld.read(uuid, page)), fields: [] };
}

/** Reads records with what the supplement says: dates as they are known, and subjects. */
function createReader(store: HarvestStore, kind: Kind) {
  const supplements = store.supplements();
  let near: { page: number; records: Fields[] } = { page: -1, records: [] };
  return {
    read(uuid: string, page: number): Fields {
      if (near.page !== page) near = { page, records: recordsOf(store.block(kind, page)) };
      const record = near.records.find((one) => String(one['uuid']).toLowerCase() === uuid);
      const { dates, subjects } = supplements.get(uuid) ?? {};
      return { ...record, ...dates, ...(subjects && { subjects }) };
    },
    supplement: (uuid: string) => JSON.stringify(supplements.get(uuid)),
  };
}

function titleOf(record: Fields): string {
  return String(record['title'] ?? record['name'] ?? '');
}

/** The end of the address of a record's page: everything before it is the base URL. */
const PAGE_PATH = /\/(?:en|nl)\/[a-z]+\/[^/]+\/$/;

/**
 * The fields of a record as they are compared, as JSON: embedded records are replaced by their uuids, so that a change of one
 * is reported once, and links and paths of files have no base URL, so that an archive equals its copy at another address.
 */
function comparable(record: Fields): Map<string, string> {
  const [base] = String(record['url']).split(PAGE_PATH);
  const text = (value: unknown) =>
    withoutMediaHosts(JSON.stringify(reduce(value))).replaceAll(`${base}/`, '/');
  return new Map(Object.entries(record).map(([field, value]) => [field, text(value)]));
}

function reduce(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduce);
  const isRecord = isObject(value) && 'uuid' in value && !('filetype' in value);
  return isRecord ? value['uuid'] : value;
}

/** The fields in which two records differ. */
function differingFields(before: Fields, after: Fields): string[] {
  const [old, now] = [comparable(before), comparable(after)];
  const fields = new Set([...old.keys(), ...now.keys()]);
  return [...fields].filter((field) => old.get(field) !== now.get(field));
}
