import { createHash, hash } from 'node:crypto';
import type { Kind, Manifest } from '@archiefkast/types';
import {
  BASE_URL_MARK,
  BLOCK_RECORDS,
  baseOf,
  EMBEDDING_FIELDS,
  RECORD_HASH_BYTES,
  withoutMediaHosts,
} from '@archiefkast/types/internal/dump-blocks';
import { type Fields, isObject } from '@archiefkast/types/internal/fields';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { dumpOf } from '../dumps.ts';
import type { EventForm } from '../listing.ts';

/** The fields of a record that link to others, by URL or by embedding them. */
const LINKING_FIELDS = [...EMBEDDING_FIELDS, 'related_locations'] as const;

/** The mark at the start of a string, as JSON writes it. */
const ESCAPED_MARK = /"\\u0001/g;

/**
 * Hash of a record: of its JSON without embedded records, with a mark for the base URL; chained with the hash of each of these.
 */
export function hashOfRecord(record: Fields): Buffer {
  const url = String(record['url']);
  const base = baseOf(url);
  const unbased = (link: string) => (link.startsWith(base) ? BASE_URL_MARK + link.slice(base.length) : link);
  const own: Record<string, unknown> = { ...record, url: unbased(url) };
  const embedded: Fields[] = [];
  for (const field of LINKING_FIELDS) {
    const value = record[field];
    if (Array.isArray(value)) {
      own[field] = value.filter((each) => typeof each === 'string').map(unbased);
      embedded.push(...value.filter(isObject));
    } else if (isObject(value)) {
      own[field] = null;
      embedded.push(value);
    } else if (typeof value === 'string') {
      own[field] = unbased(value);
    }
  }
  return embedded.reduce(
    (chained, each) => sha256(Buffer.concat([chained, hashOfRecord(each)])),
    sha256(withoutMediaHosts(JSON.stringify(own).replace(ESCAPED_MARK, `"${BASE_URL_MARK}`))),
  );
}

function sha256(content: string | Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, RECORD_HASH_BYTES);
}

/** The hashes of the blocks of a dump, from those of its records in order. */
function blockHashes(records: Iterable<{ hash: Uint8Array }>): string[] {
  const blocks: string[] = [];
  let block = createHash('sha256');
  let count = 0;
  for (const record of records) {
    block.update(record.hash);
    count += 1;
    if (count % BLOCK_RECORDS > 0) continue;
    blocks.push(block.digest('hex'));
    block = createHash('sha256');
  }
  return count % BLOCK_RECORDS === 0 ? blocks : [...blocks, block.digest('hex')];
}

const NAMED = 5;

interface HashedRecords {
  /** How its events are written. */
  readonly events: EventForm;
  records(kind: Kind): Iterable<{ hash: Uint8Array }>;
  /** Length of the records of a kind as lines. */
  bytes(kind: Kind): number;
}

/**
 * Compares the records of a kind with a manifest.
 *
 * @returns what differs, as the beginnings of sentences; undefined if the manifest does not list the kind
 */
export function differencesFrom(
  manifest: Manifest,
  kind: Kind,
  harvested: HashedRecords,
): string[] | undefined {
  const dump = dumpOf(manifest, kind, harvested.events);
  if (!dump) return undefined;
  const ours = blockHashes(harvested.records(kind));
  const bytes = harvested.bytes(kind);
  const theirs = dump.blocks.hashes;
  const count = Math.max(ours.length, theirs.length);
  const different = Array.from({ length: count }, (_, block) => block).filter(
    (block) => ours[block] !== theirs[block],
  );
  const named = different.slice(0, NAMED).map(nameBlock);
  if (different.length > NAMED) named.push(`${different.length - NAMED} more of ${count} blocks`);
  return named.length > 0 || bytes === dump.bytes ? named : [`the ${bytes} bytes received`];
}

/**
 * Compares the records of some kinds with a manifest.
 *
 * @returns what differs, as sentences; undefined if the manifest does not list all kinds
 */
export function compareManifest(
  manifest: Manifest,
  kinds: readonly Kind[],
  harvested: HashedRecords,
): string[] | undefined {
  const found = kinds.map((kind) => ({ kind, differences: differencesFrom(manifest, kind, harvested) }));
  if (found.some(({ differences }) => differences === undefined)) return undefined;
  const published = `differ from what the archive published as edition ${manifest.edition.id}`;
  return found.flatMap(({ kind, differences = [] }) =>
    differences.map((difference) => `${COLLECTIONS[kind]}: ${difference} ${published}`),
  );
}

function nameBlock(block: number): string {
  return `records ${block * BLOCK_RECORDS + 1} to ${(block + 1) * BLOCK_RECORDS} (block ${block + 1})`;
}
