/** Records per block of a dump; the last block may have fewer. */
export const BLOCK_RECORDS = 1_000;

/** Length of a record's hash in bytes: the beginning of a SHA-256. */
export const RECORD_HASH_BYTES = 16;

/** The fields that may embed records, in the order in which the hashes of these records are chained. */
export const EMBEDDING_FIELDS = ['subjects', 'persons', 'events', 'location'] as const;

/** Stands for the base URL where a record is hashed. JSON text has it in no other place. */
export const BASE_URL_MARK = '\u0001';

/** What is hashed of an edition that is copied: see `textOfCopy`. */
export interface CopiedContent {
  /** What the archive says of itself, without what is particular to a copy. */
  words: object;
  /** The SHA-256 of `hashes` of each dump of records in the manifest: by kind, events abbreviated. */
  dumps: readonly string[];
  /** The SHA-256 of what records cannot say. */
  supplement: string;
}

/** The text of which the SHA-256 stands for all that is copied of an edition. Fields that say nothing are left out. */
export function textOfCopy({ words, dumps, supplement }: CopiedContent): string {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  const said = Object.entries(words).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([Object.fromEntries(said), dumps, supplement], (_, value) =>
    isEmpty(value) ? undefined : value,
  );
}

/** URL path of the files that an archive hosts. */
export const MEDIA_PATH = '/media/';

const MEDIA_START = /"path":"[^"]*\/media\//g;

/**
 * The JSON of a record without the addresses before `/media/` in the paths of files: where an archive serves its files is
 * not part of its content. It differs between a bundle with paths and a harvest of it.
 */
export function withoutMediaHosts(json: string): string {
  return json.includes('"path":"') ? json.replace(MEDIA_START, '"path":"/media/') : json;
}

/** The end of the address of a record's page. */
const PAGE_PATH = /\/(?:en|nl)\/[a-z]+\/[^/]+\/$/;

/** The base URL in the address of a record's page; empty if it is no such address. */
export function baseOf(url: string): string {
  return url.slice(0, Math.max(0, url.search(PAGE_PATH)));
}
