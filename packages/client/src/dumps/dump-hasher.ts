import { createHash, hash } from 'node:crypto';
import {
  BASE_URL_MARK,
  BLOCK_RECORDS,
  EMBEDDING_FIELDS,
  RECORD_HASH_BYTES,
  withoutMediaHosts,
} from '@archiefkast/types/dump-blocks';
import type { OfferedDump } from './manifest.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a record that link to others, by URL or by embedding them. */
const LINKING_FIELDS = [...EMBEDDING_FIELDS, 'related_locations'] as const;

/** The end of the address of a record's page: everything before it is the base URL. */
const PAGE_PATH = /\/(?:en|nl)\/[a-z]+\/[^/]+\/$/;

/** The mark at the start of a string, as JSON writes it. */
const ESCAPED_MARK = /"\\u0001/g;

/** Number of bytes and their SHA-256. */
export interface HashedBytes {
  bytes: number;
  sha256: string;
}

/** Most differing blocks to name. */
const NAMED = 5;

/** Hashes the records of a kind as they are received, to compare them with the dump that a manifest describes. */
export class DumpHasher {
  readonly #lines = createHash('sha256');
  #bytes = 0;
  readonly #blocks: string[] = [];
  #block = createHash('sha256');
  #records = 0;

  /**
   * Adds records, in the order of the dump.
   *
   * @param lines the same records as lines
   */
  add(records: readonly object[], lines: Uint8Array): void {
    this.#lines.update(lines);
    this.#bytes += lines.length;
    for (const record of records) {
      this.#block.update(hashOfRecord({ ...record }));
      this.#records += 1;
      if (this.#records % BLOCK_RECORDS === 0) this.#endBlock();
    }
  }

  /** Size and SHA-256 of the lines. */
  lines(): HashedBytes {
    return { bytes: this.#bytes, sha256: this.#lines.copy().digest('hex') };
  }

  /**
   * Compares the records with a dump, once all of them have been added.
   *
   * @returns what differs, as the beginnings of sentences: which blocks, or by earlier manifests only that something does
   */
  differences({ blocks, bytes, sha256 }: OfferedDump): string[] {
    const ours =
      this.#records % BLOCK_RECORDS === 0
        ? this.#blocks
        : [...this.#blocks, this.#block.copy().digest('hex')];
    const theirs = blocks?.hashes ?? [];
    const count = Math.max(ours.length, theirs.length);
    const different = blocks
      ? Array.from({ length: count }, (_, block) => block).filter((block) => ours[block] !== theirs[block])
      : [];
    const named = different.slice(0, NAMED).map(nameBlock);
    if (different.length > NAMED) named.push(`${different.length - NAMED} more of ${count} blocks`);
    if (named.length > 0) return named;
    const lines = this.lines();
    const isSame = blocks ? lines.bytes === bytes : lines.sha256 === sha256;
    return isSame ? [] : [`the ${lines.bytes} bytes received`];
  }

  #endBlock(): void {
    this.#blocks.push(this.#block.digest('hex'));
    this.#block = createHash('sha256');
  }
}

function nameBlock(block: number): string {
  return `records ${block * BLOCK_RECORDS + 1} to ${(block + 1) * BLOCK_RECORDS} (block ${block + 1})`;
}

/**
 * Hash of a record: of its JSON without embedded records, with a mark for the base URL; chained with the hash of each of these.
 */
function hashOfRecord(record: Fields): Buffer {
  const url = String(record['url']);
  const base = url.slice(0, Math.max(0, url.search(PAGE_PATH)));
  const unbased = (link: string) => (link.startsWith(base) ? BASE_URL_MARK + link.slice(base.length) : link);
  const own: Record<string, unknown> = { ...record, url: unbased(url) };
  const embedded: Fields[] = [];
  for (const field of LINKING_FIELDS) {
    const value = record[field];
    if (Array.isArray(value)) {
      own[field] = value.filter((each) => typeof each === 'string').map(unbased);
      embedded.push(...value.filter(isRecord));
    } else if (isRecord(value)) {
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

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function sha256(content: string | Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, RECORD_HASH_BYTES);
}
