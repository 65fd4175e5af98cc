import { type Fields, type HarvestStore, recordsOf } from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types/kinds';
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
      const stored = near.page === page ? undefined : store.page(kind, page);
      if (stored) near = { page, records: recordsOf(stored.block) };
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

/** The base URL in a record's own `url`. */
const BASE_URL = /^(https?:\/\/.+)\/(?:en|nl)\/(?:personen|onderwerpen|locaties|gebeurtenissen)\//;

/**
 * A record as it is compared: embedded records are replaced by their uuids, so that a change of one is reported once, and
 * links are relative to the base URL, so that an archive equals its copy at another address.
 */
function comparable(record: Fields): Fields {
  const baseUrl = BASE_URL.exec(String(record['url']))?.[1];
  const reduced = Object.fromEntries(Object.entries(record).map(([field, value]) => [field, reduce(value)]));
  if (!baseUrl) return reduced;
  const relative: unknown = JSON.parse(JSON.stringify(reduced).replaceAll(`${baseUrl}/`, '/'));
  return isObject(relative) ? relative : reduced;
}

function reduce(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduce);
  if (!isObject(value) || !('uuid' in value)) return value;
  return 'filetype' in value ? { ...value, path: reducePath(value['path']) } : value['uuid'];
}

/** The path of a hosted file, without its base URL: a copy of an archive refers to the files of the original. */
function reducePath(path: unknown): unknown {
  return typeof path === 'string' ? path.replace(/^https?:\/\/.+?(?=\/media\/)/, '') : path;
}

/** The fields in which two records differ. */
function differingFields(before: Fields, after: Fields): string[] {
  const old = comparable(before);
  const now = comparable(after);
  const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...fields].filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]));
}
