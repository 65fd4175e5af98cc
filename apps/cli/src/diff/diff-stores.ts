import { recordsOf } from '@archiefkast/client/internal/node';
import type { HarvestStore } from '@archiefkast/client/node';
import { type Kind, uuidOfReference } from '@archiefkast/types';
import {
  baseOf,
  type Fields,
  isEmpty,
  isObject,
  KIND_FACTS,
  RECORD_COLUMN_FIELDS,
  toEdtf,
  withoutMediaHosts,
} from '@archiefkast/types/internal';
import { collectSubjects } from '../formats/source.ts';

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
  const hidden = [hiddenIn(before), hiddenIn(after)] as const;
  return after.kinds.flatMap((kind) => {
    return [
      ...compareKind(kind, createReader(before, kind, hidden[0]), createReader(after, kind, hidden[1])),
    ];
  });
}

/** The uuids of the records of a bundle that are not published: no harvest has them, nor references to them. */
function hiddenIn(store: HarvestStore): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const kind of store.walk ? [] : store.kinds) {
    for (const { uuid, published } of store.contents(kind))
      if (published === false) hidden.add(String(uuid).toLowerCase());
  }
  return hidden;
}

function* compareKind(kind: Kind, before: Reader, after: Reader): Generator<Change, void, void> {
  const old = new Map(before.records().map(({ uuid, ...place }) => [uuid, place]));
  for (const { uuid, page, hash } of after.records()) {
    const known = old.get(uuid);
    old.delete(uuid);
    if (!known) {
      yield { change: 'added', kind, uuid, title: titleOf(after.read(uuid, page)), fields: [] };
      continue;
    }
    const isSame =
      Buffer.compare(known.hash, hash) === 0 && before.supplement(uuid) === after.supplement(uuid);
    if (isSame) continue;
    const record = after.read(uuid, page);
    const fields = differingFields(
      comparable(kind, before.hidden, before.read(uuid, known.page)),
      comparable(kind, after.hidden, record),
    );
    if (fields.length > 0) yield { change: 'changed', kind, uuid, title: titleOf(record), fields };
  }
  for (const [uuid, { page }] of old)
    yield { change: 'removed', kind, uuid, title: titleOf(before.read(uuid, page)), fields: [] };
}

type Reader = ReturnType<typeof createReader>;

/** Reads records with what the supplement says: dates as they are known, and subjects, which locations have too. */
function createReader(store: HarvestStore, kind: Kind, hidden: ReadonlySet<string>) {
  const supplements = store.supplements();
  const found = new Map<unknown, readonly unknown[]>();
  let isRead = kind !== 'event';
  const subjectsOf = (uuid: string) => {
    if (!isRead) collectSubjects(store.contents('location'), found);
    isRead = true;
    return found.get(uuid);
  };
  let near: { page: number; records: Fields[] } = { page: -1, records: [] };
  return {
    hidden,
    records: () => store.records(kind).filter(({ uuid }) => !hidden.has(uuid)),
    read(uuid: string, page: number): Fields {
      if (near.page !== page) near = { page, records: recordsOf(store.block(kind, page)) };
      const record = near.records.find((one) => String(one['uuid']).toLowerCase() === uuid);
      const { dates, subjects = isEmpty(record?.['subjects']) ? subjectsOf(uuid) : undefined } =
        supplements.get(uuid) ?? {};
      return { ...record, ...dates, ...(subjects && { subjects }) };
    },
    supplement: (uuid: string) => JSON.stringify(supplements.get(uuid)),
  };
}

function titleOf(record: Fields): string {
  const names = ['title', 'name', 'title_en', 'name_en', 'title_nl', 'name_nl'];
  return String(names.map((name) => record[name]).find((name) => !isEmpty(name)) ?? '');
}

/**
 * The fields of a record as they are compared: references and embedded records are replaced by their uuids, so that a change of
 * one is reported once, dates have one form, and links and paths of files no base URL, so that an archive equals its copy.
 */
function comparable(kind: Kind, hidden: ReadonlySet<string>, record: Fields): Fields {
  const base = baseOf(String(record['url']));
  const types = new Map(RECORD_COLUMN_FIELDS[kind].map(({ name, type }) => [name, type]));
  const reduced = Object.entries(record).map(([field, value]) => {
    const type = types.get(field) ?? '';
    if (field === 'files' || field === KIND_FACTS[kind].image) return [field, value];
    if (type === 'date') return [field, toEdtf(String(value)) ?? value];
    if (!type.startsWith('reference') || field === 'parent') return [field, reduce(value, false)];
    const shown = [reduce(value, true)].flat().filter((uuid) => !hidden.has(String(uuid)));
    return [field, type === 'references' ? shown : shown[0]];
  });
  const text = withoutMediaHosts(JSON.stringify(Object.fromEntries(reduced)));
  return JSON.parse(text.replaceAll(`${base}/`, '/'));
}

function reduce(value: unknown, isReference: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => reduce(each, isReference));
  const isRecord = isObject(value) && 'uuid' in value;
  if (isRecord) return value['uuid'];
  return isReference && typeof value === 'string' ? (uuidOfReference(value) ?? value) : value;
}

/** What a publish derives or sets where a bundle does not have it: of records, and of files. */
const DERIVED = new Set(
  'url title name summary content description events location_events position published'.split(' '),
);
const DERIVED_OF_FILE = new Set(['id', 'uuid', 'filetype']);

/** The path of a file in MEDIA_DIR, as a bundle has it, of its address. */
function inMedia(path: unknown): unknown {
  return typeof path === 'string' ? decodeURI(path.replace(/^.*\/media\//, '')) : path;
}

/** Whether two values are the same: an empty one as one that is absent. */
function isSameValue(before: unknown, after: unknown): boolean {
  if (isEmpty(before) || isEmpty(after)) return isEmpty(before) && isEmpty(after);
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((value, index) => isSameValue(value, after[index]));
  }
  if (isObject(before) && isObject(after)) {
    const fields = Object.keys({ ...before, ...after });
    const isIn = (field: string) => field in before && field in after;
    return fields.every((field) => {
      if (DERIVED_OF_FILE.has(field) && !isIn(field)) return true;
      const [old, now] = [before[field], after[field]].map((value) =>
        field === 'path' ? inMedia(value) : value,
      );
      return isSameValue(old, now);
    });
  }
  return String(before) === String(after);
}

function differingFields(old: Fields, now: Fields): string[] {
  return Object.keys({ ...old, ...now }).filter((field) => {
    const isMade = DERIVED.has(field) && !(field in old && field in now);
    return !isMade && !isSameValue(old[field], now[field]);
  });
}
