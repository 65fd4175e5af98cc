import { createHash } from 'node:crypto';
import { isObject, type LooseRecord } from '../records/placed-records.ts';

/** The base URL in a record's own `url`. */
const BASE_URL = /^(https?:\/\/.+)\/(?:en|nl)\/(?:personen|onderwerpen|locaties|gebeurtenissen)\//;

/**
 * A record as it is compared: embedded records are their uuids, so that a change in one is told once, and links
 * do without the base URL, so that an archive equals its copy elsewhere.
 */
export function comparable(record: LooseRecord): LooseRecord {
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

/** What the address of a hosted file says of the file: a copy of an archive names the files where they were. */
function reducePath(path: unknown): unknown {
  return typeof path === 'string' ? path.replace(/^https?:\/\/.+?(?=\/media\/)/, '') : path;
}

/** The SHA-256 of what is compared. */
export function digest(record: LooseRecord): string {
  return createHash('sha256')
    .update(JSON.stringify(comparable(record)))
    .digest('base64');
}

/** The fields in which two records differ. */
export function differingFields(before: LooseRecord, after: LooseRecord): string[] {
  const old = comparable(before);
  const now = comparable(after);
  const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...fields].filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]));
}
